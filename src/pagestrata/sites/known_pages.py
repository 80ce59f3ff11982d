"""The pages that a site model has learned from, as numbers, so that none is counted twice."""

from collections.abc import Iterable, Sequence
from typing import Final

from pagestrata.landmarks import landmarks_of
from pagestrata.page.page import Page
from pagestrata.page.tag_paths import text_hash

MAX_KNOWN: Final = 2_000
"""The limit on pages that a model remembers, the newest."""


def page_number(page: Page) -> int:
    """Return a hash of the title and the words in the main container: what stands around may change from day to day."""
    text = page.text_of(landmarks_of(page).core) if len(page.nodes) else ""
    return text_hash(" ".join(f"{page.title}\n{text}".split())) >> 12


def with_known(known: Sequence[int], pages: Iterable[Page]) -> tuple[int, ...]:
    """Return the numbers with those of further pages, without repetitions, oldest first."""
    return tuple(dict.fromkeys((*known, *map(page_number, pages))))[-MAX_KNOWN:]
