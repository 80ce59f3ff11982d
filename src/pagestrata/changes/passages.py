"""The kept text of a page as passages: sentences, each with its place on the page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pagestrata.extraction import Extraction
from pagestrata.page.page import Page
from pagestrata.page.text import collapse, words
from pagestrata.results import Role, Section

# Behind the mark that ends a sentence, and behind a quotation mark or bracket that follows it.
_SENTENCE_END: Final = re.compile(
    r"(?<=[.!?…])\s+|(?<=[.!?…][\"”’)\]])\s+|(?<=[。！？])(?![”’」』）])|(?<=[。！？][”’」』）])"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of kept text inside one paragraph, line, item or cell."""

    text: str
    """With each run of white space as one blank."""
    start: int
    """Where it begins in `Page.text`, in code points."""
    end: int
    block: int
    """The number of its block in `Page.blocks`."""
    role: Role
    heading_path: tuple[str, ...]
    """The headings that it stands under, the outermost first."""
    xpath: str
    """The element that its section is in."""

    def joined(self, page: Page, other: "Passage") -> "Passage":
        """Return this and a later passage of the same block as one."""
        text = collapse(page.text[self.start : other.end])
        return Passage(text, self.start, other.end, self.block, self.role, self.heading_path, self.xpath)


def passages_of(extraction: Extraction, kept: bool = True) -> list[Passage]:
    """Return the sentences of the sections that are kept, or of those that are not, without the title."""
    leaves = (leaf for leaf in extraction.leaves() if leaf.kept is kept and leaf.role is not Role.TITLE)
    return [passage for leaf in leaves for passage in _passages_in(leaf)]


def _passages_in(section: Section) -> Iterator[Passage]:
    page, blocks = section.page, section.page.blocks
    path, xpath = section.heading_path, section.xpath
    for block in range(section.block_start, section.block_end):
        if blocks.is_unseen[block]:
            continue
        for start, end in sentence_spans(page.text, int(blocks.text_start[block]), int(blocks.text_end[block])):
            text = collapse(page.text[start:end])
            if words(text):  # bullets and separators are layout
                yield Passage(text, start, end, block, section.role, path, xpath)


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a part of a text begin and end.

    >>> [*sentence_spans("Warm it. “Now!” Pour 3.5 dl", 0, 27)]
    [(0, 8), (9, 15), (16, 27)]
    """
    for mark in _SENTENCE_END.finditer(text, start, end):
        if mark.start() > start:
            yield start, mark.start()
        start = mark.end()
    if start < end:
        yield start, end
