"""Many answers become one: which source is believed for which field, written down as a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pagestrata.metadata import meta_tags
from pagestrata.metadata.addresses import absolute
from pagestrata.metadata.clean import DESCRIPTION_LENGTH, NAME_LENGTH, TITLE_LENGTH, clean, distinct
from pagestrata.metadata.found import WARNING, Found
from pagestrata.options import Options
from pagestrata.page.page import Page

if TYPE_CHECKING:
    from pagestrata.results import Section


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself. A field that no source answers is None, or empty where there may be several."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    """ISO 8601: a date, or a date and time with the offset that the page gives, if it gives one."""
    date_modified: str | None = None
    language: str | None = None
    """A BCP 47 tag, such as `en` or `pt-BR`."""
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    """The lead image, as an absolute address."""
    url: str | None = None
    """The canonical address."""
    licence: str | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Where each field that is there came from: `json-ld`, `opengraph`, `visible` and the like."""
    warnings: tuple[str, ...] = ()
    """Limits that bit while the metadata was read."""

    def as_dict(self) -> dict[str, object]:
        """The fields that are there, as plain values that JSON can hold; without sources and warnings."""
        values = ((name, getattr(self, name)) for name in FIELDS)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values if value}


FIELDS: Final = tuple(name for name in Metadata.__dataclass_fields__ if name not in ("sources", "warnings"))


def read_metadata(page: Page, options: Options, title_section: "Section | None" = None) -> Metadata:
    """Read what the page says of itself; whatever is wrong with it, there is an answer."""
    found = meta_tags.read(page, options)
    title = title_section.text if title_section else page.title
    values: dict[str, object] = {"title": clean(title, TITLE_LENGTH) or None}
    sources: dict[str, str] = {"title": "visible" if title_section else "title"} if values["title"] else {}
    for one in found:
        if one.field in FIELDS and one.field not in values:
            value = _plain(page, one)
            if value:
                values[one.field], sources[one.field] = value, one.source
    warnings = tuple(text for one in found if one.field == WARNING for text in one.values)
    return Metadata(**values, sources=sources, warnings=warnings)  # type: ignore[arg-type]


def _plain(page: Page, one: Found) -> object:
    if one.field in ("url", "image"):
        return absolute(page, one.values[0])
    if one.field == "feeds":
        return distinct([absolute(page, value) or "" for value in one.values])
    if one.field in ("authors", "tags", "categories"):
        return distinct([clean(value, NAME_LENGTH) for value in one.values])
    return clean(one.values[0], DESCRIPTION_LENGTH)
