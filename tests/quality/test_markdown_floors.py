"""How much of the authors' Markdown comes back on mdset: floors that only rise, for all items and for each kind."""

import os
from pathlib import Path

import pytest

from pagestrata.evaluate.markdown_score import ALL, OURS, MarkdownLine, our_writer, score_writer
from pagestrata.evaluate.markdown_truth import read_markdown_pages

FLOORS = {ALL: 0.97, "code": 0.99, "link": 0.975, "table": 0.98, "cell": 0.98, "image": 0.97, "quote": 0.99}
FLOORS |= {"heading": 0.99, "item": 0.97, "maths": 0.99, "footnote": 0.94, "inline-code": 0.985}
FLOORS |= {"term": 0.985, "definition": 0.99}
WITH_ATTRIBUTES = {ALL: 0.97, "code": 0.99, "link": 0.975, "heading": 0.98}


@pytest.fixture(scope="module")
def line() -> MarkdownLine:
    if not (Path(os.environ.get("PAGESTRATA_DATA", "")) / "mdset").is_dir():
        pytest.skip("real pages are not here: set PAGESTRATA_DATA to a folder that holds mdset/")
    line = score_writer(OURS, our_writer, read_markdown_pages("mdset"))
    print({kind: round(score.f1, 4) for kind, score in line.scores.items()})
    return line


@pytest.mark.parametrize("kind", FLOORS)
def test_items(line: MarkdownLine, kind: str) -> None:
    assert FLOORS[kind] <= line.scores[kind].f1


@pytest.mark.parametrize("kind", WITH_ATTRIBUTES)
def test_items_with_their_attributes(line: MarkdownLine, kind: str) -> None:
    assert WITH_ATTRIBUTES[kind] <= line.with_attributes[kind].f1
