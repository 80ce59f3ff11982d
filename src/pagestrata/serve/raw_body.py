"""A page as the body of a request, as `curl --data-binary @page.html` sends it, with the options in the query."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from pagestrata.serve.problems import Refused
from pagestrata.serve.schemas import ExtractRequest, OptionsInput, SectionsRequest, explained, schema_of

MEDIA_TYPES: Final = ("text/html", "application/xhtml+xml")
KINDS: Final[dict[str, type[SectionsRequest]]] = {"extract": ExtractRequest, "sections": SectionsRequest}
"""The verbs that take a page as the body, and what the query is decoded to."""
_IN_BODY: Final = ("html", "base64", "content_type", "options")
_NO_PARAMETERS: Final = (
    "fields go into the JSON body; to send a page as the body, add the header content-type: text/html"
)
_REPEATED: Final = ("keep", "drop")


def is_raw(headers: Mapping[str, str]) -> bool:
    """Whether the body of a request is a page."""
    return media_type_of(headers) in MEDIA_TYPES


def media_type_of(headers: Mapping[str, str]) -> str:
    """The media type of a body without its parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def request_in_query(verb: str, query: Iterable[tuple[str, str]]) -> SectionsRequest:
    """Decode the query of a request whose body is a page.

    >>> request_in_query("extract", [("format", "text"), ("bias", "0.5"), ("drop", "nav")]).options.drop
    ['nav']
    """
    if verb not in KINDS:
        raise Refused("wrong-media-type")
    fields: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for name, value in query:
        check_name(name, parameters_of(verb))
        place = options if name in OptionsInput.__struct_fields__ else fields
        if name in _REPEATED:
            place.setdefault(name, []).append(value)
        elif name in place:
            raise Refused("invalid", f"the query has {name} twice")
        else:
            place[name] = value
    try:
        return msgspec.convert({**fields, "options": options}, KINDS[verb], strict=False)
    except msgspec.ValidationError as error:
        raise Refused("invalid", explained(error, KINDS[verb])) from error


def check_name(name: str, known: Iterable[str] = ()) -> None:
    """Refuse a parameter of the query that has no meaning, instead of ignoring it."""
    if name not in known:
        listed = ", ".join(known)
        advice = f"there are {listed}" if listed else _NO_PARAMETERS
        raise Refused("invalid", f"the query has the unknown parameter {name[:40]!r}; {advice}")


def parameters_of(verb: str) -> dict[str, Any]:
    """The parameters of the query by name, each with its JSON schema."""
    own = schema_of(KINDS[verb])["properties"]
    fields = {name: schema for name, schema in own.items() if name not in _IN_BODY}
    return {**fields, **schema_of(OptionsInput)["properties"]}
