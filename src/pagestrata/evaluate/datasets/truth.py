"""What a data set says of its pages: one kind of truth for text, one for blocks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MainText:
    """What a good answer says."""

    main: str | None
    """Without its titles. None where only the type of the page is known, as of a listing."""
    titles: tuple[str, ...] | None = None
    """Lines that are the title: an answer may have them or not. None where the set does not tell them, so that they are
    looked for on the page."""
    comments: str = ""
    """What readers wrote below; empty if they did not, or if nobody looked."""
    page_type: str = ""
    """`article`, `article_comments`, `multiple`, or a name of the set; empty where nobody looked."""
    wanted: tuple[str, ...] = ()
    """Pieces of text that a good answer has."""
    unwanted: tuple[str, ...] = ()
    """Pieces of text that it has not."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block that a person drew around a part of the page."""

    xpath: str
    """In the tree that lxml makes of the page."""
    levels: frozenset[int]
    """1 for the large parts of a page, 2 for those inside of them."""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class MarkedBlocks:
    """How a page is cut."""

    blocks: tuple[MarkedBlock, ...]


@dataclass(frozen=True, slots=True)
class TruePage:
    """A page and its truth."""

    site: str
    name: str
    path: Path
    truth: MainText | MarkedBlocks
    url: str | None = None
    reader: Callable[[Path], bytes] = field(default=Path.read_bytes, repr=False, compare=False)

    def read(self) -> bytes:
        """The page as it is given to a method."""
        return self.reader(self.path)


@dataclass(frozen=True, slots=True)
class SitePages:
    """Pages that share a template."""

    name: str
    pages: tuple[TruePage, ...]
    listings: tuple[TruePage, ...] = ()
    """Pages of which only the type is known; never learned from."""
    feed: Path | None = None
    """What may be given to a method: the short one, since the long one has the truth in it."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Sites; a page without siblings is a site of its own."""

    name: str
    sites: tuple[SitePages, ...]
