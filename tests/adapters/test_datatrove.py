"""datatrove: its own pipeline runs our steps."""

import pytest

pytest.importorskip("datatrove", reason="datatrove is not installed: pip install 'pagestrata[datatrove]'")

from datatrove.data import Document

from pagestrata.adapters.datatrove import Pagestrata, PagestrataSections
from tests.adapters.pages import FIRST_WORDS, HTML, POISON, TIGHT, URL


def test_the_extractor_gives_the_text() -> None:
    [document] = Pagestrata(timeout=60)([Document(HTML, "1"), Document("", "2")])
    assert document.text.startswith(FIRST_WORDS)
    assert "Tide tables" not in document.text


def test_the_step_keeps_sections_and_drops_what_kills_its_worker() -> None:
    step = PagestrataSections(limits=TIGHT)
    documents = [Document(HTML, "1", metadata={"url": URL, "dump": "x"}), Document(POISON, "2"), Document(HTML, "3")]
    first, last = step(iter(documents))
    assert first.text == last.text
    assert first.text.startswith(FIRST_WORDS)
    assert ("x", URL, "tea.example") == tuple(first.metadata[name] for name in ("dump", "url", "site"))
    assert {"main", "navigation"} <= {section["role"] for section in first.metadata["sections"]}
    counts = step.stats.stats
    assert (3, 2, 1, 1) == tuple(counts[name].total for name in ("total", "forwarded", "dropped", "dropped_memory"))
