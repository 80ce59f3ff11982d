"""Rarer spellings of styles and classes that hide text, for where nothing hidden may be returned.

They are read with `Options(hidden="never")` only: the common spellings are known everywhere (see `page.concealed`), and
on most pages these ones belong to menus and pictures that move in.
"""

import re
from functools import lru_cache
from typing import Final

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.DOTALL)
_ZERO: Final = r"[+-]?(?:0+(?:\.0+\d?)?|\.0+\d?)(?![\d.])(?:%|[a-z]*)"
_FAR: Final = r"(?:-?(?:\d{4,}|999)(?:\.\d+)?(?:px|pt)|-?\d{3,}(?:\.\d+)?(?:em|rem|ch|vw|vh|%))"
_CLEAR: Final = (
    r"(?:transparent|#[0-9a-f]{3}0(?![0-9a-f])|#[0-9a-f]{6}00(?![0-9a-f])"
    r"|(?:rgb|hsl)a?\((?:[^,/)]*,){3}\s*0*(?:\.0+)?%?\s*\)|[a-z]+\([^)]*/\s*0*(?:\.0+)?%?\s*\))"
)
_NOT_DRAWN: Final = r"(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden)"
_HIDES = re.compile(
    "|".join(
        rf"(?<![\w-]){declaration}"
        for declaration in (
            _NOT_DRAWN,
            r"(?:-webkit-)?clip-path:\s*(?:ellipse\(0|circle\(0|rect\(|xywh\([^)]* 0|polygon\((?:\s*0\w* 0\w*\s*,?)+\)"
            r"|inset\([^)]*(?:[5-9]\d|\d{3,})%)",
            rf"(?:left|right|top|bottom|text-indent):(?:calc\()?{_FAR}",
            rf"(?:inset|margin)(?:-[a-z-]+)?:[^;]*-{_FAR}",
            rf"translate:[^;]*-?{_FAR}",
            rf"transform:[^;]*(?:scale(?:x|y|3d)?\({_ZERO}\s*[,)]|matrix\(0,|rotate[xy]\(-?90deg|translate(?:x|y|3d)?"
            rf"\([^)]*?{_FAR})",
            rf"(?:scale|zoom):{_ZERO}",
            rf"filter:[^;]*opacity\({_ZERO}\)",
            rf"-webkit-text-fill-color:{_CLEAR}",
        )
    )
)
_CLEAR_COLOUR = re.compile(rf"(?<![\w-])color:{_CLEAR}")
_AROUND_SIGNS = re.compile(r"\s*([:;,()/])\s*")

HIDING_CLASSES: Final = frozenset("d-none hidden invisible is-hidden uk-hidden u-hidden visibility-hidden".split())
"""Classes of Bootstrap, Tailwind, Bulma and UIkit for what is not drawn."""
_CONDITION = re.compile(r"^(?:d-(?:sm|md|lg|xl|xxl|print)-|[\w-]+:)|@")
"""Classes that hold on wide screens only, for one: then what is hidden elsewhere is seen there."""


def hides_by_style(style: str) -> bool:
    r"""Return whether an inline style hides what it is on, however it is spelled.

    >>> hides_by_style("D\\69splay:/**/none"), hides_by_style("scale: 0"), hides_by_style("scale: .95")
    (True, True, False)
    """
    return _short_style_hides(style) if len(style) <= MAX_CACHED else _hides(style)


MAX_CACHED: Final = 200
"""Characters of a style that is remembered."""


@lru_cache(maxsize=4096)
def _short_style_hides(style: str) -> bool:
    return _hides(style)


def _hides(style: str) -> bool:
    style = _plain(style)
    is_clear = "background-clip" not in style and _CLEAR_COLOUR.search(style) is not None
    return is_clear or _HIDES.search(style) is not None


def is_drawn(style: str) -> bool:
    r"""Return whether an element with this style is drawn at all, be it where nobody sees it.

    >>> is_drawn("display\n:\tnone"), is_drawn("left: -9999px")
    (False, True)
    """
    return re.search(rf"(?<![\w-]){_NOT_DRAWN}", _plain(style)) is None


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
    return not HIDING_CLASSES.isdisjoint(names) and not any(_CONDITION.search(name) for name in names)
