"""The regions of a listing that are known: its excerpts of articles whose text is in the truth of the same site."""

from collections.abc import Iterable
from itertools import compress
from typing import Final

from pagestrata.evaluate.alignment import Words, occurs_in

MIN_WORDS: Final = 20
"""Words of an article on a listing from which they are a region: fewer may be its title or the line of a menu."""
MIN_REGIONS: Final = 2
"""A page of several regions has at least two."""


def listing_regions(words: Words, articles: Iterable[str]) -> list[str]:
    """Return the words of the page that occur in each of the articles, where there are enough; else nothing."""
    shares = (list(compress(words.lowered, occurs_in(words.lowered, article))) for article in articles)
    regions = [" ".join(share) for share in shares if len(share) >= MIN_WORDS]
    return regions if len(regions) >= MIN_REGIONS else []
