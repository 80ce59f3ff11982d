"""A page as it was received: bytes or text, and where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagestrata.page.text import clean_line

if TYPE_CHECKING:
    from pagestrata.page.drawn import Snapshot


@dataclass(frozen=True, slots=True)
class RawPage:
    """The result of an input: the markup and its origin. Nothing has been decoded or parsed yet."""

    markup: bytes | str
    url: str | None = None
    """The address of the page; relative links are resolved against it."""
    content_type: str | None = None
    """The HTTP `Content-Type`, whose charset outranks a `<meta>`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Other response headers, names in lower case."""
    source: str | None = None
    """The name of this page in messages when it has no URL: a file name, a record number."""
    time: str | None = None
    """When it was fetched, ISO 8601."""
    snapshot: "Snapshot | None" = None
    """The page as a browser drew it, which is then read instead of the markup."""

    def __post_init__(self) -> None:
        """Clean the values that will be written out again: they are as untrusted as the page."""
        object.__setattr__(self, "url", clean_line(self.url))
        object.__setattr__(self, "source", clean_line(self.source))

    def __repr__(self) -> str:
        unit = "characters" if isinstance(self.markup, str) else "bytes"
        return f"<RawPage {self.name}: {len(self.markup):,} {unit}>"

    @property
    def data(self) -> bytes:
        """The markup as bytes; text is encoded as UTF-8."""
        return self.markup.encode("utf-8", "replace") if isinstance(self.markup, str) else self.markup

    @property
    def name(self) -> str:
        """The name of this page in messages."""
        return self.source or self.url or "<page>"
