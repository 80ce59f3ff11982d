"""Every default in one place."""

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
    """How a page is read and what of it is given back. Frozen: the same options and bytes give the same result."""

    # What is given back
    comments: Comments = "off"
    """Reader comments: left out, kept with the rest, or the only thing kept."""
    tables: bool = True
    images: bool = True
    links: bool = True
    """Whether link targets are written; the words of a link always are."""
    formatting: bool = True
    """Bold, italic, code and the like."""
    title_in_text: bool = False
    title_in_markdown: bool = True
    """As a first heading; so in HTML and XML."""
    metadata: bool = False
    """Whether Markdown starts with a YAML block of metadata, and HTML and XML hold it."""

    bylines: bool = True
    """Whether Markdown has author and time before each post of a thread."""
    chunk_words: int = 300
    """Words of a chunk at most: about 400 tokens, which models for embeddings can take."""

    # What is chosen
    scope: Scope = "auto"
    """`strict` keeps the body of an article only, `generous` also what belongs to it; `auto` is strict on articles."""
    bias: float = 0.0
    """From -1, keep only what is surely content, to 1, keep all that may be."""
    keep: tuple[str, ...] = ()
    """CSS or XPath selectors of what is content whatever its score."""
    drop: tuple[str, ...] = ()
    """CSS or XPath selectors of what is not; `drop` wins over `keep`."""
    hidden: Hidden = "auto"
    """Text that visitors do not see before scripts run: counted as seen where it is the content, or never returned."""

    # Limits; each is named in the result when it is hit
    max_bytes: int = 20_000_000
    """Of the page, decompressed; the rest is cut off."""
    tags_base: int = 10_000
    tags_per_kilobyte: int = 48
    """A page with more than base + this many tags is cut there. Of 3,678 pages of our data sets none needs half of it;
    1 MB of `<br>` does. With 64, a page of nothing but `<option>` took more memory than 64 MiB + 40 × its size."""
    max_depth: int = 511
    """Elements nested deeper lie flat in the last; their text is kept. Browsers stop at 512 with the root counted."""
    max_attributes: int = 1_000
    """Of one tag; the rest is not seen."""
    json_ld_bytes: int = 2_000_000
    json_ld_depth: int = 64
    seconds: float = 10.0
    """Looked at between stages: a page over it is answered with what is there. Only the guard can stop a stage."""

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
        """All selectors that must be run on the page while it is parsed."""
        return self.keep + self.drop


class OptionValues(TypedDict, total=False):
    """The fields of `Options` as keywords of the functions in `pagestrata`; a selector may be given alone."""

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
    """The options with some values replaced.

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
