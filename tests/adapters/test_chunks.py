"""Sections as chunks."""

from pagestrata import extract
from pagestrata.adapters.chunks import chunks_of
from tests.adapters.pages import FIRST_WORDS, HTML, URL


def test_kept_sections_are_chunks_with_importance_and_path() -> None:
    extraction = extract(HTML, URL)
    chunks = list(chunks_of(extraction))
    kept = [leaf for leaf in extraction.leaves() if leaf.kept and leaf.text]
    assert [(leaf.text, leaf.importance, leaf.xpath) for leaf in kept] == [
        (chunk.text, chunk.metadata["importance"], chunk.metadata["path"]) for chunk in chunks
    ]
    assert any(FIRST_WORDS in chunk.text for chunk in chunks)
    assert not any("Tide tables" in chunk.text for chunk in chunks)
    assert {URL} == {chunk.metadata["source"] for chunk in chunks}


def test_a_page_without_text_has_no_chunks() -> None:
    assert [] == list(chunks_of(extract("")))
