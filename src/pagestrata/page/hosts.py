"""Hosts of addresses, and of the page itself."""

import re
from collections import Counter
from functools import lru_cache

from pagestrata.page.page import Page

_HOST = re.compile(r"\s*(?:https?:)?//([^/?#:]+)", re.IGNORECASE)


def own_host(page: Page, hosts: list[str]) -> str:
    """Return the host of the page: that of its address, or else the one that most links lead to."""
    address_host = host_in(page.url or "")
    if address_host:
        return address_host
    counts = Counter(filter(None, hosts))
    return min(counts, key=lambda host: (-counts[host], host), default="")


def host_in(address: str) -> str:
    """Return the host of an absolute address without `www.`, or an empty string for any other address.

    >>> host_in("https://www.tidewater.example/mud"), host_in("/mud"), host_in("mailto:a@b.example")
    ('tidewater.example', '', '')
    """
    slashes = address.find("//")
    if slashes < 0:
        return ""
    end = address.find("/", slashes + 2)
    return _host_of_origin(address if end < 0 else address[:end])


@lru_cache(maxsize=1024)
def _host_of_origin(origin: str) -> str:
    """Return the host in the beginning of an address, up to its path: most links of a page share it."""
    match = _HOST.match(origin)
    return match[1].lower().removeprefix("www.") if match else ""
