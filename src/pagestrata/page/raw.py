"""A page as it came: bytes or text, and what was said about it on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagestrata.page.drawn import Snapshot


@dataclass(frozen=True, slots=True)
class RawPage:
    """What an input gives: the markup and where it is from. Nothing has been decoded or parsed yet."""

    markup: bytes | str
    url: str | None = None
    """Where the page was found; relative links are resolved against it."""
    content_type: str | None = None
    """The HTTP `Content-Type`, whose charset outranks a `<meta>`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Other response headers, names in lower case."""
    source: str | None = None
    """What to call this page in messages when it has no URL: a file name, a record number."""
    time: str | None = None
    """When it was fetched, ISO 8601."""
    snapshot: "Snapshot | None" = None
    """The page as a browser drew it, which is then read in place of the markup."""

    @property
    def name(self) -> str:
        """What to call this page in messages."""
        return self.source or self.url or "<page>"
