"""Sites with several pages each: SITE/PAGE.html beside PAGE.txt, its main text, and PAGE.json, its metadata.

`pages.tsv`, if present, lists the usable pages. `PAGE.comments.txt` has the comments of readers, `_multi/` has
listings, `feed_short.xml` is a feed with 40 words per entry; `feed.xml` is never read, as it often contains the truth.

In some sets the truth includes the title. It is removed from the main text and stored separately.
"""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.errors import InputError, raising
from pagestrata.evaluate.datasets.truth import DataSet, MainText, SitePages, TruePage
from pagestrata.evaluate.title_lines import without_titles

TITLE_FIRST: Final = frozenset({"big9", "cleanportaleval"})
"""Sets whose truth begins with a line that is the title, which they provide nowhere else."""
LISTINGS: Final = "_multi"
SHORT_FEED: Final = "feed_short.xml"


class PageFile(msgspec.Struct, frozen=True):
    """The fields of PAGE.json that we read."""

    url: str | None = None
    title: str | None = None
    page_type: str = ""
    segments: list[tuple[str, str]] = []
    """Label and text of every piece of the page (l3s-gn1)."""


def read_site_set(folder: Path) -> DataSet:
    """All sites of a folder, in the order of their names."""
    usable = _usable(folder / "pages.tsv")
    sites = [_site(place, usable, folder.name in TITLE_FIRST) for place in sorted(folder.iterdir()) if place.is_dir()]
    with_pages = tuple(site for site in sites if site.pages or site.listings)
    if not with_pages:
        raise InputError(f"there are no sites in {folder}: SITE/PAGE.html beside SITE/PAGE.txt")
    return DataSet(folder.name, with_pages)


def _usable(table: Path) -> frozenset[tuple[str, str]] | None:
    """The pages that the set's table calls usable, as site and page; None if it has no table."""
    if not table.is_file():
        return None
    heading, *rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    site, page, usable = (heading.index(name) for name in ("site", "page", "usable"))
    return frozenset((row[site], row[page]) for row in rows if row[usable] == "1")


def _site(folder: Path, usable: frozenset[tuple[str, str]] | None, title_first: bool) -> SitePages:
    names = [path.stem for path in sorted(folder.glob("*.html")) if path.with_suffix(".txt").is_file()]
    wanted = [name for name in names if usable is None or (folder.name, name) in usable]
    feed = folder / SHORT_FEED
    return SitePages(
        folder.name,
        tuple(_page(folder, name, title_first) for name in wanted),
        tuple(_listings(folder)),
        feed if feed.is_file() else None,
    )


def _page(folder: Path, name: str, title_first: bool) -> TruePage:
    metadata = read_page_file(folder / f"{name}.json")
    text = _text(folder / f"{name}.txt")
    titles = tuple(piece for label, piece in metadata.segments if label == "headline")
    if title_first:
        text = _without_address(html.unescape(text))
        titles = (text.strip().partition("\n")[0],)
    elif metadata.title:
        titles = (metadata.title,)
    comments = folder / f"{name}.comments.txt"
    truth = MainText(
        without_titles(text, titles), titles or None, _text(comments) if comments.is_file() else "", metadata.page_type
    )
    return TruePage(folder.name, name, folder / f"{name}.html", truth, metadata.url or None)


def _listings(folder: Path) -> Iterator[TruePage]:
    for path in sorted((folder / LISTINGS).glob("*.html")):
        truth = MainText(None, page_type=read_page_file(path.with_suffix(".json")).page_type or "multiple")
        yield TruePage(folder.name, f"{LISTINGS}/{path.stem}", path, truth)


def _without_address(text: str) -> str:
    """Remove a first line that is only the URL of the page (cleanportaleval)."""
    first, _, remainder = text.partition("\n")
    return remainder if first.startswith("URL:") else text


def read_page_file(path: Path) -> PageFile:
    """The fields of PAGE.json; their defaults if a page has no such file."""
    if not path.is_file():
        return PageFile()
    with raising(InputError, f"cannot read {path}", msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=PageFile)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
