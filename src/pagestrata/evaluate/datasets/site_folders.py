"""Sites with several pages each: SITE/PAGE.html beside PAGE.txt, its main text, and PAGE.json, what else is known.

`pages.tsv` says which pages are usable, where there is one. `PAGE.comments.txt` is what readers wrote, `_multi/` has
listings, `feed_short.xml` is a feed cut to 40 words an entry; `feed.xml` is never read: it often has the truth in it.

Whether the title is in the truth differs from set to set. It is taken out wherever it is, and kept beside it.
"""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.errors import InputError
from pagestrata.evaluate.datasets.truth import DataSet, MainText, SitePages, TruePage
from pagestrata.evaluate.title_lines import without_titles

TITLE_FIRST: Final = frozenset({"big9", "cleanportaleval"})
"""Sets whose truth begins with the title, on a line of its own, and that say it nowhere else."""
LISTINGS: Final = "_multi"
SHORT_FEED: Final = "feed_short.xml"


class _Known(msgspec.Struct, frozen=True):
    """PAGE.json, as far as we read it."""

    url: str | None = None
    title: str | None = None
    page_type: str = ""
    segments: list[tuple[str, str]] = []
    """Label and text of every piece of the page (l3s-gn1)."""


def read_site_set(folder: Path) -> DataSet:
    """All sites of a folder, in the order of their names."""
    usable = _usable(folder / "pages.tsv")
    sites = [_site(place, usable, folder.name in TITLE_FIRST) for place in sorted(folder.iterdir()) if place.is_dir()]
    found = tuple(site for site in sites if site.pages or site.listings)
    if not found:
        raise InputError(f"there are no sites in {folder}: SITE/PAGE.html beside SITE/PAGE.txt")
    return DataSet(folder.name, found)


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
    known = _known(folder / f"{name}.json")
    text = _text(folder / f"{name}.txt")
    titles = tuple(piece for label, piece in known.segments if label == "headline")
    if title_first:
        text = _without_address(html.unescape(text))
        titles = (text.strip().partition("\n")[0],)
    elif known.title:
        titles = (known.title,)
    comments = folder / f"{name}.comments.txt"
    truth = MainText(
        without_titles(text, titles), titles or None, _text(comments) if comments.is_file() else "", known.page_type
    )
    return TruePage(folder.name, name, folder / f"{name}.html", truth, known.url or None)


def _listings(folder: Path) -> Iterator[TruePage]:
    for path in sorted((folder / LISTINGS).glob("*.html")):
        truth = MainText(None, page_type=_known(path.with_suffix(".json")).page_type or "multiple")
        yield TruePage(folder.name, f"{LISTINGS}/{path.stem}", path, truth)


def _without_address(text: str) -> str:
    """Drop a first line that only says where the page was found (cleanportaleval)."""
    first, _, rest = text.partition("\n")
    return rest if first.startswith("URL:") else text


def _known(path: Path) -> _Known:
    if not path.is_file():
        return _Known()
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Known)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
