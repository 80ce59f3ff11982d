"""A line of runs → Markdown: styles, code, links, images, formulas, references.

Styles that Markdown could not read back are left out, the words kept: a marker counts as one only with the right
characters around it (https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Final, NamedTuple
from unicodedata import category

from pagestrata.render.formulas import safe_tex
from pagestrata.render.md_blocks import EMPHASIS, STRIKE, STRONG, STYLES, Line, Link, Run
from pagestrata.render.md_escape import (
    IMAGE_IN_LINK,
    NO_IMAGE_IN_LINK,
    escape,
    escape_target,
    escape_title,
    has_address,
)

HARD_BREAK: Final = "\\\n"
CELL_BREAK: Final = "<br>"
"""The one tag that we write: Markdown has no other way to end a line in a cell."""

_MARKERS: Final = {STRONG: "**", EMPHASIS: "*", STRIKE: "~~"}
_ATTEMPTS: Final = 8
"""Leaving out one style may spoil another next to it; after this many rounds all are left out."""
_BACKTICKS = re.compile(r"`+")
_HALF_REFERENCE = re.compile(r"&#(?![0-9]|[xX][0-9A-Fa-f])")
"""After one of these in a line of code, Python-Markdown no longer knows where code is."""
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(slots=True)
class _Span:
    """A run, or a link of several, as it is written but for its styles."""

    gap: str
    text: str
    styles: int
    link: Link | None = None


class _Around(NamedTuple):
    """What a line has that decides on escapes in all of its pieces."""

    dollars: bool
    """Two dollars, or one and a formula."""
    near_address: bool
    """An address."""
    braces: bool
    """An equals sign, so that braces may be read as attributes."""
    brackets: bool
    """Code that could end a link, which marked looks for in code, too: no bracket may begin one."""


def inline(line: Line, line_break: str = HARD_BREAK) -> str:
    """Write one line; line feeds in it become `line_break`."""
    if len(line) == 1 and line[0].is_plain:
        text = line[0].text
        return escape(text, " ", " ", dollars=text.count("$") > 1)
    has_code = has_link = False
    for run in line:
        has_code |= run.kind == "code"
        has_link |= run.link is not None
    spans = _spans(list(_with_joined_code(line)) if has_code else line)
    return _styled(list(_with_links(spans, line_break)) if has_link else spans, line_break)


# ---------------------------------------------------------------------------------------------------- run by run


def _with_joined_code(line: Line) -> Iterator[Run]:
    """Join the runs of code that are one piece on the page, or touch."""
    place = 0
    while place < len(line):
        end = place + 1
        while end < len(line) and _is_one_code(line[end - 1], line[end]):
            end += 1
        pieces = (f"{run.gap}{run.text}" for run in line[place + 1 : end])
        yield replace(line[place], text="".join((line[place].text, *pieces))) if end > place + 1 else line[place]
        place = end


def _is_one_code(last: Run, run: Run) -> bool:
    if last.kind != "code" or run.kind != "code" or last.link is not run.link or run.gap == "\n":
        return False
    return last.code == run.code or not run.gap


def _spans(runs: Sequence[Run]) -> list[_Span]:
    """Each run as it is written but for its styles."""
    text_of_line = "".join([run.gap + run.text for run in runs])
    has_link_end = "](" in text_of_line and any(run.kind == "code" and "](" in run.text for run in runs)
    around = _Around(_has_dollars(runs), has_address(text_of_line), "=" in text_of_line, has_link_end)
    spans: list[_Span] = []
    last: Run | None = None
    for run, following in zip_longest(runs, runs[1:]):
        before = after = ""
        if not run.styles and run.link is None:  # else a marker may stand between it and the blank
            before = " " if last is None or run.gap else ""
            after = " " if following is None or following.gap else ""
        # Readers may end an address behind the backticks that touch it, and then read the code as Markdown.
        is_in_address = around.near_address and last is not None and not run.gap
        text = _of_run(_without_code(run, is_in_address), before, after, around)
        if last is not None and not run.gap:
            if _makes_link(last, run):
                text = "\\" + text
            elif run.link is not None and f"{last.text[-1:]}{text[:2]}" == IMAGE_IN_LINK:
                text = NO_IMAGE_IN_LINK[1:] + text[2:]
        spans.append(_Span(run.gap if last is not None else "", text, run.styles, run.link))
        last = run
    return spans


def _without_code(run: Run, is_in_address: bool) -> Run:
    """The run as text, if it would be written between backticks that some reader does not see."""
    if run.kind not in ("code", "formula") or not (is_in_address or _HALF_REFERENCE.search(run.text)):
        return run
    is_code = run.kind == "code" or formula(run.text).startswith("`")
    return replace(run, kind="text") if is_code else run


def _makes_link(last: Run, run: Run) -> bool:
    """Whether a reference and the text that touches it would be read as a link or the beginning of a note."""
    return last.kind == "reference" and run.kind == "text" and run.text[0] in "([:"


def _has_dollars(runs: Sequence[Run]) -> bool:
    """Whether a dollar in the text could find another one, and be taken for a formula with it."""
    count, has_formula = 0, False
    for run in runs:
        count += run.text.count("$")
        has_formula |= run.kind == "formula"
        for link in (run.link, run.source):
            if link is not None:
                count += link.target.count("$")
    return count > 1 or (count > 0 and has_formula)


def _of_run(run: Run, before: str, after: str, around: _Around) -> str:
    match run.kind:
        case "text":
            in_link = run.link is not None or around.brackets
            return escape(run.text, before, after, in_link, around.dollars, around.near_address, around.braces)
        case "code":
            return code(run.text)
        case "formula":
            return formula(run.text)
        case "reference":
            return f"[^{run.text}]"
        case "image":
            assert run.source is not None  # noqa: S101 - an image without one is not made a run
            is_linked = run.link is not None  # in a link marked takes "\\](" for the end of the alternative text
            alt = escape(run.text, "", "", True, around.dollars, around.near_address or is_linked, around.braces)
            return f"![{alt}]{_destination(run.source)}"


def code(text: str) -> str:
    """Code in a line, between a number of backticks that does not stand in it.

    >>> code("a`b"), code("`")
    ('``a`b``', '`` ` ``')
    """
    inside = {len(run) for run in _BACKTICKS.findall(text)}
    fence = "`" * next(length for length in range(1, len(inside) + 2) if length not in inside)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def formula(text: str) -> str:
    """A formula in a line; one that has dollars itself, or could come alive, is shown as code."""
    text = " ".join(text.split())
    safe = safe_tex(text)
    if safe is None or "$" in safe:
        return code(text)
    return f"${safe} $" if safe.endswith("\\") else f"${safe}$"


# ---------------------------------------------------------------------------------------------------------- links


def _with_links(spans: Sequence[_Span], line_break: str) -> Iterator[_Span]:
    """Make one span of each link. Styles that go on beyond it are left to what is around, the others go inside."""
    place = 0
    last: _Span | None = None
    for link, group in groupby(spans, key=lambda span: span.link):
        members = list(group)
        place += len(members)
        if link is None:
            if last is not None:
                yield last
            yield from members[:-1]
            last = members[-1]
            continue
        following = spans[place].styles if place < len(spans) else 0
        linked = _linked(members, link, (last.styles if last else 0) | following, line_break)
        if last is not None:
            if not linked.gap and last.text.endswith("!"):  # "![" would be an image
                last = replace(last, text=last.text[:-1] + "\\!")
            yield last
        last = linked
    if last is not None:
        yield last


def _linked(members: list[_Span], link: Link, around: int, line_break: str) -> _Span:
    outside = around
    for member in members:
        outside &= member.styles
    for member in members:
        member.styles &= ~outside
    gap, members[0].gap = members[0].gap, ""
    return _Span(gap, f"[{_styled(members, line_break)}]{_destination(link)}", outside)


def _destination(link: Link) -> str:
    title = f" {escape_title(link.title)}" if link.title else ""
    return f"({escape_target(link.target)}{title})"


# --------------------------------------------------------------------------------------------------------- styles


@dataclass(slots=True)
class _Marker:
    """Where a style begins or ends."""

    style: int
    opens: bool
    span: int
    """The first span with the style."""
    text: str = ""


_Piece = str | _Marker


def _styled(spans: list[_Span], line_break: str) -> str:
    """Write the spans with as many of their styles as can be read back."""
    for _ in range(_ATTEMPTS):
        used = 0
        for span in spans:
            used |= span.styles
        if not used:
            break
        simple = _simply_styled(spans, line_break)
        if simple is not None:
            return simple
        pieces = list(_with_markers(spans, used, line_break))
        broken = list(_broken(pieces))
        if not broken:
            return "".join(map(_spelled, pieces))
        _leave_out(spans, broken)
    return "".join([line_break + span.text if span.gap == "\n" else span.gap + span.text for span in spans])


def _simply_styled(spans: Sequence[_Span], line_break: str) -> str | None:
    """Write spans of at most one style each that touch no other style; None if this is not such a line."""
    pieces: list[str] = []
    last_style, last_char = 0, " "
    for span in spans:
        gap, text, style = _gap(span, line_break), span.text, span.styles
        marker = _MARKERS.get(style, "")
        if style and (not marker or style == last_style):
            return None
        following = gap or text
        if last_style and ((style and not gap) or not _flanks(following[0], last_char, pieces[-1])):
            return None
        outside = gap[-1] if gap else last_char
        if style and not _flanks(outside, text[0], marker):
            return None
        pieces += (gap, marker, text, marker)
        last_style, last_char = style, text[-1]
    if last_style and not _flanks(" ", last_char, pieces[-1]):
        return None
    return "".join(pieces)


def _gap(span: _Span, line_break: str) -> str:
    return line_break if span.gap == "\n" else span.gap


def _with_markers(spans: Sequence[_Span], used: int, line_break: str) -> Iterator[_Piece]:
    """Open and close the styles in use so that they nest, the longest outside."""
    ends = _ends(spans, used)
    opened: list[_Marker] = []
    kept = 0
    for place, span in enumerate(spans):
        if kept & ~span.styles:
            keep = next(i for i, marker in enumerate(opened) if not span.styles & marker.style)
            yield from _closing(opened, keep)
            kept = sum(marker.style for marker in opened)
        if gap := _gap(span, line_break):
            yield gap
        if span.styles & ~kept:
            new = [style for style in ends if span.styles & style & ~kept]
            for style in sorted(new, key=lambda style: -ends[style][place]):
                opened.append(_Marker(style, True, place, _MARKERS[style]))
                yield opened[-1]
            kept = span.styles
        yield span.text
    yield from _closing(opened, 0)


def _closing(opened: list[_Marker], keep: int) -> Iterator[_Piece]:
    while len(opened) > keep:
        marker = opened.pop()
        yield _Marker(marker.style, False, marker.span, marker.text)


def _ends(spans: Sequence[_Span], used: int) -> dict[int, list[int]]:
    """For each style in use and each span: where the run of spans with this style ends."""
    ends = {style: [0] * len(spans) for style in STYLES if style & used}
    for style, column in ends.items():
        end = len(spans)
        for place in range(len(spans) - 1, -1, -1):
            if not spans[place].styles & style:
                end = place
            column[place] = end
    return ends


def _broken(pieces: list[_Piece]) -> Iterator[_Marker]:
    """Choose the spelling of each marker, and return the opening halves of those that readers would not accept."""
    opened: dict[int, int] = {}
    for place, piece in enumerate(pieces):
        if not isinstance(piece, _Marker):
            continue
        if piece.opens:
            opened[piece.style] = place
            continue
        start = opened.pop(piece.style)
        opening = pieces[start]
        assert isinstance(opening, _Marker)  # noqa: S101 - put in two lines above
        if piece.style == EMPHASIS and _needs_other_marker(pieces, start, place):
            opening.text = piece.text = "_"
        if not (_can_open(pieces, start) and _can_close(pieces, place)):
            yield opening


def _needs_other_marker(pieces: list[_Piece], start: int, end: int) -> bool:
    """Whether the stars of emphasis would run together with those of strong; around the same words that is well."""
    if _is_strong(pieces, start - 1) and _is_strong(pieces, end + 1):
        return False
    return any(_is_strong(pieces, place) for place in (start - 1, start + 1, end - 1, end + 1))


def _is_strong(pieces: list[_Piece], place: int) -> bool:
    if not 0 <= place < len(pieces):
        return False
    piece = pieces[place]
    return isinstance(piece, _Marker) and piece.style == STRONG


def _can_open(pieces: list[_Piece], place: int) -> bool:
    return _flanks(_char_beside(pieces, place, -1), _char_beside(pieces, place, 1), pieces[place])


def _can_close(pieces: list[_Piece], place: int) -> bool:
    return _flanks(_char_beside(pieces, place, 1), _char_beside(pieces, place, -1), pieces[place])


def _char_beside(pieces: list[_Piece], place: int, side: int) -> str:
    """The character before or behind the run of stars that a marker is part of; blanks are around the line."""
    own = _spelled(pieces[place])[0]
    place += side
    while 0 <= place < len(pieces) and own == "*" and _spelled(pieces[place]).strip("*") == "":
        place += side
    if not 0 <= place < len(pieces):
        return " "
    return _spelled(pieces[place])[0 if side > 0 else -1]


def _spelled(piece: _Piece) -> str:
    return piece.text if isinstance(piece, _Marker) else piece


def _flanks(outside: str, inside: str, marker: _Piece) -> bool:
    """Whether a marker between these two characters is read as one.

    Readers differ on symbols such as "€" and on invisible characters: a marker must be right for all of them.
    """
    parted = outside.isspace() or _is_punctuation(outside)
    if _spelled(marker) == "_" and not parted:
        return False
    return not inside.isspace() and (parted or category(inside)[0] in "LMN")


def _is_punctuation(char: str) -> bool:
    return char in _ASCII_PUNCTUATION or category(char)[0] == "P"


def _leave_out(spans: list[_Span], broken: Sequence[_Marker]) -> None:
    """Take the innermost style away where it is broken; the others may be well without it."""
    style = max(marker.style for marker in broken)
    for marker in broken:
        if marker.style != style:
            continue
        place = marker.span
        while place < len(spans) and spans[place].styles & marker.style:
            spans[place].styles &= ~marker.style
            place += 1
