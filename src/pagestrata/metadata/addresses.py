"""Addresses: made absolute, and compared as a reader would, who does not care for `www.` or a last slash."""

from urllib.parse import urlsplit

from pagestrata.metadata.clean import ADDRESS_LENGTH
from pagestrata.page.page import Page
from pagestrata.page.text import without_controls


def absolute(page: Page, link: str) -> str | None:
    """A link made absolute, or None if it does not lead to the web."""
    link = link.strip()
    if not 0 < len(link) <= ADDRESS_LENGTH:
        return None
    if not link.startswith(("https://", "http://")):
        link = page.resolve(link)
    link = without_controls(link).replace(" ", "%20")
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    return link if parts.scheme in ("http", "https") and parts.netloc else None


def comparable(link: str) -> str:
    """What of an address tells one page from another.

    >>> comparable("https://www.tidewater.example/mud/?utm_source=feed#top")
    'tidewater.example/mud'
    """
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/")


def is_home(link: str) -> bool:
    """Whether an address is that of a whole site: what it shows has many authors and dates, and none of its own.

    >>> is_home("https://tidewater.example/"), is_home("https://tidewater.example/mud"), is_home("")
    (True, False, False)
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return bool(parts.netloc) and parts.path in ("", "/") and not parts.query
