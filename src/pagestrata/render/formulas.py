r"""Formulas that a page leaves to scripts: TeX in its text between `\(` and `\)`, `\[` and `\]`, or double dollars.

MathJax and KaTeX look for these by themselves. They ignore single dollars unless configured otherwise, and so do we
unless an element holds nothing else: these are money more often. What may be written between dollars again is decided
here too, for readers without maths take TeX for Markdown, and readers with maths may follow the links in it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pagestrata.page import tags
from pagestrata.page.page import Page

_DELIMITER = re.compile(r"\\[()\[\]]|\$\$")
_CLOSED_BY: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_SCRIPTS = re.compile("(?i)mathjax|katex")
_IN_DOLLARS = re.compile(r"\$[^$]*[^\s$][^$]*\$")
_SPAN: Final = tags.TAG["span"]
# What would begin a tag, an image, the target of a link, or a reference; TeX does not mind a blank in them.
_PARTED = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)|\](?=[(\[])|&(?=#)")
_LINK_TARGET = re.compile(r"\\href\s*\{[^{}]*\}")
# Code, definitions and attributes to Markdown; then what KaTeX and MathJax make links, images and styles of.
_LIVE = re.compile(
    r"`|~~~|\]\s?:|(?i:(?<![a-z])(?:on[a-z]{3,}|style|href|src|action|formaction)\s*=)"
    r"|\\(?:href|url|includegraphics|html[A-Za-z]+|class|cssId|style|require|csname)(?![A-Za-z])"
)


class Piece(NamedTuple):
    """A part of a text."""

    gap: str
    """The blank before it, if there is one."""
    text: str
    delimiter: str = ""
    """Its opening delimiter, if it is a formula."""

    @property
    def is_display(self) -> bool:
        """Whether it is a display formula, on lines of its own."""
        return self.delimiter in ("\\[", "$$")


def single_dollars(page: Page, node: int) -> str:
    r"""The TeX of a text in single dollars that has a `<span>` to itself, as Documenter.jl leaves it; else empty."""
    text, around = page.text_of(node), int(page.nodes.parent[node])
    is_alone = page.nodes.tag[around] == _SPAN and page.nodes.end[around] == node + 1 == around + 2
    return text[1:-1].strip() if is_alone and _IN_DOLLARS.fullmatch(text) else ""


def leaves_formulas(page: Page) -> bool:
    """Whether the page has a delimiter of formulas in its text and names one of the scripts anywhere in its markup."""
    has_delimiter = _DELIMITER.search(page.text) is not None or "<span>$" in page.markup
    return has_delimiter and _SCRIPTS.search(page.markup) is not None


def pieces(text: str) -> Iterator[Piece]:
    r"""Part a text into formulas and what stands between them.

    >>> [tuple(piece) for piece in pieces(r"where \(x\), and \(y")]
    [('', 'where', ''), (' ', 'x', '\\('), ('', ', and \\(y', '')]
    """
    place = 0
    for start, end, delimiter in _formulas(text):
        yield from _plain(text, place, start)
        inside = text[start + len(delimiter) : end - len(delimiter)].strip()
        yield Piece(_gap(text, start), inside, delimiter)
        place = end
    yield from _plain(text, place, len(text))


def safe_tex(text: str) -> str | None:
    r"""TeX as it may stand between dollars, or None if only code can hold it.

    The target of `\href` is left out, and signs are parted that would be a tag or a link together.

    >>> safe_tex(r"\href{javascript:a}{x} <y"), safe_tex("E[x](y)"), safe_tex(r"\url{a}")
    ('{x} < y', 'E[x] (y)', None)
    """
    safe = _PARTED.sub(r"\g<0> ", _LINK_TARGET.sub("", text))
    return None if _LIVE.search(safe) else safe


def _formulas(text: str) -> Iterator[tuple[int, int, str]]:
    """Where formulas begin and end, and their delimiters. A delimiter that opens a second time begins anew."""
    opened: re.Match[str] | None = None
    for delimiter in _DELIMITER.finditer(text):
        if opened is not None and delimiter[0] == _CLOSED_BY[opened[0]]:
            if text[opened.end() : delimiter.start()].strip():
                yield opened.start(), delimiter.end(), opened[0]
            opened = None
        elif delimiter[0] in _CLOSED_BY:
            opened = delimiter


def _plain(text: str, start: int, end: int) -> Iterator[Piece]:
    between = text[start:end]
    if between.strip():
        yield Piece(" " if between[0].isspace() else "", between.strip())


def _gap(text: str, start: int) -> str:
    return " " if start and text[start - 1].isspace() else ""
