"""Hosts of addresses, and of the page itself."""

import re
from collections import Counter

from pagestrata.page.page import Page

_HOST = re.compile(r"\s*(?:https?:)?//([^/?#:]+)", re.IGNORECASE)


def own_host(page: Page, hosts: list[str]) -> str:
    """The host of the page: by its address, or else the one that most links lead to."""
    known = host_in(page.url or "")
    if known:
        return known
    counts = Counter(filter(None, hosts))
    return min(counts, key=lambda host: (-counts[host], host), default="")


def host_in(address: str) -> str:
    """The host of an absolute address, without `www.`; nothing for any other.

    >>> host_in("https://www.tidewater.example/mud"), host_in("/mud"), host_in("mailto:a@b.example")
    ('tidewater.example', '', '')
    """
    found = _HOST.match(address) if "//" in address else None
    return found[1].lower().removeprefix("www.") if found else ""
