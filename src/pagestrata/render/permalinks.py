"""Permalinks: the marks beside headings from which readers copy a link to them. They are a tool, not text.

Generators of documentation write them behind headings and definitions, as a link of a single sign ("Usage¶") or of
nothing to be seen. They lead to what they stand in; a link of a sign that leads further down is something else.
"""

from typing import Final

from pagestrata.page.page import Page
from pagestrata.render.links import place_on_page
from pagestrata.results import Section

MARKS: Final = ("", "#", "¶", "§", "🔗", "⚓", "∞")
"""What they show, as Sphinx, MkDocs, Docusaurus, VitePress, rustdoc and Godoc make them; the first shows nothing."""
_UNSEEN: Final = " \u200b\u200d\u2060\ufe0e\ufe0f\ufeff"
_SIGNS: Final = ("".join(MARKS) + _UNSEEN).replace(" ", "")
"""A text without any of these has no permalinks; nearly all have none."""
_LONGEST: Final = 4
"""Characters, with those that cannot be seen."""


def permalinks(page: Page) -> list[int]:
    """The links that are permalinks, in document order."""
    if not any(sign in page.text for sign in _SIGNS):
        return []
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


def title_text(page: Page, section: Section) -> str:
    """The text of the title, without its permalink."""
    text, nodes = section.text, page.nodes
    for node in reversed(permalinks(page)):
        if section.node_start <= node < section.node_end:
            start, end = int(nodes.text_start[node]), int(nodes.text_end[node])
            text = text[: start - section.text_start] + text[end - section.text_start :]
    return text.strip()
