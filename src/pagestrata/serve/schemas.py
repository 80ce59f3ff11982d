"""The schemas of requests and answers, from which they are validated, encoded and documented.

Unknown fields are refused. No field holds code, a path, a header or a limit.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
import msgspec.inspect
from msgspec import Meta, Struct

from pagestrata.options import Comments, Hidden, Options, Scope
from pagestrata.page.web_address import WEB_ADDRESS, address_problem
from pagestrata.registry import METHODS
from pagestrata.render.json import ExtractionRecord, LimitRecord
from pagestrata.sites.store_rows import SiteRow
from pagestrata.work.rows import PageRow

MAX_PAGES: Final = 100
"""The most pages in one request to learn a site; eight to ten of each layout are enough."""

Url = Annotated[
    str,
    Meta(
        max_length=8000,
        description="The absolute URL of the page; links are resolved against it.",
        extra_json_schema={"pattern": WEB_ADDRESS},  # checked below, where the message can name the address
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=253, description="A site: its host, or the name of its model.")]
Selectors = Annotated[list[Annotated[str, Meta(min_length=1, max_length=1000)]], Meta(max_length=50)]
Bias = Annotated[float, Meta(ge=-1, le=1, description="From -1 (precision) to 1 (recall).")]
Format = Literal["md", "text", "html", "xml", "chunks"]
"""The format of the content; chunks are lines of JSON."""


Fields = Annotated[str, Meta(max_length=1000, description="Names of fields, separated by commas; or default, all, v1.")]


class PageInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page: its markup as text or, if its encoding is not known, its bytes in base64."""

    html: str | None = None
    base64: bytes | None = None
    content_type: Annotated[str, Meta(max_length=200)] | None = None
    """The `Content-Type` header that the page was sent with; its charset is used."""
    url: Url | None = None

    def __post_init__(self) -> None:
        if problem := address_problem(self.url):
            raise ValueError(problem)  # which the decoder reports as an invalid field


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
    """The content of a page. `limits` lists the limits that were hit; if there are any, the answer is partial."""

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
    """Patterns that the addresses of its pages match."""


class LearnAnswer(Struct, frozen=True):
    """A summary of the model of a site."""

    site: str
    learned: str
    updated: str
    layouts: list[LayoutAnswer]
    notes: list[str]


class SitesAnswer(Struct, frozen=True):
    """All sites that have a model, sorted by name."""

    sites: list[SiteRow]


class HealthAnswer(Struct, frozen=True):
    """The state and the load of the service."""

    status: Literal["ok"]
    version: str
    workers: int
    idle: int
    """The number of workers without a request."""
    waiting: int
    """The number of requests that wait for a worker."""


ANSWERS: Final = (ExtractionRecord, ExtractAnswer, PageRow, LearnAnswer, SitesAnswer, HealthAnswer)
REQUESTS: Final = (SectionsRequest, ExtractRequest, LearnRequest)
_NOT_PERMITTED: Final = re.compile(r"Invalid enum value (?P<value>.*) - at `\$\.(?P<path>[\w.]+)`")
REFERENCE: Final = "#/components/schemas/{name}"


def components(*other_types: type) -> dict[str, Any]:
    """Return the JSON schemas of all requests, answers and other types by name, for an OpenAPI document."""
    _, schemas = msgspec.json.schema_components((*REQUESTS, *ANSWERS, *other_types), ref_template=REFERENCE)
    return schemas


def explained(error: msgspec.ValidationError, kind: type) -> str:
    """Return the message of an error for people; for a value that is not permitted it lists those that are.

    >>> try:
    ...     msgspec.convert({"options": {"scope": "all"}}, ExtractRequest)
    ... except msgspec.ValidationError as error:
    ...     explained(error, ExtractRequest)
    "scope is 'all', but must be one of auto, generous, strict"
    """
    match = _NOT_PERMITTED.fullmatch(str(error))
    path = match["path"].split(".") if match else []
    values = _permitted(msgspec.inspect.type_info(kind), path)
    if match is None or not values:
        return str(error)
    return f"{path[-1]} is {match['value']}, but must be one of {', '.join(values)}"


def _permitted(info: msgspec.inspect.Type, path: Sequence[str]) -> list[str]:
    """Return the permitted values of the field at the end of a path, or nothing if they are not listed."""
    if isinstance(info, msgspec.inspect.UnionType):
        return [value for member in info.types for value in _permitted(member, path)]
    if isinstance(info, msgspec.inspect.StructType) and path:
        types = {field.encode_name: field.type for field in info.fields}
        return _permitted(types[path[0]], path[1:]) if path[0] in types else []
    return [str(value) for value in info.values] if isinstance(info, msgspec.inspect.LiteralType) else []


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of one type with all definitions that it needs, for a tool."""
    schema = msgspec.json.schema(kind)
    name = schema.pop("$ref").rpartition("/")[2]
    main = schema["$defs"].pop(name)
    return {**main, **({"$defs": schema["$defs"]} if schema["$defs"] else {})}
