"""Style sheets that load nothing: those in the page and those saved beside it, with every address taken out.

The frame that shows a page forbids all loading anyway; this is the second wall, and keeps its log quiet.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage

MOST_BYTES: Final = 2_000_000
"""Of all style sheets of a page; a browser takes seconds for more."""
WINDOW_HEIGHT: Final = 800
"""What `100vh` means, in pixels: the frame is as tall as the page, so that its own height would mean nothing."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LOADING = re.compile(r"(?i)(?:-webkit-)?(?:url|src|image|image-set|cross-fade|element|paint|expression)\(")
_PICTURE = re.compile(r"(?i)url\(\s*([\"']?)data:image/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=]{1,200000}\1\s*\)")
_AT_IMPORT = re.compile(r"(?i)@(?:import|namespace|charset)\b")
_BEHAVIOUR = re.compile(r"(?i)(?:behavior|-moz-binding)\s*:")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_HEIGHT = re.compile(r"(?i)(?<![\w#-])(\d*\.?\d+)[sld]?vh\b")
_FLOATING = re.compile(r"(?i)\bposition\s*:\s*(?:fixed|-webkit-sticky|sticky)")


def styles_of(raw: RawPage, page: Page) -> str:
    """All style sheets of a page in one, neutral."""
    sheets = [*_beside(raw, page), *_inside(raw, page)]
    return "\n".join(neutral_css(sheet) for sheet in _within(sheets, MOST_BYTES))


def neutral_css(css: str) -> str:
    r"""The same without anything that loads or runs, and without what needs a window of its own.

    >>> neutral_css("a{color:red;background:url(//x.example/p.png)}")
    'a{color:red;background:nothing(//x.example/p.png)}'
    >>> neutral_css("@import '//x.example/a.css';b{width:50%}"), neutral_css("i{background:u\\72l(//x.example)}")
    ("@nothing '//x.example/a.css';b{width:50%}", '')
    """
    css = _COMMENT.sub("", css)
    kept: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    css = _PICTURE.sub(put_aside, css.replace("\0", ""))
    css = _BEHAVIOUR.sub("nothing:", _AT_IMPORT.sub("@nothing", _LOADING.sub("nothing(", css)))
    plain = _ESCAPE.sub(_unescaped, css)
    if _LOADING.search(plain) or _AT_IMPORT.search(plain) or _BEHAVIOUR.search(plain):
        return ""  # spelt so that it is not seen: such a sheet is not worth reading
    css = _HEIGHT.sub(lambda found: f"{float(found[1]) * WINDOW_HEIGHT / 100:g}px", css)
    css = _FLOATING.sub("position:relative", css).replace("<", "\\3c ")
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], css)


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else 0
    return chr(code) if 0 < code < 0x110000 else found[2] or ""


def _within(sheets: list[str], most: int) -> Iterator[str]:
    for sheet in sheets:
        most -= len(sheet)
        if most < 0:
            return
        yield sheet


def _inside(raw: RawPage, page: Page) -> Iterator[str]:
    """What stands in `<style>`: raw text, so that it ends at the next end tag whatever is in it."""
    text = _text_of(raw, page)
    lower = text.lower()
    place = lower.find("<style")
    while place >= 0:
        start, end = lower.find(">", place) + 1, lower.find("</style", place)
        if start == 0 or end < 0:
            return
        if "print" not in lower[place:start]:
            yield text[start:end]
        place = lower.find("<style", end)


def _text_of(raw: RawPage, page: Page) -> str:
    if isinstance(raw.markup, str):
        return raw.markup
    try:
        return bytes(raw.markup).decode(page.encoding.name, "replace")
    except LookupError:
        return bytes(raw.markup).decode("utf-8", "replace")


def _beside(raw: RawPage, page: Page) -> Iterator[str]:
    """Style sheets saved with the page: in its folder or below."""
    links = set(page.nodes_tagged("link").tolist())
    relations = dict(page.values_of("rel"))
    for node, target in page.values_of("href"):
        if node in links and "stylesheet" in relations.get(node, "").lower():
            data = read_beside(raw.source, target)
            if data is not None:
                yield data.decode("utf-8", "replace")


def read_beside(source: str | None, target: str, most: int = MOST_BYTES) -> bytes | None:
    """The file that a saved page means, if it lies in the page's own folder or below it."""
    try:
        parts = urlsplit(target)
        if not source or source == "-" or parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        folder = Path(source).parent.resolve()
        path = (folder / unquote(parts.path)).resolve()
        if not path.is_relative_to(folder) or not path.is_file() or path.stat().st_size > most:
            return None
        return path.read_bytes()
    except (OSError, ValueError):  # not a path that could be: nothing is lost but looks
        return None
