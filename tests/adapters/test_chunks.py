"""Chunks with plain metadata."""

from pagestrata import extract
from pagestrata.adapters.chunks import chunks_of
from tests.adapters.pages import FIRST_WORDS, HTML, URL


def test_chunks_have_plain_metadata() -> None:
    extraction = extract(HTML, URL)
    chunks = list(chunks_of(extraction))
    assert [(chunk.markdown, chunk.importance, chunk.xpath) for chunk in extraction.chunks()] == [
        (chunk.text, chunk.metadata["importance"], chunk.metadata["path"]) for chunk in chunks
    ]
    assert any(FIRST_WORDS in chunk.text for chunk in chunks)
    assert not any("Tide tables" in chunk.text for chunk in chunks)
    assert {URL} == {chunk.metadata["source"] for chunk in chunks}
    assert {str, int, float} == {type(value) for chunk in chunks for value in chunk.metadata.values()}


def test_a_page_without_text_has_no_chunks() -> None:
    assert [] == list(chunks_of(extract("")))
