"""What a request may say and what an answer says: each is defined once, and checked, written and documented from here.

A name that is not known is refused. No field carries code, a path, a header or a limit.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from pagestrata.options import Comments, Options
from pagestrata.registry import METHODS
from pagestrata.render.json import ExtractionRecord, LimitRecord

MOST_PAGES: Final = 100
"""To learn from at once: eight to ten of each layout are enough."""

Url = Annotated[str, Meta(max_length=8000, description="Where the page is from: links are resolved against it.")]
Name = Annotated[str, Meta(min_length=1, max_length=253, description="A site: its host, or what it was called.")]
Selectors = Annotated[list[Annotated[str, Meta(min_length=1, max_length=1000)]], Meta(max_length=50)]
Bias = Annotated[float, Meta(ge=-1, le=1, description="From -1 (precision) to 1 (recall).")]
Format = Literal["md", "text", "html", "xml"]


class PageInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page: its markup as text or, if you do not know the encoding, its bytes in base64."""

    html: str | None = None
    base64: bytes | None = None
    content_type: Annotated[str, Meta(max_length=200)] | None = None
    """The HTTP header that came with the bytes; its charset counts."""
    url: Url | None = None


class OptionsInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is given back and what is chosen; see the guide to the options."""

    comments: Comments = "off"
    tables: bool = True
    images: bool = True
    links: bool = True
    formatting: bool = True
    metadata: bool = False
    bias: Bias = 0.0
    keep: Selectors = []
    drop: Selectors = []

    def options(self, seconds: float) -> Options:
        """The same for the library."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return Options(**{**given, "keep": tuple(self.keep), "drop": tuple(self.drop), "seconds": seconds})


class SectionsRequest(PageInput, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page, or only its URL where the service may fetch, and how to read it."""

    site: Name | None = None
    """Read with what was learned of this site; `auto` for that of the page's host."""
    method: Annotated[str, Meta(extra_json_schema={"enum": list(METHODS)})] | None = None
    """One of the published methods, in place of the engine."""
    learn: bool = False
    """Let the model of the site learn from this page, after it was read."""
    options: OptionsInput = OptionsInput()


class ExtractRequest(SectionsRequest, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The same, and in which format the content is wanted."""

    format: Format = "md"


class LearnRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pages of one site."""

    pages: Annotated[list[PageInput], Meta(min_length=2, max_length=MOST_PAGES)]
    site: Name | None = None
    """What to call the site; the host of its pages if not given."""
    feed: str | None = None
    """A feed of the site, RSS or Atom."""


class ExtractAnswer(Struct, frozen=True):
    """The content of a page. `limits` names the limits that bit: the answer is partial if there are any."""

    format: Format
    content: str
    title: str | None
    url: str | None
    page_type: str
    confidence: float
    method: str
    reason: str
    """Why nothing is given back; empty when something is."""
    metadata: dict[str, Any]
    limits: list[LimitRecord]
    warnings: list[str]


class LayoutAnswer(Struct, frozen=True):
    """One layout of a site."""

    name: str
    pages: int
    nodes: int
    """Of its template."""
    shapes: list[str]
    """The forms of the addresses of its pages."""


class LearnAnswer(Struct, frozen=True):
    """What was learned of a site, in short."""

    site: str
    learned: str
    updated: str
    layouts: list[LayoutAnswer]
    notes: list[str]


class SiteAnswer(Struct, frozen=True):
    """A site in the list."""

    name: str
    learned: str
    updated: str
    clusters: int
    pages: int
    bytes: int


class SitesAnswer(Struct, frozen=True):
    """All sites by name."""

    sites: list[SiteAnswer]


class HealthAnswer(Struct, frozen=True):
    """Whether the service works, and how much it has to do."""

    status: Literal["ok"]
    version: str
    workers: int
    idle: int
    """Workers that have nothing to do."""
    waiting: int
    """Requests that no worker has yet."""


ANSWERS: Final = (ExtractionRecord, ExtractAnswer, LearnAnswer, SitesAnswer, HealthAnswer)
REQUESTS: Final = (SectionsRequest, ExtractRequest, LearnRequest)
REFERENCE: Final = "#/components/schemas/{name}"


def components(*more: type) -> dict[str, Any]:
    """The JSON schemas of everything above, by name, for an OpenAPI document."""
    _, found = msgspec.json.schema_components((*REQUESTS, *ANSWERS, *more), ref_template=REFERENCE)
    return found


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON schema of one of them that stands alone, for a tool."""
    whole = msgspec.json.schema(kind)
    name = whole.pop("$ref").rpartition("/")[2]
    own = whole["$defs"].pop(name)
    return {**own, **({"$defs": whole["$defs"]} if whole["$defs"] else {})}
