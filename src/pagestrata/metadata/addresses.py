"""Addresses: made absolute, and reduced to what distinguishes one page from another."""

from urllib.parse import urlsplit

from pagestrata.metadata.clean import MAX_ADDRESS_LENGTH
from pagestrata.page.page import Page
from pagestrata.page.text import without_controls


def absolute(page: Page, link: str) -> str | None:
    """Make a link absolute; None if it does not lead to the web."""
    link = link.strip()
    if not 0 < len(link) <= MAX_ADDRESS_LENGTH:
        return None
    if not link.startswith(("https://", "http://")):
        link = page.resolve(link)
    link = without_controls(link).replace(" ", "%20")
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    return link if parts.scheme in ("http", "https") and parts.netloc else None


def address_key(link: str) -> str:
    """The part of an address that distinguishes pages: without `www.`, query, fragment and final slash.

    >>> address_key("https://www.tidewater.example/mud/?utm_source=feed#top")
    'tidewater.example/mud'
    """
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/")


def is_home(link: str) -> bool:
    """Whether an address is the home page of a site, which lists many authors and dates and has none of its own.

    >>> is_home("https://tidewater.example/"), is_home("https://tidewater.example/mud"), is_home("")
    (True, False, False)
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return bool(parts.netloc) and parts.path in ("", "/") and not parts.query
