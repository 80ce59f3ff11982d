"""The blocks of a page on which two extractors disagree: what one lost, and what it kept in addition.

A block counts as kept if half of its five-word runs are in the text of the extractor; a shorter one if it is a line of
the text. That is linear in the size of the page, and does not depend on how an extractor breaks lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from pagestrata.evaluate.metrics import runs, tokens, word_score
from pagestrata.page.page import Page
from pagestrata.page.text import collapse

RUN: Final = 5
MIN_SHARE: Final = 0.5

Kind = Literal["lost", "extra"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A block that one of two extractors keeps."""

    kind: Kind
    """`lost`: only the reference keeps it; `extra`: only the other one."""
    place: int
    """The number of the block, in the order of the page."""
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The text of an extractor, held against that of a reference."""

    name: str
    words: int
    agreement: float
    """Word F1 with the reference."""
    differences: tuple[Difference, ...]

    def words_of(self, kind: Kind) -> int:
        """The number of words that were lost, or kept in addition."""
        return sum(len(tokens(difference.text)) for difference in self.differences if difference.kind == kind)


def compare_texts(page: Page, reference: str, name: str, text: str) -> Comparison:
    """Compare the text of an extractor with a reference, block by block."""
    blocks = list(_seen_blocks(page))
    kept = _kept([block for _, block in blocks], reference)
    kept_by_other = _kept([block for _, block in blocks], text)
    differences = tuple(
        Difference("lost" if ours else "extra", place, block)
        for (place, block), ours, theirs in zip(blocks, kept, kept_by_other, strict=True)
        if ours != theirs
    )
    return Comparison(name, len(tokens(text)), word_score(text, reference).f1, differences)


def _seen_blocks(page: Page) -> Iterator[tuple[int, str]]:
    blocks = page.blocks
    for place in np.flatnonzero(~blocks.is_unseen).tolist():
        text = collapse(page.text[blocks.text_start[place] : blocks.text_end[place]])
        if text:
            yield place, text


def _kept(blocks: Sequence[str], text: str) -> list[bool]:
    """For each block: whether it is in a text."""
    present = set(runs(tokens(text), RUN))
    lines = {" ".join(tokens(line)) for line in text.splitlines()}
    return [_is_kept(tokens(block), present, lines) for block in blocks]


def _is_kept(words: Sequence[str], present: set[tuple[str, ...]], lines: set[str]) -> bool:
    own = list(runs(words, RUN))
    if not own:
        return " ".join(words) in lines
    return sum(run in present for run in own) >= MIN_SHARE * len(own)
