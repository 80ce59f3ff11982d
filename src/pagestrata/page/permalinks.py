"""Permalinks: the marks beside headings from which readers copy a link to them. They are a tool, not text.

Generators of documentation write them behind headings and definitions, as a link of a single sign ("Usage¶") or of
nothing to be seen. They lead to what they stand in; a link of a sign that leads further down is something else.
"""

from typing import Final
from urllib.parse import unquote

from pagestrata.page.page import Page

MARKS: Final = ("", "#", "¶", "§", "🔗", "⚓", "∞")
"""What they show, as Sphinx, MkDocs, Docusaurus, VitePress, rustdoc and Godoc make them; the first shows nothing."""
_UNSEEN: Final = " \u200b\u200d\u2060\ufe0e\ufe0f\ufeff"
_LONGEST: Final = 4
"""Characters, with those that cannot be seen."""


def permalinks(page: Page) -> list[int]:
    """The links that are permalinks, in document order."""
    anchors = page.nodes_tagged("a")
    starts, ends = page.nodes.text_start[anchors], page.nodes.text_end[anchors]
    short = (ends > starts) & (ends - starts <= _LONGEST)
    spans = zip(anchors[short].tolist(), starts[short].tolist(), ends[short].tolist(), strict=True)
    found = [node for node, start, end in spans if page.text[start:end].strip(_UNSEEN) in MARKS]
    marks = {node: place_on_page(page, node) for node in found}
    if not any(marks.values()):
        return []
    first_of_name = {name: node for node, name in reversed(page.values_of("id"))}
    return [node for node, name in marks.items() if name and first_of_name.get(name, node) <= node]


def place_on_page(page: Page, node: int) -> str:
    """The name of the place on this page that a link leads to; empty when it leads elsewhere."""
    address, _, name = (page.attribute(node, "href") or "").strip().partition("#")
    if not name or (address and page.resolve(address) != (page.url or "").partition("#")[0]):
        return ""
    return unquote(name)


def title_text(page: Page, heading: int) -> str:
    """The text of the heading that is the title, without its permalink."""
    nodes, offset, text = page.nodes, int(page.nodes.text_start[heading]), page.text_of(heading)
    for node in reversed(page.once(permalinks)):
        if heading <= node < nodes.end[heading]:
            text = text[: nodes.text_start[node] - offset] + text[nodes.text_end[node] - offset :]
    return text.strip()
