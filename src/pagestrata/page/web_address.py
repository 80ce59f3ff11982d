"""What may be the address of a page: one on the web, with a host.

Links are resolved against it, its host chooses the model of a site, and it is written out as a link. A person who gives
another one is refused (`inputs.sources.check_url`). A page that came with another one is read without it, and there is
a warning.
"""

import re
from typing import Final
from urllib.parse import urlsplit

WEB_ADDRESS: Final = (
    r"^\s*[Hh][Tt][Tt][Pp][Ss]?://(?:[^\s/?#@\\]*@)?"
    r"(?:\[[0-9A-Fa-f:.]+\]|[^\x00-\x20\x7f/?#@:\[\]\\<>^|]+)(?::[0-9]*)?(?:[/?#]|\s*$)"
)
"""How the address of a page begins, as a pattern of JSON Schema too; see `is_web_address` for the rest of it."""
_PATTERN: Final = re.compile(WEB_ADDRESS)
_MAX_SHOWN: Final = 200


def is_web_address(address: str) -> bool:
    """Whether an address is one of a page on the web, with a host that can be read.

    >>> is_web_address("https://example.org/tea"), is_web_address("http://[::1]:8000/")
    (True, True)
    >>> [is_web_address(address) for address in ("javascript://x", "https://[::1", "http:///path", "example.org/tea")]
    [False, False, False, False]
    """
    if not _PATTERN.match(address):
        return False
    try:
        _ = urlsplit(address.strip()).port
    except ValueError:  # no such port, or an IPv6 address with too many parts
        return False
    return True


def address_problem(address: str | None) -> str:
    """Return what is wrong with the address of a page, for people; empty if nothing is, or if there is none.

    >>> address_problem("javascript://x")
    "'javascript://x' is not the URL of a page, which begins like https://example.org/"
    """
    if not address or is_web_address(address):
        return ""
    return f"{address[:_MAX_SHOWN]!r} is not the URL of a page, which begins like https://example.org/"
