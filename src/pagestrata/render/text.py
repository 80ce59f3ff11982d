"""Plain text: a blank line between paragraphs, one line for an item or a row, tabs between cells, code as it stands."""

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.render.events import Kind, events
from pagestrata.results import Extraction

# What stands in these follows line by line.
_ITEMS = frozenset(tags.TAG[name] for name in "li dt dd td th caption figcaption option summary".split())
_CELLS = frozenset((tags.TAG["td"], tags.TAG["th"]))


def render_text(extraction: Extraction) -> str:
    """Write the kept sections as text, the title first if asked for."""
    page = extraction.page
    title = extraction.title_section if extraction.options.title_in_text else None
    pieces = [] if title is None else [title.text]
    last = -1
    for kind, node, gap in events(extraction):
        if kind is not Kind.TEXT:
            continue
        if pieces:
            pieces.append(_between(page, last, node) if gap == "\n\n" and last >= 0 else gap)
        pieces.append(page.text_of(node))
        last = node
    return "".join(pieces)


def _between(page: Page, last: int, node: int) -> str:
    """What parts two blocks."""
    nodes = page.nodes
    before, after = int(nodes.container[last]), int(nodes.container[node])
    if before != after and nodes.tag[before] in _CELLS and nodes.tag[after] in _CELLS:
        return "\t" if nodes.parent[before] == nodes.parent[after] else "\n"
    return "\n" if nodes.tag[before] in _ITEMS and nodes.tag[after] in _ITEMS else "\n\n"
