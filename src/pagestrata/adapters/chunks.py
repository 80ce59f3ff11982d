"""Chunks for search and language models as a text with plain metadata, as vector stores want them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagestrata.extraction import Extraction
from pagestrata.inputs.addresses import AddressPolicy, is_address
from pagestrata.inputs.files import read_file
from pagestrata.inputs.http import fetch
from pagestrata.page.raw import RawPage


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the kept content."""

    text: str
    """Markdown."""
    metadata: dict[str, Any]
    """Plain values only, as vector stores want them."""


def read_source(source: str | Path, policy: AddressPolicy) -> RawPage:
    """Fetch an address, or read a file."""
    return fetch(str(source), policy) if is_address(str(source)) else read_file(source)


def chunks_of(extraction: Extraction, source: str | None = None) -> Iterator[Chunk]:
    """Return the chunks of a page in order, each with at most `Options.chunk_words` words.

    >>> from pagestrata import extract
    >>> page = extract("<title>Tea</title><h1>Tea</h1><h2>Pot</h2><p>" + "Warm the pot, then wait a while. " * 9)
    >>> [(chunk.text[:20], chunk.metadata["heading_path"]) for chunk in chunks_of(page)]
    [('## Pot\\n\\nWarm the pot', 'Pot')]
    """
    page, metadata = extraction.page, extraction.metadata
    common = {
        "source": page.url or source or "",
        "title": metadata.title or "",
        "language": metadata.language or "",
        "page_type": extraction.page_type.value,
        "confidence": extraction.confidence,
    }
    for number, chunk in enumerate(extraction.chunks()):
        own = {
            "heading_path": " > ".join(chunk.heading_path),
            "url": chunk.url or "",
            "author": chunk.author or "",
            "time": chunk.time or "",
            "role": chunk.role.value,
            "importance": chunk.importance,
            "path": chunk.xpath,
            "words": chunk.words,
            "section": number,
        }
        yield Chunk(chunk.markdown, common | own)
