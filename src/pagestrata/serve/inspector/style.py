"""Style sheets of a page that load nothing: those in the page and in its folder, with all addresses removed.

The frame that shows a page forbids all loading anyway; this is the second line of defence, and avoids log messages.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from pagestrata.page.page import Page
from pagestrata.page.raw import RawPage

MAX_BYTES: Final = 2_000_000
"""The size of all style sheets of a page; a browser takes seconds for more."""
WINDOW_HEIGHT: Final = 800
"""The value of `100vh` in pixels, because the frame is as tall as the page."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LOADING = re.compile(r"(?i)(?:-webkit-)?(?:url|src|image|image-set|cross-fade|element|paint|expression)\(")
_PICTURE = re.compile(r"(?i)url\(\s*([\"']?)data:image/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=]{1,200000}\1\s*\)")
_AT_IMPORT = re.compile(r"(?i)@(?:import|namespace|charset)\b")
_BEHAVIOUR = re.compile(r"(?i)(?:behavior|-moz-binding)\s*:")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_HEIGHT = re.compile(r"(?i)(?<![\w#-])(\d*\.?\d+)[sld]?vh\b")
_FLOATING = re.compile(r"(?i)\bposition\s*:\s*(?:fixed|-webkit-sticky|sticky)")


def styles_of(raw: RawPage, page: Page) -> str:
    """All style sheets of a page joined, without anything that loads or runs."""
    sheets = [*_linked_sheets(raw, page), *_embedded_sheets(raw, page)]
    return "\n".join(neutral_css(sheet) for sheet in _limited(sheets, MAX_BYTES))


def neutral_css(css: str) -> str:
    r"""Remove everything that loads or runs, and positions relative to the window, from a style sheet.

    >>> neutral_css("a{color:red;background:url(//x.example/p.png)}")
    'a{color:red;background:nothing(//x.example/p.png)}'
    >>> neutral_css("@import '//x.example/a.css';b{width:50%}"), neutral_css("i{background:u\\72l(//x.example)}")
    ("@nothing '//x.example/a.css';b{width:50%}", '')
    """
    css = _COMMENT.sub("", css)
    pictures: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        pictures.append(match[0])
        return f"\0{len(pictures) - 1}\0"

    css = _PICTURE.sub(put_aside, css.replace("\0", ""))
    css = _BEHAVIOUR.sub("nothing:", _AT_IMPORT.sub("@nothing", _LOADING.sub("nothing(", css)))
    plain = _ESCAPE.sub(_unescaped, css)
    if _LOADING.search(plain) or _AT_IMPORT.search(plain) or _BEHAVIOUR.search(plain):
        return ""  # it hides what it loads behind escapes
    css = _HEIGHT.sub(lambda match: f"{float(match[1]) * WINDOW_HEIGHT / 100:g}px", css)
    css = _FLOATING.sub("position:relative", css).replace("<", "\\3c ")
    return re.sub("\0(\\d+)\0", lambda match: pictures[int(match[1])], css)


def _unescaped(escape: re.Match[str]) -> str:
    code = int(escape[1], 16) if escape[1] else 0
    return chr(code) if 0 < code < 0x110000 else escape[2] or ""


def _limited(sheets: list[str], max_length: int) -> Iterator[str]:
    for sheet in sheets:
        max_length -= len(sheet)
        if max_length < 0:
            return
        yield sheet


def _embedded_sheets(raw: RawPage, page: Page) -> Iterator[str]:
    """The contents of all `<style>` elements: raw text that ends at the next end tag."""
    text = _text_of(raw, page)
    lower = text.lower()
    tag = lower.find("<style")
    while tag >= 0:
        start, end = lower.find(">", tag) + 1, lower.find("</style", tag)
        if start == 0 or end < 0:
            return
        if "print" not in lower[tag:start]:
            yield text[start:end]
        tag = lower.find("<style", end)


def _text_of(raw: RawPage, page: Page) -> str:
    if isinstance(raw.markup, str):
        return raw.markup
    try:
        return bytes(raw.markup).decode(page.encoding.name, "replace")
    except LookupError:
        return bytes(raw.markup).decode("utf-8", "replace")


def _linked_sheets(raw: RawPage, page: Page) -> Iterator[str]:
    """The linked style sheets that were saved with the page, in its folder or below."""
    links = set(page.nodes_tagged("link").tolist())
    relations = dict(page.values_of("rel"))
    for node, target in page.values_of("href"):
        if node in links and "stylesheet" in relations.get(node, "").lower():
            data = read_beside(raw.source, target)
            if data is not None:
                yield data.decode("utf-8", "replace")


def read_beside(source: str | None, target: str, max_bytes: int = MAX_BYTES) -> bytes | None:
    """Read the file that a link in a saved page refers to, if it is in the folder of the page or below."""
    try:
        parts = urlsplit(target)
        if not source or source == "-" or parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        folder = Path(source).parent.resolve()
        path = (folder / unquote(parts.path)).resolve()
        if not path.is_relative_to(folder) or not path.is_file() or path.stat().st_size > max_bytes:
            return None
        return path.read_bytes()
    except (OSError, ValueError):  # not a valid path; only the appearance suffers
        return None
