"""The truth of a data set: its main texts, or its marked blocks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MainText:
    """The text that a good answer has."""

    main: str | None
    """The main text without its titles. None if the truth has only the type of the page, as for a listing."""
    titles: tuple[str, ...] | None = None
    """Lines that are the title: an answer may have them or not. None where the data set has no titles, so that they are
    searched for on the page."""
    comments: str = ""
    """The comments of readers; empty if there are none, or if they are unknown."""
    page_type: str = ""
    """`article`, `article_comments`, `multiple`, or a name of the data set; empty if it is unknown."""
    wanted: tuple[str, ...] = ()
    """Pieces of text that a good answer contains."""
    unwanted: tuple[str, ...] = ()
    """Pieces of text that it does not contain."""
    optional: str = ""
    """Text that an answer may have or not."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block that a person marked on the page."""

    xpath: str
    """An XPath in the tree that lxml builds of the page."""
    levels: frozenset[int]
    """1 for the large parts of a page, 2 for those inside of them."""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class MarkedBlocks:
    """The blocks that people marked on a page."""

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
        """The page as the input of a method."""
        return self.reader(self.path)


@dataclass(frozen=True, slots=True)
class SitePages:
    """Pages that share a template."""

    name: str
    pages: tuple[TruePage, ...]
    listings: tuple[TruePage, ...] = ()
    """Pages with a type but no main text; they are never learned from."""
    feed: Path | None = None
    """The short feed, which methods may use; the long one contains the truth."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """The sites of a data set; a page without siblings is a site of its own."""

    name: str
    sites: tuple[SitePages, ...]
