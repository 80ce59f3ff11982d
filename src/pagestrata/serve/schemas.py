"""The schemas of requests and answers, from which they are validated, encoded and documented.

Unknown fields are refused. No field holds code, a path, a header or a limit.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from pagestrata.options import Comments, Hidden, Options, Scope
from pagestrata.registry import METHODS
from pagestrata.render.json import ExtractionRecord, LimitRecord
from pagestrata.sites.store_rows import SiteRow
from pagestrata.work.rows import PageRow

MAX_PAGES: Final = 100
"""Pages in one request to learn a site; eight to ten of each layout are enough."""

Url = Annotated[str, Meta(max_length=8000, description="Where the page is from: links are resolved against it.")]
Name = Annotated[str, Meta(min_length=1, max_length=253, description="A site: its host, or what it was called.")]
Selectors = Annotated[list[Annotated[str, Meta(min_length=1, max_length=1000)]], Meta(max_length=50)]
Bias = Annotated[float, Meta(ge=-1, le=1, description="From -1 (precision) to 1 (recall).")]
Format = Literal["md", "text", "html", "xml", "chunks"]
"""How the content is written; chunks are lines of JSON."""


Fields = Annotated[str, Meta(max_length=1000, description="Names of fields, separated by commas; or default, all, v1.")]


class PageInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page: its markup as text or, if you do not know the encoding, its bytes in base64."""

    html: str | None = None
    base64: bytes | None = None
    content_type: Annotated[str, Meta(max_length=200)] | None = None
    """The HTTP header that was received with the bytes; its charset is used."""
    url: Url | None = None


class OptionsInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options of the extraction; see the guide to the options."""

    comments: Comments = "off"
    tables: bool = True
    images: bool = True
    links: bool = True
    formatting: bool = True
    metadata: bool = False
    scope: Scope = "auto"
    bylines: bool = True
    chunk_words: Annotated[int, Meta(ge=1)] = 300
    bias: Bias = 0.0
    keep: Selectors = []
    drop: Selectors = []
    hidden: Hidden = "auto"

    def options(self, seconds: float) -> Options:
        """Convert to the options of the library."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return Options(**{**values, "keep": tuple(self.keep), "drop": tuple(self.drop), "seconds": seconds})


class SectionsRequest(PageInput, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page, or only its URL if the service may fetch pages, and how to read it."""

    site: Name | None = None
    """The name of a learned site whose model is used; `auto` selects it by the host of the page."""
    method: Annotated[str, Meta(extra_json_schema={"enum": list(METHODS)})] | None = None
    """One of the published methods, used instead of the engine."""
    learn: bool = False
    """Whether the model of the site learns from this page after it was read."""
    options: OptionsInput = OptionsInput()


class ExtractRequest(SectionsRequest, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page, how to read it, and the format of the content or the fields of its row."""

    format: Format = "md"
    fields: Fields | None = None
    """The answer is a row of a batch with these fields; the format is not used."""


class LearnRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pages of one site to learn from."""

    pages: Annotated[list[PageInput], Meta(min_length=2, max_length=MAX_PAGES)]
    site: Name | None = None
    """The name of the site; by default the host of its pages."""
    feed: str | None = None
    """A feed of the site, RSS or Atom."""


class ExtractAnswer(Struct, frozen=True):
    """The content of a page. `limits` lists the limits that were hit: the answer is partial if there are any."""

    format: Format
    content: str
    title: str | None
    url: str | None
    page_type: str
    confidence: float
    method: str
    reason: str
    """Why there is no content; empty if there is some."""
    metadata: dict[str, Any]
    limits: list[LimitRecord]
    warnings: list[str]


class LayoutAnswer(Struct, frozen=True):
    """One layout of a site."""

    name: str
    pages: int
    nodes: int
    """The number of nodes of its template."""
    shapes: list[str]
    """The patterns of the addresses of its pages."""


class LearnAnswer(Struct, frozen=True):
    """A summary of what was learned about a site."""

    site: str
    learned: str
    updated: str
    layouts: list[LayoutAnswer]
    notes: list[str]


class SitesAnswer(Struct, frozen=True):
    """All learned sites, sorted by name."""

    sites: list[SiteRow]


class HealthAnswer(Struct, frozen=True):
    """The state of the service and its load."""

    status: Literal["ok"]
    version: str
    workers: int
    idle: int
    """Workers without a request."""
    waiting: int
    """Requests that wait for a worker."""


ANSWERS: Final = (ExtractionRecord, ExtractAnswer, PageRow, LearnAnswer, SitesAnswer, HealthAnswer)
REQUESTS: Final = (SectionsRequest, ExtractRequest, LearnRequest)
REFERENCE: Final = "#/components/schemas/{name}"


def components(*other_types: type) -> dict[str, Any]:
    """The JSON schemas of all requests, answers and other types by name, for an OpenAPI document."""
    _, schemas = msgspec.json.schema_components((*REQUESTS, *ANSWERS, *other_types), ref_template=REFERENCE)
    return schemas


def schema_of(kind: type) -> dict[str, Any]:
    """The self-contained JSON schema of one type, for a tool."""
    schema = msgspec.json.schema(kind)
    name = schema.pop("$ref").rpartition("/")[2]
    main = schema["$defs"].pop(name)
    return {**main, **({"$defs": schema["$defs"]} if schema["$defs"] else {})}
