"""Link targets that may be written: absolute, of a harmless scheme, and unable to end what they stand in.

Every format that writes a target checks it here, so that no spelling of `javascript:` gets through.
"""

import re
from typing import Final
from urllib.parse import quote, urlsplit

from pagestrata.page.page import Page

SCHEMES: Final = ("http", "https", "mailto", "tel")
WEB_SCHEMES: Final = ("http", "https")

_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(?=[/?#]|$)", re.ASCII)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Browsers cut control characters and blanks off the ends of a link, and drop tabs and line feeds anywhere in it:
# "java\nscript:" is "javascript:". The other controls mean nothing in a link, so all of them go.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
# What could end a destination or an attribute, a table cell, a code span or a formula, or is not seen by a reader.
_UNSAFE = re.compile(r"""[\s"'()<>\\^`{|}]""")
# Most links are like this: no step of `safe_link` changes them, whatever the address of the page. Semicolons, empty
# queries and empty fragments are left to `urljoin`, which may drop them.
_SIMPLE = re.compile(
    r"https?://[A-Za-z0-9.-]+(?:/[\w.~!$&*+,=:@%/-]*)?(?:\?[\w.~!$&*+,=:@%/?-]+)?(?:#[\w.~!$&*+,=:@%/?-]+)?", re.ASCII
)

# The same for links that begin at the root, without steps that `urljoin` would take out.
_ROOTED = re.compile(
    r"(?:/[\w~!$&*+,=:@%-][\w.~!$&*+,=:@%-]*)+/?(?:\?[\w.~!$&*+,=:@%/?-]+)?(?:#[\w.~!$&*+,=:@%/?-]+)?", re.ASCII
)


def safe_link(page: Page, raw_link: str | None, schemes: tuple[str, ...] = SCHEMES) -> str | None:
    """The absolute target of a link, or None when nothing should be written: another scheme, broken, or empty.

    A page of unknown address that states none keeps its relative links, since they name no scheme at all; only those
    that lead to a place on the page itself are refused, for that place is not in what we write.
    """
    if raw_link is None:
        return None
    if _SIMPLE.fullmatch(raw_link):
        return raw_link
    if _ROOTED.fullmatch(raw_link) and (origin := page.once(_origin)):
        return origin + raw_link
    link = _CONTROLS.sub("", raw_link).strip()
    if not link or link == "#":
        return None
    resolved = page.resolve(link)
    if not _is_allowed(resolved, schemes):
        return None
    return _quoted(resolved)


def _origin(page: Page) -> str:
    """Scheme and host of what links are resolved against, if nothing in them has to be changed."""
    match = _ORIGIN.match(page.base_url or "")
    return match[0] if match else ""


def _is_allowed(link: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:  # "http://[" and the like
        return False
    match = _SCHEME.match(link)
    if match is None:
        # Without a scheme, a colon in the first step of the path would be read as the end of one by somebody.
        return bool(parts.netloc or parts.path or parts.query) and ":" not in parts.path.partition("/")[0]
    scheme = match[1].lower()
    if scheme not in schemes:
        return False
    return bool(parts.netloc if scheme in WEB_SCHEMES else parts.path)


def _quoted(link: str) -> str:
    """Percent-encode what is unsafe; what is encoded already stays as it is."""
    if link.isascii() and _UNSAFE.search(link) is None:
        return link
    if not link.isprintable():
        link = "".join(char if char.isprintable() else quote(char, safe="", errors="replace") for char in link)
    return _UNSAFE.sub(lambda char: quote(char[0], safe="", errors="replace"), link)
