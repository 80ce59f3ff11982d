"""Name → renderer, method; our own first, then those of other packages (entry points `pagestrata.renderers`, …)."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from pagestrata.errors import UsageError, suggestion

Renderer = Callable[[Any], str]
"""Writes the kept content of an `Extraction` in one format."""

RENDERERS: Final = {
    "text": "pagestrata.render.text:render_text",
    "md": "pagestrata.render.markdown:render_markdown",
    "html": "pagestrata.render.html:render_html",
    "json": "pagestrata.render.json:render_json",
    "jsonl": "pagestrata.render.json:render_json_line",
    "xml": "pagestrata.render.xml:render_xml",
    "tei": "pagestrata.render.tei:render_tei",
    "csv": "pagestrata.render.csv:render_csv",
    "chunks": "pagestrata.render.json:render_chunks",
    "document": "pagestrata.render.document:html_document",
}

BINARY_RENDERERS: Final = {"epub": "pagestrata.render.epub:render_epub"}
"""Binary formats."""

PARTS: Final = {
    "links": "pagestrata.render.parts:links_of",
    "images": "pagestrata.render.parts:images_of",
    "tables": "pagestrata.render.parts:tables_of",
    "items": "pagestrata.render.items:items_of",
    "notebook": "pagestrata.render.notebook:render_notebook",
}
"""Other results of an `Extraction` than formats: functions of the kept content."""

ALIASES: Final = {"markdown": "md", "txt": "text", "ndjson": "jsonl", "htm": "html"}
"""Other names of formats."""

SECTION_RENDERERS: Final = {
    "md": "pagestrata.render.section:section_markdown",
    "html": "pagestrata.render.section:section_html",
}

CHUNKER: Final = "pagestrata.render.chunks:chunks_of"

METHODS: Final = {
    "engine": "pagestrata.engine.engine:Engine",
    "site": "pagestrata.sites.learn:SiteLearner",
    "repetition": "pagestrata.algorithms.repetition:Repetition",
    "repetition-published": "pagestrata.algorithms.repetition:repetition_published",
    "vips": "pagestrata.algorithms.vips:Vips",
    "template": "pagestrata.algorithms.template:TemplateLearner",
    "template-published": "pagestrata.algorithms.template:template_published",
    "density": "pagestrata.algorithms.density:Density",
    "density-published": "pagestrata.algorithms.density:density_published",
    "forest": "pagestrata.algorithms.forest:Forest",
    "forest-feeds": "pagestrata.algorithms.forest:forest_feeds",
    "coverage": "pagestrata.algorithms.coverage:Coverage",
    "sigfeed": "pagestrata.algorithms.sigfeed:SigFeed",
    "description": "pagestrata.algorithms.description:Description",
    "infodiscoverer": "pagestrata.algorithms.infodiscoverer:InfoDiscoverer",
    "site_style_tree": "pagestrata.algorithms.site_style_tree:SiteStyleTree",
    "content_extractor": "pagestrata.algorithms.content_extractor:ContentExtractor",
    "feature_extractor": "pagestrata.algorithms.feature_extractor:FeatureExtractor",
}
"""The methods that cut a page into sections. Those with `learn` need pages of the same site first."""


def renderer(name: str) -> Renderer:
    """Return the renderer of a format, or of the format that the name is an alias of."""
    if name in BINARY_RENDERERS:
        raise UsageError(f"{name} is a binary format: use render_bytes({name!r})")
    formats = RENDERERS | {alias: RENDERERS[name] for alias, name in ALIASES.items()}
    return _find(name, formats, "renderers", "format")  # type: ignore[no-any-return]


def bytes_renderer(name: str) -> Callable[[Any], bytes]:
    """Return the renderer of a format as bytes: UTF-8 if the format is text."""
    if name in BINARY_RENDERERS:
        return _load(BINARY_RENDERERS[name])  # type: ignore[no-any-return]
    write = renderer(name)
    return lambda extraction: write(extraction).encode()


def part(name: str) -> Callable[[Any], Any]:
    """The function that collects one kind of parts of a page."""
    return _find(name, PARTS, "parts", "part")  # type: ignore[no-any-return]


def section_renderer(name: str) -> Renderer:
    """The renderer of that name for one section."""
    return _load(SECTION_RENDERERS[name])  # type: ignore[no-any-return]


def chunker() -> Any:
    """Return the function that cuts the kept content of a page into chunks."""
    return _load(CHUNKER)


def method(name: str) -> Any:
    """The method of that name, a `Segmenter` or a `Learner`, with the parameters of its paper."""
    return _find(name, METHODS, "methods", "method")()


def _find(name: str, ours: Mapping[str, str], group: str, kind: str) -> Any:
    if name in ours:
        return _load(ours[name])
    from importlib.metadata import entry_points  # here, as it loads half of the standard library

    for entry in entry_points(group=f"pagestrata.{group}", name=name):
        return entry.load()
    names = (*ours, *BINARY_RENDERERS) if kind == "format" else ours
    raise UsageError(f"there is no {kind} {name!r}; {suggestion(name, names)}")


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
