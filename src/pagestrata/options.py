"""Every default in one place."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from pagestrata.errors import UsageError

Comments = Literal["off", "on", "only"]


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
    bias: float = 0.0
    """From -1, keep only what is surely content, to 1, keep all that may be."""
    keep: tuple[str, ...] = ()
    """CSS or XPath selectors of what is content whatever its score."""
    drop: tuple[str, ...] = ()
    """CSS or XPath selectors of what is not; `drop` wins over `keep`."""
    mark: tuple[str, ...] = ()
    """CSS or XPath selectors that decide nothing: what they find is in `Page.marks`, for a site model's roles."""

    # Limits; each is named in the result when it bites
    max_bytes: int = 20_000_000
    """Of the page, decompressed; the rest is cut off."""
    tags_base: int = 10_000
    tags_per_kilobyte: int = 64
    """A page with more than base + this many tags is cut there. No page in wcxb comes near; 1 MB of `<br>` does."""
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
        for name in ("max_bytes", "tags_base", "max_depth", "max_attributes", "chunk_words"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}, but must be at least 1")

    @property
    def selectors(self) -> tuple[str, ...]:
        """All selectors that must be run on the page while it is parsed."""
        return self.keep + self.drop + self.mark
