"""Pages and answers in a line."""

import json

from pagestrata import Options, Page, parse
from pagestrata.metadata.candidates import Candidate, Source
from pagestrata.metadata.merge import Metadata, read_metadata

URL = "https://tidewater.example/articles/mud.html"


def page_of(head: str = "", body: str = "", url: str | None = URL) -> Page:
    return parse(f"<!DOCTYPE html><head>{head}</head><body>{body}</body>", url=url)


def metadata_of(head: str = "", body: str = "", url: str | None = URL, options: Options | None = None) -> Metadata:
    return read_metadata(page_of(head, body, url), options or Options())


def script(*values: object) -> str:
    """JSON-LD of these values; a string is taken as it stands."""
    texts = (value if isinstance(value, str) else json.dumps(value) for value in values)
    return "".join(f'<script type="application/ld+json">{text}</script>' for text in texts)


def meta(**contents: str) -> str:
    """Metas by name; a double underscore stands for a colon, and a name with one is written as a property."""
    pairs = ((name.replace("__", ":"), content) for name, content in contents.items())
    return "".join(f'<meta {"property" if ":" in name else "name"}="{name}" content="{text}">' for name, text in pairs)


def values(source: Source, field: str) -> list[Candidate]:
    """What a source offers for a field, in order."""
    return list(source.candidates(field))
