"""The sections of a page as a small HTML table, for notebooks: the darker a row, the more important the section."""

from html import escape

from pagestrata.extraction import Extraction
from pagestrata.page.text import collapse
from pagestrata.render.scale import colour, css, ink

MOST_SECTIONS = 200
_FIRST_CHARACTERS = 120
_CELL = "text-align:left;padding:2px 8px"


def render_notebook(extraction: Extraction) -> str:
    """Write a row for each leaf section: importance, whether it is kept, its role, first words and reasons."""
    leaves = list(extraction.leaves())
    rows = []
    for leaf in leaves[:MOST_SECTIONS]:
        words = collapse(leaf.text[: 2 * _FIRST_CHARACTERS])[:_FIRST_CHARACTERS]
        cells = (f"{leaf.importance:.2f}", "kept" if leaf.kept else "", leaf.role.value, words)
        written = "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in cells)
        style = f"background:{css(colour(leaf.importance))};color:{css(ink(leaf.importance))}"
        rows.append(f'<tr style="{style}" title="{escape("; ".join(leaf.reasons))}">{written}</tr>')
    left_out = len(leaves) - len(rows)
    more = f"<p>{left_out:,} more sections</p>" if left_out else ""
    heading = escape(f"{extraction.title or 'no title'} · {extraction.page_type}")
    return f"<div><p><b>{heading}</b></p><table>{''.join(rows)}</table>{more}</div>"
