"""Rarer spellings of styles and classes that hide text, for where nothing hidden may be returned.

They are read with `Options(hidden="never")` only: the common spellings are known everywhere (see `page.concealed`), and
on most pages these ones belong to menus and pictures that move in.
"""

import re
from functools import lru_cache
from typing import Final

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.DOTALL)
_LENGTH = re.compile(r"(?<![\w#.-])([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d)?)([a-z]{1,4})(?![\w(-])")
_UNITS: Final[dict[str, tuple[float, str]]] = {
    **dict.fromkeys(("em", "rem", "ic", "lh", "rlh"), (16.0, "px")),
    **dict.fromkeys(("ex", "ch", "cap"), (8.0, "px")),
    **dict.fromkeys(("vw", "vh", "vmin", "vmax", "dvw", "dvh", "svh", "lvh", "cqw", "cqi"), (10.0, "px")),
    "pt": (4 / 3, "px"),
    "pc": (16.0, "px"),
    "in": (96.0, "px"),
    "cm": (37.8, "px"),
    "mm": (3.78, "px"),
    "turn": (360.0, "deg"),
    "grad": (0.9, "deg"),
    "rad": (57.3, "deg"),
}
"""What a unit is in pixels or degrees, on a screen of 1,000 pixels and in letters of usual size."""
_VARIABLE = re.compile(r"var\((--[\w-]{1,99})(?:,([^()]{0,99}))?\)")
_MATHS: Final = r"(?:calc|min|max|clamp)\([^()]{0,199}(?<![\d.])0(?:px|%)?(?![\d.])"
"""A function with a zero among its numbers, as in `calc(1px*0)`; nobody writes one for a length that is seen."""
_ZERO: Final = r"[+-]?(?:0+(?:\.0\d{0,9})?|\.0\d{0,9}|0*\.?\d{1,9}e-\d)(?![\d.])(?:px|%)?"
"""Less than a tenth."""
_TINY: Final = rf"(?:[+-]?(?:[01]|0?\.\d{{1,9}}|1\.\d{{1,9}}|2)(?:px|%)?$|{_ZERO}|{_MATHS})"
"""Two pixels at most."""
_FAR: Final = r"(?:\d{4,9}|999)(?:\.\d{1,9})?px|\d{3,9}(?:\.\d{1,9})?%"
_PLACE: Final = rf"^(?:[a-z]{{3,5}}\([^()]{{0,99}}?)?[+-]?(?:{_FAR})"
_CLEAR_STOP: Final = r"(?:transparent|#0{4}|#0{8}|rgba\(0,0,0,0\))(?: [\d.]{1,9}(?:px|%)?){0,2}"
_SHAPE: Final = (
    r"(?:ellipse|circle)\((?:0|1px|\.\d)|rect\(|xywh\([^()]{0,99} 0"
    r"|polygon\(([\d.]+(?:px|%)? [\d.]+(?:px|%)?)(?:,\1)*\)"
    r"|inset\([^()]{0,99}?(?:[5-9]\d|\d{3,9})%"
)
_DRAWING: Final[dict[str, re.Pattern[str]]] = {
    "display": re.compile("^none"),
    "visibility": re.compile("^(?:hidden|collapse)"),
    "content-visibility": re.compile("^hidden"),
}
"""Values of properties with which nothing of an element is drawn."""
_OPACITY: Final = rf"(?:-|{_ZERO}|\d(?:\.\d{{1,9}})?%|{_MATHS})"
_HIDING: Final[dict[str, re.Pattern[str]]] = {
    **_DRAWING,
    "opacity": re.compile(f"^{_OPACITY}"),
    "letter-spacing": re.compile(r"^-(?:[89]|\d\d)"),
    "clip": re.compile(r"^rect\((?:auto[, ]0|[^,() ]{1,9}[, ](?:0|1px)[, )])"),
    **dict.fromkeys(("clip-path", "-webkit-clip-path"), re.compile(_SHAPE)),
    **dict.fromkeys(
        ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image"),
        re.compile(rf"gradient\((?:(?:to [a-z ]{{1,20}}|-?\d{{1,3}}deg),)?{_CLEAR_STOP}(?:,{_CLEAR_STOP})*\)$"),
    ),
    **dict.fromkeys(("left", "right", "top", "bottom", "text-indent"), re.compile(_PLACE)),
    **dict.fromkeys(
        ("margin", "margin-inline", "margin-block", "margin-inline-start", "margin-inline-end", "inset-block-start"),
        re.compile(r"-(?:\d{4,9}|999)(?:\.\d{1,9})?px"),
    ),
    **dict.fromkeys(("inset", "inset-inline", "inset-inline-start", "inset-block"), re.compile(rf"-(?:{_FAR})")),
    "translate": re.compile(_FAR),
    "transform": re.compile(
        rf"scale(?:x|y|3d)?\({_ZERO}[,)]|rotate[xy]\(-?(?:90|270)deg|rotate3d\([^()]{{0,99}},-?(?:90|270)deg"
        rf"|skew[xy]?\(-?90deg|translate(?:x|y|3d)?\([^()]{{0,99}}?(?:{_FAR})"
    ),
    "rotate": re.compile(r"\b[xy] -?(?:90|270)deg|-?(?:90|270)deg [xy]\b"),
    "scale": re.compile(rf"^(?:\S{{1,9}} )?{_ZERO}(?: |$)"),
    "zoom": re.compile(rf"^(?:{_ZERO}|\d%)"),
    "filter": re.compile(rf"opacity\({_OPACITY}\)|blur\(\d{{2}}"),
    **dict.fromkeys(("background", "background-color"), re.compile("^currentcolor")),
    "content": re.compile(r"^url\("),
    "-webkit-text-security": re.compile("^(?!none)"),
}
"""The same, and values that make what is drawn invisible. Each is searched in time linear in the value."""
_SIZES: Final = frozenset(
    f"{most}{side}" for most in ("", "max-") for side in ("width", "height", "block-size", "inline-size")
) | {"line-height"}
_NO_SIZE = re.compile(rf"^(?:{_TINY}|\d(?:\.\d{{1,9}})?%)")
_NO_ROOM = re.compile(f"^{_TINY}")
_CUT_OFF: Final = {
    **dict.fromkeys(("overflow", "overflow-x", "overflow-y"), re.compile("hidden|clip|auto|scroll")),
    "contain": re.compile("paint|strict|content"),
}
_MATRIX = re.compile(r"matrix(3d)?\(([^()]{1,399})\)")
_AROUND_SIGNS = re.compile(r"\s*([:;,()/*])\s*")

HIDING_CLASSES: Final = frozenset(
    (
        "d-none hidden invisible is-hidden uk-hidden u-hidden visibility-hidden is-invisible opacity-0 scale-0 "
        "text-hide text-transparent ng-hide display-none no-display v-hidden hide-for-all js-hidden slds-hide "
        "slds-assistive-text is-sr-only govuk-visually-hidden cdk-visually-hidden fr-sr-only usa-sr-only show-for-sr "
        "elementor-screen-only bp3-visually-hidden pf-u-screen-reader pf-v5-u-screen-reader"
    ).split()
)
"""Classes of Bootstrap, Tailwind, Bulma, UIkit, Angular, Foundation, Salesforce, Elementor and of the design systems of
states for what is not drawn, or so that nobody sees it."""
_NO_ROOM_CLASSES: Final = frozenset("w-0 h-0 max-h-0 max-w-0 size-0".split())
_FAR_CLASS = re.compile(r"-(?:left|right|top|bottom|inset|indent|m[lrt]|translate-[xy])-\[\d{3,9}(?:px|r?em|v[wh])\]")
_CONDITION = re.compile(r"^(?:d-(?:sm|md|lg|xl|xxl|print)-|[\w-]+:)|@")
"""Classes that hold on wide screens only, for one: then what is hidden elsewhere is seen there."""


def hides_by_style(style: str) -> bool:
    r"""Return whether an inline style hides what it is on, however it is spelled.

    >>> hides_by_style("D\\69splay:/**/none"), hides_by_style("scale: 0"), hides_by_style("scale: .95")
    (True, True, False)
    """
    return (_hides if len(style) <= MAX_CACHED else _hides.__wrapped__)(style)


MAX_CACHED: Final = 200
"""Characters of a style that is remembered."""
MIN_AREA: Final = 0.003
"""The share of its area that what a matrix transforms keeps at least, to be seen."""


@lru_cache(maxsize=4096)
def _hides(style: str) -> bool:
    declarations = declarations_of(style)
    has_no_room = any(name in _SIZES and _NO_ROOM.search(value) for name, value in declarations)
    if has_no_room and any(name in _CUT_OFF and _CUT_OFF[name].search(value) for name, value in declarations):
        return True
    return any(_value_hides(name, value) for name, value in declarations)


def _value_hides(name: str, value: str) -> bool:
    if name == "transform" and any(_is_flat(*matrix) for matrix in _MATRIX.findall(value)):
        return True
    return name in _HIDING and _HIDING[name].search(value) is not None


def _is_flat(is_3d: str, numbers: str) -> bool:
    """Return whether a matrix presses what it moves into a line: its determinant is 0.

    >>> _is_flat("", "0,0,0,1,5,5"), _is_flat("", "0.7,0.7,-0.7,0.7,0,0")
    (True, False)
    """
    parts = [
        float(part) if re.fullmatch(r"[+-]?\d{0,9}\.?\d{0,9}", part) and part[-1].isdigit() else 1.0
        for part in numbers.split(",")
    ]
    if len(parts) != (16 if is_3d else 6):
        return False
    a, b, c, d = (parts[0], parts[1], parts[4], parts[5]) if is_3d else parts[:4]
    return abs(a * d - b * c) < MIN_AREA


def has_no_size(style: str) -> bool:
    """Return whether the letters of an element with this style have no size.

    >>> has_no_size("font-size: calc(1px * 0)"), has_no_size("font-size: .9em")
    (True, False)
    """
    return any(name == "font-size" and _NO_SIZE.search(value) for name, value in declarations_of(style))


def is_drawn(style: str) -> bool:
    r"""Return whether an element with this style is drawn at all, even if it is drawn where nobody sees it.

    >>> is_drawn("display\n:\tnone"), is_drawn("left: -9999px")
    (False, True)
    """
    return not any(name in _DRAWING and _DRAWING[name].search(value) for name, value in declarations_of(style))


def declarations_of(style: str) -> list[tuple[str, str]]:
    """Return the names and values of a style in one spelling: lengths in pixels, and variables that it sets replaced.

    >>> declarations_of("--o: 0; Opacity: var(--o); left: -99in !important")
    [('--o', '0'), ('opacity', '0'), ('left', '-9504px')]
    """
    parts = (part.partition(":") for part in _plain(style).split(";"))
    declarations = [(name, value.partition("!")[0].rstrip()) for name, _, value in parts]
    if "var(" in style.lower():
        variables = {name: value for name, value in declarations if name.startswith("--")}
        declarations = [
            (name, _VARIABLE.sub(lambda found: variables.get(found[1], found[2] or ""), value))
            for name, value in declarations
        ]
    return [(name, _LENGTH.sub(_converted, value)) for name, value in declarations]


def _converted(length: re.Match[str]) -> str:
    """Return a length in pixels or an angle in degrees, for the units that are known."""
    factor, unit = _UNITS.get(length[2], (1.0, length[2]))
    number = f"{float(length[1]) * factor:.4f}".rstrip("0").rstrip(".")
    return number + unit


def _plain(style: str) -> str:
    """Return a style in lower case without comments, escapes and needless blanks."""
    style = _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", style.lower()))
    return _AROUND_SIGNS.sub(r"\1", " ".join(style.split()))


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code).lower() if 32 <= code < 0xD800 else ""


def hides_by_class(classes: str) -> bool:
    """Return whether a class hides what it is on, on screens of every size.

    >>> hides_by_class("card d-none"), hides_by_class("d-none d-md-block"), hides_by_class("hidden lg:flex")
    (True, False, False)
    """
    names = classes.lower().split()
    hides = (
        not HIDING_CLASSES.isdisjoint(names)
        or ("overflow-hidden" in names and not _NO_ROOM_CLASSES.isdisjoint(names))
        or any(_FAR_CLASS.fullmatch(name) for name in names)
        or any(name.startswith("text-") and f"bg-{name[5:]}" in names for name in names)
    )
    return hides and not any(_CONDITION.search(name) for name in names)
