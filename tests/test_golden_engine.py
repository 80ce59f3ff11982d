"""Golden pages of the engine: each page marks the text that must be kept and the text that must be left out."""

import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from pagestrata import Extraction, extract
from tests.golden_pages import FOLDER, URL

PAGES: Final = sorted((FOLDER / "engine").glob("*.html"))
TYPES: Final = ("article", "collection", "documentation", "forum", "listing", "odd", "product", "service")

# What the engine gets wrong today: page → why, and how the texts begin that it misjudges ("" stands for any text of
# the page). A page whose texts all come out right must leave this table.
KNOWN_MISSES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "article--comments-below": ("a standfirst above the byline is left out", ("For the first time",)),
    "article--blog-spanish": ("a link to a related post is kept", ("Sopa de ajo para",)),
    "article--captions-and-consent-french": ("a link to another story inside the text is kept", ("Le vannier",)),
    "collection--app-cards-korean": ("the grid of cards is left out", ("",)),
    "collection--price-list-no-names": ("small print at the end of a page without names is kept", ("Page last",)),
    "collection--wine-rows-french": ("prices of wines are left out", ("14 50", "21 00", "32 00", "26 40")),
    "documentation--manual-page-no-names": ("small print at the end of a page without names is kept", ("These pages",)),
    "documentation--wiki-japanese": ("an edit link inside a heading is kept", ("この節を編集する",)),
    "forum--board-thread-signatures": (
        "signatures are kept, and who is online",
        ("Life is", "Tuning by appointment", "Users browsing"),
    ),
    "forum--nested-discussion": ("the rules in the side column are kept", ("Welcome amblers",)),
    "listing--events-table-no-names": ("small print at the end of a page without names is kept", ("Cobbler s Hall",)),
    "listing--directory-of-guides": (
        "an entry of the list is left out, an invitation to sign up is kept",
        ("The Seven Aunts", "Create an account"),
    ),
    "odd--error-page": ("the text of an error page is kept", ("Page not found", "Sorry the page")),
    "product--book-no-names": (
        "books that others bought are kept on a page without names",
        ("A Short History", "Lighthouses", "The Donkey s Account"),
    ),
    "product--used-car-turkish": (
        "the equipment is left out, the warning of fraud is kept",
        ("Elektrikli", "Merkezi", "Kışlık", "Çeki", "Aracı görmeden"),
    ),
    "service--software-landing": ("a form for a newsletter amid the page is kept", ("Subscribe to",)),
}

_MARK: Final = re.compile(r"\sdata-(?:keep|drop)\b")
_MARKED_ELEMENT: Final = re.compile(
    r"<(?P<tag>\w+)\b[^>]*\sdata-(?P<mark>keep|drop)\b[^>]*>(?P<inner>.*?)</(?P=tag)>", re.DOTALL
)
_TAG: Final = re.compile(r"<[^>]*>")


def words(text: str) -> str:
    """The words of a text, one space around each, so that neither spacing nor the bullets of lists matter."""
    return " ".join(["", *re.findall(r"\w+", text), ""])


def marked_texts(source: str, mark: str) -> list[str]:
    """The words of each element with this mark.

    Elements are found in the source, not by a parser, since some pages are broken on purpose.
    """
    elements = [element for element in _MARKED_ELEMENT.finditer(source) if element["mark"] == mark]
    return [words(unescape(_TAG.sub("", element["inner"]))) for element in elements]


def misjudged_texts(source: str, extraction: Extraction) -> list[str]:
    """The texts to keep that are not in the answer exactly once, and the texts to leave out that are in it."""
    answer = words(extraction.text)
    missed = [text for text in marked_texts(source, "keep") if answer.count(text) != 1]
    return [text.strip() for text in (*missed, *(text for text in marked_texts(source, "drop") if text in answer))]


def known_openings(page: Path) -> tuple[str, ...]:
    """How the texts of a page begin that are known to be misjudged."""
    return KNOWN_MISSES[page.stem][1] if page.stem in KNOWN_MISSES else ()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_marked_text_is_kept_or_left_out(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    extraction = extract(source, url=URL)
    assert [] == [text for text in misjudged_texts(source, extraction) if not text.startswith(known_openings(page))]
    assert extraction.text or extraction.reason


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(FOLDER / "engine" / f"{name}.html", id=name, marks=pytest.mark.xfail(strict=True, reason=why))
        for name, (why, _) in KNOWN_MISSES.items()
    ],
)
def test_known_misses(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    misjudged = misjudged_texts(source, extract(source, url=URL))
    assert [] == [text for text in misjudged if text.startswith(known_openings(page))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_marks_are_well_formed_and_the_engine_does_not_read_them(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    elements = list(_MARKED_ELEMENT.finditer(source))
    assert len(elements) == len(_MARK.findall(source)), "a mark inside a marked element, or an element without its end"
    assert not [element[0] for element in elements if f"<{element['tag']}" in element["inner"]]
    assert extract(source, url=URL).text == extract(_MARK.sub("", source), url=URL).text


def test_there_are_five_pages_of_each_type() -> None:
    assert dict.fromkeys(TYPES, 5) == Counter(page.stem.partition("--")[0] for page in PAGES)
