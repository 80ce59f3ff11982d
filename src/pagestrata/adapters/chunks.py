"""Sections as chunks for search and language models: each kept section becomes a text with metadata."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pagestrata.extraction import Extraction


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section that was kept."""

    text: str
    metadata: dict[str, Any]
    """Plain values only, as vector stores want them."""


def chunks_of(extraction: Extraction, source: str | None = None) -> Iterator[Chunk]:
    """The kept leaf sections in the order of the page.

    >>> from pagestrata import extract
    >>> page = extract("<title>Tea</title><h1>Tea</h1><p>" + "Warm the pot, then wait a while. " * 9)
    >>> [(chunk.text[:12], chunk.metadata["path"]) for chunk in chunks_of(page)][-1]
    ('Warm the pot', '/html[1]/body[1]/p[1]')
    """
    page, metadata = extraction.page, extraction.metadata
    common = {
        "source": page.url or source or "",
        "title": metadata.title or "",
        "language": metadata.language or "",
        "page_type": extraction.page_type.value,
        "confidence": extraction.confidence,
    }
    kept = (leaf for leaf in extraction.leaves() if leaf.kept and leaf.has_blocks)
    for number, leaf in enumerate(kept):
        own = {"role": leaf.role.value, "importance": leaf.importance, "path": leaf.xpath, "section": number}
        yield Chunk(leaf.text, common | own)
