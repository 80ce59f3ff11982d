"""Elements that are drawn so that nobody can read them: of no size, transparent, off the screen, clipped away.

The scan knows `display: none`, `visibility: hidden` and `hidden`. These are the other ways in which a page hides text
from its visitors but not from its readers: inline styles, and classes that the common style sheets define that way.
What a style sheet of the page does is known only as far as `style_rules` reads it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.native import kernel
from pagestrata.native.keywords import BUCKETS, window_bucket
from pagestrata.page import tags
from pagestrata.page.colours import CLEAR, WHITE, Colour, are_near, colour_of
from pagestrata.page.nodes import Bools
from pagestrata.page.page import Page
from pagestrata.page.style_rules import HidingRules
from pagestrata.page.unusual_styles import declarations_of, has_no_size, hides_by_class, hides_by_style, is_drawn

_kernel = kernel("keywords")

_END: Final = r"\s*(?:!|;|$)"
_NOTHING: Final = r"[+-]?(?:0+\.?0*|\.0+)(?:px|pt|em|rem|ex|ch|vw|vh|%)?"
_TINY: Final = rf"(?:{_NOTHING}|[+]?0*(?:1|\.\d+)px)"
# Styles are in lower case. Each pattern begins with letters that it can search for fast; what must not stand before
# them is said behind them.
_NO_SIZE = re.compile(
    rf"font(?<![\w-]font)(?:-size\s*:\s*(?:{_TINY}|0*\.0\d*r?em){_END}|\s*:(?:[^;]{{0,99}}\s)?{_TINY}(?:\s*/|\s+\S))"
)
_SIZE = re.compile(r"font(?<![\w-]font)(?:-size)?\s*:")
_SEE_THROUGH = re.compile(rf"opacity(?<![\w-]opacity)\s*:\s*(?:{_NOTHING}|0?\.0\d*){_END}")
_FAR_AWAY = re.compile(r":\s*-(?:(?:\d{4,}|999)(?:\.\d+)?(?:px|pt)|\d{3,}(?:\.\d+)?(?:em|rem|vw|vh))")
_OFF_SCREEN = re.compile(
    rf"(?<![\w-])(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*{_FAR_AWAY.pattern}"
)
_MOVED = re.compile(
    r"transform(?<![\w-]transform)\s*:[^;]{0,300}?(?:scale(?:3d)?\(\s*0\s*[,)]|translate(?:x|y|3d)?\(\s*-\d{4})"
)
_CLIPPED = re.compile(
    r"clip(?<![\w-]clip)(?:\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]"
    r"|-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0\D{0,3}0\D{0,4}0))"
)
_NO_ROOM = re.compile(rf"(?<![\w-])(?:max-)?(?:width|height)\s*:\s*{_TINY}{_END}")
_CUT_OFF_OVERFLOW = re.compile(r"overflow(?<![\w-]overflow)(?:-[xy])?\s*:\s*(?:hidden|clip)")
_COLOUR = re.compile(r"(?i)(?<![\w-])(color|-webkit-text-fill-color|background(?:-color)?)\s*:\s*([^;!]+)")
_SHEETS = re.compile(r"(?i)<style|stylesheet")
"""In the markup of a page with a style sheet, which may colour what is behind any text."""
NEAR: Final = 16
"""The difference of a part of a colour (of 255) up to which a text cannot be told from its background."""

MIN_ANIMATED: Final = 5
"""The number of transparent elements from which all parts of a page are assumed to be animated."""
MIN_WORDS: Final = 6
"""The number of words from which a text is more than a label ("Original price was: $39.95.")."""
CLASSES: Final = frozenset(
    (
        "sr-only visually-hidden visuallyhidden visually-hidden-text screen-reader-text screen-reader-only "
        "screenreader-only screen-reader screenreader u-visually-hidden u-hidden-visually is-visually-hidden "
        "element-invisible offscreen off-screen hidden-visually assistive-text a11y-hidden sr-text hidden-text"
    ).split()
)
"""Classes of Bootstrap, Tailwind, WordPress, Drupal, Foundation, Salesforce and GOV.UK for text that is only spoken."""

_PUBLISHED, _UPDATED = "published", "updated"
"""Classes of the microformat hAtom that WordPress themes give to the two dates of a post."""

_CUT_OFF, _TRANSPARENT, _SIZELESS, _SIZED = 1, 2, 4, 8  # kinds of styles, as bits
MAX_CACHED: Final = 200
"""The most characters of a style whose kind is cached."""
_CUTS, _COLOURS, _BACKGROUNDS, _SPOKEN, _ODD_SPELLING = 1, 2, 8, 16, 32  # marks of values; the kernel has 4 for links
_FAR: Final = (
    *(f"{end}:-{digit}" for end in "tpm" for digit in range(1, 10)),
    "t: -",
    "p: -",
    "m: -",
    "999p",
    "000p",
    "999e",
)
"""Of `left: -9999px` and the like; few, as every window also marks some other values."""
_WINDOWS: Final = {
    _CUTS: ("acit", "nt-s", "ont:", "ont ", "clip", "low:", "low ", "ow-x", "ow-y", "cale", "slat", *_FAR),
    _COLOURS: ("olor",),
    _BACKGROUNDS: ("ckgr", "nspa", "rgba"),
    _ODD_SPELLING: ("llap", "nt-v"),
    _SPOKEN: ("sr-o", "sr-t", "uall", "n-re", "nrea", "nvis", "ffsc", "f-sc", "ssis", "11y-", "en-t"),
}
"""Four letters of every style and class that matters, so that few values are read."""

_ODD = re.compile(r"/\*|[\\\t\n\f\r]|collapse|content-visibility")
_UNDRAWN: Final = frozenset(
    (
        "rp defs symbol metadata mask clippath pattern marker filter lineargradient radialgradient mphantom progress "
        "meter"
    ).split()
)
"""Elements of ruby, drawings and formulas, and bars, of which browsers draw no text where they stand."""
_PRESENTATION: Final = {
    "bgcolor": "background-color",
    "fill-opacity": "opacity",
    **{name: name for name in "display visibility opacity font-size".split()},
}
"""Attributes, of tables and of drawings, that say what styles say, and the names of the styles."""
_MOVES = re.compile(r"(?i)transform|transition|animation|will-change")
_WAITS = re.compile(
    r"(?i)accord|collaps|expand|toggl|tab(?:s|bed|-?panel|-?content|[_-]|\b)|panel|faq|answer|spoiler|(?:^|[^a-z])less"
    r"|(?:read|see|view)[_-]?more|show|fade|slide|swiper|carousel|anim|reveal|motion|lazy|(?:^|[\s_-])(?:aos|wow|more)\b"
)
"""Words of classes and attributes for text that opens when its label is clicked, or moves in when it is reached."""
_NAMING_ATTRIBUTES = frozenset(("class", "role", "data-testid"))
_WAITING_ATTRIBUTES = frozenset("data-w-id data-aos data-animation data-animate data-scroll data-sr".split())


def concealed(page: Page, rules: HidingRules, strict: bool) -> Bools | None:
    """Return which nodes nobody can read, or None if there are none.

    Unless `strict`, they do not include text that seems to open or to move in, as visitors get to see it, and short
    labels of what is seen instead of them: pictures, or prices that are struck through.
    """
    marked = _marked_values(page)
    styles = [(node, _style_kind(value, strict)) for mark, node, value in marked if mark & _CUTS]
    elements = [node for node, kind in styles if kind & _CUT_OFF]
    if strict:
        paper = None if _SHEETS.search(page.markup) else WHITE
        elements += _coloured_as_behind(page, _stated_styles(page), NEAR, paper)
    elif any(mark & _BACKGROUNDS for mark, _, _ in marked):
        elements += _coloured_as_behind(page, _with_mark(marked, _COLOURS | _BACKGROUNDS))
    spoken = _with_mark(marked, _SPOKEN)
    elements += [node for node, value in spoken if not CLASSES.isdisjoint(value.lower().split())]
    elements += _named(page, rules)
    elements += page.nodes_with("popover").tolist()
    elements += _hidden_unusually(page) if strict else _hidden_in_odd_spelling(_with_mark(marked, _ODD_SPELLING))
    transparent = [node for node, kind in styles if kind & _TRANSPARENT]
    if not strict:
        elements = _longer_than_labels(page, elements)
        transparent = (
            [] if _is_animated(page, transparent) else [node for node in transparent if not _moves_in(page, node)]
        )
    elements += _second_dates(page)
    is_sizeless = _without_size(page, styles, strict)
    if not elements and not transparent:
        return is_sizeless
    is_concealed = page.nodes.inside(elements + transparent)
    return is_concealed if is_sizeless is None else is_concealed | is_sizeless


def _marked_values(page: Page) -> list[tuple[int, int, str]]:
    """Return the marks, the element and the value of the styles and classes that may matter."""
    names, _, starts, ends = page.attributes
    marks = np.zeros(len(names), np.uint8)
    _kernel.mark_values(page.markup, names, starts, ends, _WANTED, _NO_WORDS, _WINDOW_MARKS, marks)
    places = marks.nonzero()[0]
    values = zip(marks[places].tolist(), page.values_at(places), strict=True)
    return [(mark, node, value) for mark, (node, value) in values]


def _with_mark(marked: list[tuple[int, int, str]], wanted: int) -> list[tuple[int, str]]:
    return [(node, value) for mark, node, value in marked if mark & wanted]


def _longer_than_labels(page: Page, elements: list[int]) -> list[int]:
    """Return the elements with more text than a label; the words of a subtree are the difference of two sums."""
    if not elements:
        return []
    sums, ends = page.nodes.words.cumsum().data, page.nodes.end.data
    return [node for node in elements if sums[ends[node] - 1] - sums[node] >= MIN_WORDS]


def _second_dates(page: Page) -> list[int]:
    """Return the dates of a change right behind a date of publication, which the sheets of WordPress themes hide."""
    nodes, times = page.nodes, page.nodes_tagged("time").tolist()
    neighbours = [
        (first, second)
        for first, second in pairwise(times)
        if nodes.parent[first] == nodes.parent[second]
        and not page.text[nodes.text_end[first] : nodes.text_start[second]].strip()
        and _is_bare(page.text_of(second))
    ]
    classes = {time: (page.attribute(time, "class") or "").split() for pair in neighbours for time in pair}
    return [
        second
        for first, second in neighbours
        if _PUBLISHED in classes[first] and _UPDATED in classes[second] and _PUBLISHED not in classes[second]
    ]


def _is_bare(text: str) -> bool:
    """Return whether a date stands without words or brackets around it, for readers who are to see both dates.

    >>> _is_bare("3 May 2024"), _is_bare("(changed 3 May 2024)"), _is_bare("Updated: 3 May 2024")
    (True, False, False)
    """
    return text[:1].isalnum() and ":" not in text and _UPDATED not in text.lower()


IN_SHEETS = re.compile(
    r"(?i)(?<![\w-])(?:display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)|scale\s*:\s*0\s*[;}]"
    r"|color\s*:\s*transparent)|"
    + "|".join(pattern.pattern for pattern in (_NO_SIZE, _SEE_THROUGH, _OFF_SCREEN, _MOVED, _CLIPPED))
)
"""The declarations by which a style sheet hides."""


def opens(page: Page, node: int) -> bool:
    """Return whether classes or attributes say that an element opens or moves in, for which scripts are needed."""
    for name, value in page.attributes_of(node):
        if name in _WAITING_ATTRIBUTES or (name in _NAMING_ATTRIBUTES and _WAITS.search(value)):
            return True
    parent = int(page.nodes.parent[node])
    return parent >= 0 and _WAITS.search(page.attribute(parent, "class") or "") is not None


def _moves_in(page: Page, node: int) -> bool:
    return _MOVES.search(page.attribute(node, "style") or "") is not None or opens(page, node)


def _is_animated(page: Page, transparent: list[int]) -> bool:
    """Return whether the parts of a page move in: many are transparent, or Webflow made it."""
    if len(transparent) >= MIN_ANIMATED:
        return True
    return bool(transparent) and any(name.startswith("data-wf-") for name, _ in page.attributes_of(0))


def _style_kind(style: str, strict: bool) -> int:
    """Return the kind of a style; the same few short ones occur again and again, on all pages of a site."""
    return (_kind if len(style) <= MAX_CACHED else _kind.__wrapped__)(style, strict)


@lru_cache(maxsize=4096)
def _kind(style: str, strict: bool) -> int:
    style, kind = style.lower(), 0
    if (_FAR_AWAY.search(style) and _OFF_SCREEN.search(style)) or _MOVED.search(style) or _CLIPPED.search(style):
        kind |= _CUT_OFF
    if _SEE_THROUGH.search(style) or (_CUT_OFF_OVERFLOW.search(style) and _NO_ROOM.search(style)):
        kind |= _TRANSPARENT
    if _SIZE.search(style):
        kind |= _SIZELESS if _NO_SIZE.search(style) or (strict and has_no_size(style)) else _SIZED
    return kind


def _without_size(page: Page, styles: list[tuple[int, int]], strict: bool) -> Bools | None:
    """Return which nodes have no font size, or None if none has; the innermost element that sets it decides.

    Such an element may also be there to remove the room between its children, whose classes restore the size.
    """
    if not any(kind & _SIZELESS for _, kind in styles):
        return None
    sizes = {node: bool(kind & _SIZELESS) for node, kind in styles if kind & (_SIZELESS | _SIZED)}
    ends = page.nodes.end.data
    if not strict:
        in_sizeless = page.nodes.inside(node for node, is_nothing in sizes.items() if is_nothing)
        classed = page.nodes_with("class")
        sizes = dict.fromkeys(classed[in_sizeless[classed]].tolist(), False) | sizes
    is_sizeless = np.zeros(len(page.nodes), np.bool_)
    for node, is_nothing in sorted(sizes.items()):
        is_sizeless[node : ends[node]] = is_nothing
    return is_sizeless


def _hidden_in_odd_spelling(styles: list[tuple[int, str]]) -> list[int]:
    """Return the elements whose style hides, with comments, escapes or line ends in it that only few readers expect."""
    return [node for node, style in styles if _ODD.search(style) and not is_drawn(style)]


def _hidden_unusually(page: Page) -> Iterator[int]:
    """Yield the elements whose style or class hides in a rarer way, and those that are never drawn."""
    yield from (node for node, style in _stated_styles(page) if hides_by_style(style))
    yield from (node for node, classes in page.values_of("class") if hides_by_class(classes))
    yield from (
        node for side in ("width", "height") for node, value in page.values_of(side) if _is_no_room(page, node, value)
    )
    undrawn = [number for number, name in enumerate(page.nodes.names) if name.lower() in _UNDRAWN]
    yield from np.flatnonzero(page.nodes.is_one_of(undrawn)).tolist()


def _is_no_room(page: Page, node: int, size: str) -> bool:
    return size.strip() in ("0", "0px") and page.nodes.tag_name(node) in ("svg", "marquee")


def _named(page: Page, rules: HidingRules) -> Iterator[int]:
    numbers = [number for number, name in enumerate(page.nodes.names) if name.lower() in rules.tags]
    yield from np.flatnonzero(page.nodes.is_one_of(numbers)).tolist() if numbers else ()
    for attribute, sign, names in (("class", ".", rules.classes), ("id", "#", rules.ids)):
        for node, value in page.values_of(attribute) if names else ():
            tag, own = page.nodes.tag_name(node), value.split()
            if not names.isdisjoint((*own, *(f"{tag}{sign}{name}" for name in own))):
                yield node


def _stated_styles(page: Page) -> list[tuple[int, str]]:
    """Return the style of each element that has one, with what its attributes say in the words of styles."""
    stated = [(node, f"color:{_legacy_colour(value)}") for node, value in page.values_of("color")]
    for node in dict.fromkeys(page.nodes_with("#other").tolist()):
        stated += [
            (node, f"{_PRESENTATION[name]}:{_legacy_colour(value) if name == 'bgcolor' else value}")
            for name, value in page.attributes_of(node)
            if name in _PRESENTATION
        ]
    by_node: dict[int, str] = {}
    for node, style in (*stated, *page.values_of("style")):
        by_node[node] = f"{by_node[node]};{style}" if node in by_node else style
    return sorted(by_node.items())


def _legacy_colour(value: str) -> str:
    """Return the colour of a `<font>` or of a table, whose digits need no sign before them."""
    return f"#{value.strip()}" if re.fullmatch(r"\s*[0-9a-fA-F]{6}\s*", value) else value


def _coloured_as_behind(
    page: Page, styles: list[tuple[int, str]], distance: int = 0, paper: Colour | None = None
) -> Iterator[int]:
    """Yield elements whose colour is nearly that of the nearest background, where both are stated in the markup.

    `paper` is the colour of the page itself, if it is known.
    """
    ends = page.nodes.end.data
    behind = [(len(page.nodes), paper)]  # the end of each open element with a background, and that background
    for node, value in styles:
        while behind[-1][0] <= node:
            behind.pop()
        colour, has_background, background = _colours(value) if len(value) <= MAX_CACHED else (None, False, None)
        if has_background:
            behind.append((ends[node], background))
        under = behind[-1][1]
        if colour == CLEAR or (isinstance(colour, tuple) and under and are_near(colour, under, distance)):
            yield node


@lru_cache(maxsize=4096)
def _colours(style: str) -> tuple[Colour | str | None, bool, Colour | None]:
    """Return the colour of a style, whether it has a background that covers, and the colour of that one.

    A transparent colour counts, unless the background is cut to the shape of the letters.
    """
    if "var(" in style:  # one that is set elsewhere may be any colour
        style = ";".join(f"{name}:{value or 'var'}" for name, value in declarations_of(style))
    declared = {name.lower()[:5]: text for name, text in _COLOUR.findall(style)}
    colour = colour_of(declared.get("-webk", declared.get("color", "")))
    if colour == CLEAR and "background-clip" in style:
        colour = None
    background = colour_of(declared["backg"]) if "backg" in declared else CLEAR
    return colour, background != CLEAR, background if isinstance(background, tuple) else None


def _mark_table() -> npt.NDArray[np.uint8]:
    """Return the table of four letters for the kernel, seven bits a letter."""
    table = np.zeros(BUCKETS, np.uint8)
    for mark, windows in _WINDOWS.items():
        for window in windows:
            first, second, third, fourth = window.encode()
            table[window_bucket(((first << 7 | second) << 7 | third) << 7 | fourth)] |= mark
    return table


_NO_WORDS = np.zeros(BUCKETS, np.uint8)
_WINDOW_MARKS = _mark_table()
_WANTED = np.zeros(len(tags.ATTRIBUTES), np.uint8)
_WANTED[tags.ATTRIBUTE["style"]] = _CUTS | _COLOURS | _BACKGROUNDS | _ODD_SPELLING
_WANTED[tags.ATTRIBUTE["class"]] = _SPOKEN
