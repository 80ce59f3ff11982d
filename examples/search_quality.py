"""Does weighting by importance rank better than flat text? Each page of a data set is searched for by its title.

    PAGESTRATA_DATA=FOLDER python examples/search_quality.py sitesets

The lines that consist of the page's title are left out of its own text. Prints the mean reciprocal rank (1 if the page
is always first, 1/2 if it is always second) for the whole text of pages, their kept text, and sections by importance.
"""

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from search import SectionRow, add_page, find, open_index

from pagestrata import Extraction, RawPage, extract
from pagestrata.evaluate.datasets import read_dataset
from pagestrata.evaluate.metrics import mean
from pagestrata.evaluate.title_lines import titles_of, without_titles

DEPTH = 50
"""A page that is not among so many results counts as not found."""

Choice = Callable[[SectionRow, bool], SectionRow | None]
"""How a section, kept or not, stands in an index."""
INDEXES: dict[str, Choice] = {
    "whole text, flat": lambda row, kept: row._replace(importance=1.0),
    "kept text, flat": lambda row, kept: row._replace(importance=1.0) if kept else None,
    "all sections, weighted by importance": lambda row, kept: row,
}


@dataclass(frozen=True)
class SearchedPage:
    """A page without its title, and the title that it is searched for with; "" for a listing, which is not."""

    name: str
    query: str
    rows: tuple[tuple[SectionRow, bool], ...]


def searched_page(name: str, extraction: Extraction, titles: Sequence[str], is_listing: bool = False) -> SearchedPage:
    """Return a page as it is searched for."""
    return SearchedPage(name, "" if is_listing else extraction.metadata.title or "", tuple(_rows(extraction, titles)))


def _rows(extraction: Extraction, titles: Sequence[str]) -> Iterator[tuple[SectionRow, bool]]:
    for leaf in extraction.leaves():
        text = without_titles(leaf.text, titles)
        if text.strip():
            yield SectionRow(leaf.role.value, leaf.importance, text), leaf.kept


def reciprocal_ranks(pages: Sequence[SearchedPage], choice: Choice) -> list[float]:
    """Return for each page with a title one divided by its rank, 0 if it is not found."""
    index = open_index(":memory:")
    for page in pages:
        add_page(index, page.name, [row for each in page.rows if (row := choice(*each)) is not None])
    return [_reciprocal_rank(index, page) for page in pages if page.query]


def _reciprocal_rank(index: sqlite3.Connection, page: SearchedPage) -> float:
    found = find(index, page.query, DEPTH)
    return 1 / (found.index(page.name) + 1) if page.name in found else 0.0


def read_pages(name: str) -> Iterator[SearchedPage]:
    """Read the pages of a data set."""
    for site in read_dataset(name).sites:
        for page in (*site.pages, *site.listings):
            extraction = extract(RawPage(page.read(), url=page.url))  # addresses of a data set may be relative
            titles = titles_of(extraction.page, getattr(page.truth, "titles", None))
            yield searched_page(f"{site.name}/{page.name}", extraction, titles, page in site.listings)


def report(pages: Sequence[SearchedPage]) -> Iterator[str]:
    """Return a line for each index: its mean reciprocal rank, and what it gains over the first, with 95 % intervals."""
    ranks = {label: reciprocal_ranks(pages, choice) for label, choice in INDEXES.items()}
    first = next(iter(ranks.values()))
    for label, own in ranks.items():
        gains = [rank - other for rank, other in zip(own, first, strict=True)]
        yield f"{label:<38}{_interval(own)}  gain {_interval(gains)}"


def _interval(values: Sequence[float]) -> str:
    figure = mean(values)
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]" if figure else "-"


if __name__ == "__main__":
    print("\n".join(report(list(read_pages(sys.argv[1])))))
