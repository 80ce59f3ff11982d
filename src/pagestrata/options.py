"""The options of an extraction, with all defaults."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict, get_args

from pagestrata.errors import UsageError, suggestion

Comments = Literal["off", "on", "only"]
Scope = Literal["auto", "strict", "generous"]
Hidden = Literal["auto", "never"]
SELECTORS = ("keep", "drop")
"""The options that are tuples of selectors."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is read and what is returned. Frozen; the same bytes with the same options give the same result."""

    # What is returned
    comments: Comments = "off"
    """Comments of readers: left out (`off`), kept (`on`), or nothing else is kept (`only`)."""
    tables: bool = True
    """Whether data tables are written."""
    images: bool = True
    """Whether images are written."""
    links: bool = True
    """Whether the targets of links are written; their text always is."""
    formatting: bool = True
    """Whether bold, italic, code and so on are written."""
    title_in_text: bool = False
    """Whether plain text begins with the title."""
    title_in_markdown: bool = True
    """Whether Markdown, HTML and XML begin with the title as a heading."""
    metadata: bool = False
    """Whether Markdown begins with a YAML block of metadata, and HTML and XML contain the metadata."""

    bylines: bool = True
    """Whether Markdown has the author and the time before each post of a thread."""
    chunk_words: int = 300
    """The most words of a chunk. 300 are about 400 tokens, which embedding models accept."""

    # What is kept
    scope: Scope = "auto"
    """`strict` keeps only the body of an article, `generous` also what belongs to it; `auto` is strict on articles."""
    bias: float = 0.0
    """From -1 (keep only what is surely content) to 1 (keep all that may be content)."""
    keep: tuple[str, ...] = ()
    """CSS or XPath selectors of elements to keep, whatever their score."""
    drop: tuple[str, ...] = ()
    """CSS or XPath selectors of elements to leave out; `drop` takes precedence over `keep`."""
    hidden: Hidden = "auto"
    """Text that is hidden until scripts run: `auto` returns it where it is the content, `never` leaves it out."""

    # Limits; each is named in the result when it is hit
    max_bytes: int = 20_000_000
    """The size of the decompressed page; the rest is cut off."""
    tags_base: int = 10_000
    tags_per_kilobyte: int = 48
    """A page is cut after `tags_base` + its kilobytes × this number of tags. Of 3,678 pages of our data sets none needs
    half of that; 1 MB of `<br>` does. With 64, a page of only `<option>` took more than 64 MiB + 40 × its size."""
    max_depth: int = 511
    """The depth of nested elements; deeper ones are flattened, their text is kept. Browsers allow 512."""
    max_attributes: int = 1_000
    """The attributes of one tag; the rest is ignored."""
    json_ld_bytes: int = 2_000_000
    """The size of all JSON-LD of a page that is read."""
    json_ld_depth: int = 64
    """The depth to which JSON-LD is read."""
    seconds: float = 10.0
    """Checked between stages: after this time, what is there is returned. Only `guarded` can stop a running stage."""

    def __post_init__(self) -> None:
        if not -1 <= self.bias <= 1 or math.isnan(self.bias):
            raise UsageError(f"bias is {self.bias}, but goes from -1 (precision) to 1 (recall)")
        if self.comments not in get_args(Comments):
            raise UsageError(f"comments is {self.comments!r}, but must be one of {', '.join(get_args(Comments))}")
        if self.scope not in get_args(Scope):
            raise UsageError(f"scope is {self.scope!r}, but must be one of {', '.join(get_args(Scope))}")
        if self.hidden not in get_args(Hidden):
            raise UsageError(f"hidden is {self.hidden!r}, but must be one of {', '.join(get_args(Hidden))}")
        for name in SELECTORS:
            if isinstance(getattr(self, name), str):
                raise UsageError(f"{name} is {getattr(self, name)!r}, but must be a tuple of selectors")
        for name in ("max_bytes", "tags_base", "max_depth", "max_attributes", "chunk_words"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}, but must be at least 1")

    @property
    def selectors(self) -> tuple[str, ...]:
        """All selectors to evaluate while the page is parsed."""
        return self.keep + self.drop


class OptionValues(TypedDict, total=False):
    """The fields of `Options` as keyword arguments; a single selector need not be in a tuple."""

    comments: Comments
    tables: bool
    images: bool
    links: bool
    formatting: bool
    title_in_text: bool
    title_in_markdown: bool
    metadata: bool
    bylines: bool
    chunk_words: int
    scope: Scope
    bias: float
    keep: str | Sequence[str]
    drop: str | Sequence[str]
    hidden: Hidden
    max_bytes: int
    tags_base: int
    tags_per_kilobyte: int
    max_depth: int
    max_attributes: int
    json_ld_bytes: int
    json_ld_depth: int
    seconds: float


def with_values(options: Options, values: Mapping[str, Any]) -> Options:
    """Return the options with some values replaced.

    >>> with_values(Options(), {"comments": "on", "drop": "aside"}).drop
    ('aside',)
    """
    if not isinstance(options, Options):
        kind = type(options).__name__
        raise UsageError(f"options must be an Options object, not {kind}; single options are keywords: comments='on'")
    if not values:
        return options
    names = [field.name for field in fields(Options)]
    for name in values:
        if name not in names:
            raise UsageError(f"there is no option {name!r}; {suggestion(name, names)}")
    selectors = {name: values[name] for name in SELECTORS if name in values}
    tuples = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in selectors.items()}
    return replace(options, **{**values, **tuples})
