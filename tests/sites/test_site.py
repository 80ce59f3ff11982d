"""The evidence of a site: which blocks are in the flow of the text, and which are comments."""

import pytest

from pagestrata.algorithms.template import TemplateLearner
from pagestrata.landmarks import landmarks_of
from pagestrata.sites.reading import read
from pagestrata.sites.site import SlotEvidence, text_flow
from pagestrata.sites.slots import Slots
from tests.build import block_texts, page_of

PROSE = "The mud dries slowly on the banks, and the boats lie still until the tide returns in the evening."
PARAGRAPHS = f"<p>{PROSE}</p>" * 6


def flow_of(body: str) -> list[str]:
    """The texts in the flow, except the paragraphs."""
    page = page_of(body)
    landmarks = landmarks_of(page)
    flow = text_flow(landmarks, landmarks.core)
    return [text for text, is_in in zip(block_texts(page), flow, strict=True) if is_in and text != PROSE]


@pytest.mark.parametrize("box", ["figure", "div", "aside"])
def test_a_box_set_into_the_text_is_not_in_the_flow(box: str) -> None:
    body = f"<article>{PARAGRAPHS}<{box}>A boat</{box}><h2>Boats</h2>{PARAGRAPHS}</article><p>Footer</p>"
    assert ["Boats"] == flow_of(body)


def test_lists_tables_and_code_are_in_the_flow_also_in_a_box() -> None:
    rows = "<tr><th>Boat<th>Feet<tr><td>Skiff<td>12<tr><td>Punt<td>14"
    body = f"<article>{PARAGRAPHS}<div><table>{rows}</table></div><div><pre>tide()</pre></div></article>"
    assert ["Boat", "Feet", "Skiff", "12", "Punt", "14", "tide()"] == flow_of(body)


def test_a_text_laid_out_in_boxes_has_no_boxes_set_into_it() -> None:
    cells = "".join(f"<div><p>{PROSE}</p><h3>Cell {number}</h3></div>" for number in range(6))
    assert [f"Cell {number}" for number in range(6)] == flow_of(f"<div>{cells}</div>")


def test_the_lead_between_title_and_text_is_in_the_flow_but_an_excerpt_is_not() -> None:
    lead, excerpt = "Why the boats of the estuary lie dry.", PROSE[:60] + "…"
    body = f"<nav>Menu</nav><h1>Test</h1><p>{lead}</p><p>{excerpt}</p><article>{PARAGRAPHS}</article>"
    assert [lead] == flow_of(body)


def test_a_page_without_text_has_no_flow() -> None:
    assert [] == flow_of("")


@pytest.mark.parametrize(("article", "dropped"), [(PARAGRAPHS, True), ("", False)])
def test_comments_are_dropped_unless_they_are_all_the_page_has(article: str, dropped: bool) -> None:
    posts = "".join(
        f"<div class=c><b>Ann {number}</b> <i>May {number + 1}, 2024 10:1{number}</i><p>{PROSE} {number}</p></div>"
        for number in range(6)
    )
    page = page_of(f"<div id=a>{article}</div><div id=b>{posts}</div><p id=end>Footer</p>")
    template = TemplateLearner().learn([page, page])
    core = next(node for node in page.nodes_tagged("div").tolist() if page.attribute(node, "id") == "a")
    evidence = SlotEvidence(read(template, page), Slots.empty(len(template)), core)
    assert dropped == bool(evidence.is_comment.any())
