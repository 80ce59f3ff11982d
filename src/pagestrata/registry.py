"""Name → renderer; our own first, then those of other packages (entry points `pagestrata.renderers`)."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final

from pagestrata.errors import UsageError

if TYPE_CHECKING:
    from pagestrata.results import Extraction

Renderer = Callable[["Extraction"], str]
"""Writes what was kept in one format."""

RENDERERS: Final = {
    "text": "pagestrata.render.text:render_text",
    "md": "pagestrata.render.markdown:render_markdown",
    "html": "pagestrata.render.html:render_html",
    "json": "pagestrata.render.json:render_json",
    "jsonl": "pagestrata.render.json:render_json_line",
    "xml": "pagestrata.render.xml:render_xml",
}


def renderer(name: str) -> Renderer:
    """The renderer of that name."""
    if name in RENDERERS:
        return _load(RENDERERS[name])  # type: ignore[no-any-return]
    for entry in entry_points(group="pagestrata.renderers", name=name):
        return entry.load()  # type: ignore[no-any-return]
    raise UsageError(f"there is no format {name!r}; there are {', '.join(RENDERERS)}")


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
