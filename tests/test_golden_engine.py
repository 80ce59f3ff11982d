"""Golden pages for the engine: each page marks the text that must be kept and the text that must be left out."""

import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from pagestrata import extract
from tests.golden_pages import FOLDER

PAGES = sorted((FOLDER / "engine").glob("*.html"))
TYPES = ("article", "collection", "documentation", "forum", "listing", "odd", "product", "service")
URL = "https://example.org/section/page.html"

# Pages that the engine reads wrongly today, with what is wrong. A page that comes out right must leave this table.
KNOWN_MISSES: dict[str, str] = {}

_MARK = re.compile(r"\sdata-(?:keep|drop)\b")
_MARKED_ELEMENT = re.compile(r"<(?P<tag>\w+)\b[^>]*?\sdata-(?P<mark>keep|drop)\b[^>]*>(?P<inner>.*?)</(?P=tag)>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def words(text: str) -> str:
    """The words of a text with one space around each, so that neither spacing nor the marks of lists matter."""
    return " ".join(["", *re.findall(r"\w+", text), ""])


def marked_texts(source: str, mark: str) -> list[str]:
    """The words of each element with this mark.

    Elements are found in the source, not by a parser, since some pages are broken on purpose.
    """
    elements = [element for element in _MARKED_ELEMENT.finditer(source) if element["mark"] == mark]
    return [words(unescape(_TAG.sub("", element["inner"]))) for element in elements]


def cases() -> list[object]:
    """Every page; one that is a known miss is expected to fail."""
    return [
        pytest.param(page, id=page.stem, marks=pytest.mark.xfail(strict=True, reason=KNOWN_MISSES[page.stem]))
        if page.stem in KNOWN_MISSES
        else pytest.param(page, id=page.stem)
        for page in PAGES
    ]


@pytest.mark.pure
@pytest.mark.parametrize("page", cases())
def test_marked_text_is_kept_or_left_out(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    extraction = extract(source, url=URL)
    text = words(extraction.text)
    wanted, unwanted = marked_texts(source, "keep"), marked_texts(source, "drop")
    assert {kept: 1 for kept in wanted} == {kept: text.count(kept) for kept in wanted}
    assert [] == [dropped for dropped in unwanted if dropped in text]
    assert wanted or extraction.reason, "a page without content has a reason"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_marks_can_be_read_and_the_engine_does_not_read_them(page: Path) -> None:
    source = page.read_text(encoding="utf-8")
    elements = list(_MARKED_ELEMENT.finditer(source))
    assert len(elements) == len(_MARK.findall(source)), "a mark is inside a marked element, or its element has no end"
    assert not [element[0] for element in elements if f"<{element['tag']}" in element["inner"]]
    assert extract(source, url=URL).text == extract(_MARK.sub("", source), url=URL).text


def test_there_are_five_pages_of_each_type() -> None:
    assert dict.fromkeys(TYPES, 5) == Counter(page.stem.partition("--")[0] for page in PAGES)
