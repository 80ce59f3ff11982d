"""The input of the Markdown writer: blocks with lines of runs.

A run is a piece of text that looks the same all over. Styles are bits of the run, not elements around it, so that
bold over several paragraphs, bold in bold and links around headings need no care later: each line has its own runs.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

STRIKE: Final = 1
STRONG: Final = 2
EMPHASIS: Final = 4
STYLES: Final = (STRIKE, STRONG, EMPHASIS)
"""The styles; of those that end together, the outermost comes first."""


RunKind = Literal["text", "code", "formula", "image", "reference"]
"""The kind of a run; a reference links to a footnote, its text is the label. Literals are faster than an enum."""


@dataclass(slots=True, eq=False)
class Link:
    """The target of a run. Runs with the same object are one link. Not frozen: that triples the time to create one."""

    target: str
    title: str = ""


@dataclass(slots=True)
class Run:
    """A piece of a line."""

    kind: RunKind
    text: str
    gap: str = ""
    """The gap before it: nothing, a blank, or a line feed. Not written at the start of a line."""
    styles: int = 0
    link: Link | None = None
    source: Link | None = None
    """The address and the title of an image."""
    code: int = -1
    """The element that code is from. Runs of one element are written as one piece."""
    is_display: bool = False
    """Whether a formula stands on lines of its own."""

    @property
    def is_plain(self) -> bool:
        """Whether it is text without style and link."""
        return self.kind == "text" and not self.styles and self.link is None


Line = list[Run]
"""The runs of one paragraph, heading or line of a cell."""


@dataclass(slots=True)
class Paragraph:
    """Running text."""

    line: Line
    marked: bool = False
    """Whether the page has a `<p>` for it; then the list around it is loose."""


@dataclass(slots=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    line: Line


@dataclass(slots=True)
class Code:
    """Preformatted text."""

    text: str
    language: str = ""


@dataclass(slots=True)
class Formula:
    """TeX on lines of its own."""

    text: str


@dataclass(slots=True)
class Rule:
    """A horizontal rule."""


@dataclass(slots=True)
class Quote:
    """Quoted blocks."""

    children: list["Block"] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """An item of a list."""

    number: int = 0
    children: list["Block"] = field(default_factory=list)


@dataclass(slots=True)
class List:
    """Items; the numbers of an ordered list follow each other."""

    ordered: bool
    items: list[Item] = field(default_factory=list)
    stray: bool = False
    """Whether the page has items here, but no list around them."""


@dataclass(slots=True)
class Term:
    """A term of a definition list."""

    line: Line


@dataclass(slots=True)
class Description:
    """A definition of the term before it."""

    children: list["Block"] = field(default_factory=list)


@dataclass(slots=True)
class Definitions:
    """Terms, each followed by its descriptions."""

    entries: list[Term | Description] = field(default_factory=list)


@dataclass(slots=True)
class Cell:
    """A cell of a table, as lines."""

    node: int
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A data table: rows of cells, and which of them are header rows."""

    rows: list[list[Cell]] = field(default_factory=list)
    in_head: list[bool] = field(default_factory=list)
    """For each row: whether it is inside `<thead>`."""


@dataclass(slots=True)
class Note:
    """A footnote."""

    label: str
    children: list["Block"] = field(default_factory=list)


Block = Paragraph | Heading | Code | Formula | Rule | Quote | List | Definitions | Table
"""A block of Markdown."""
