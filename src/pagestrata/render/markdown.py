"""Markdown in the GitHub flavour, with footnotes, definition lists and formulas as its common readers know them.

The stream of kept nodes becomes blocks (`md_build`), and the blocks become lines (`md_write`). The result can be read
back to the same blocks (tests/render/roundtrip.py), and holds no HTML but `<br>` in the cells of tables.
"""

from itertools import chain

from pagestrata.extraction import Extraction
from pagestrata.page.text import collapse
from pagestrata.render.front_matter import front_matter
from pagestrata.render.md_blocks import Heading, Run
from pagestrata.render.md_build import blocks_of
from pagestrata.render.md_gather import clean
from pagestrata.render.md_write import write_blocks


def render_markdown(extraction: Extraction) -> str:
    """Write the kept sections as Markdown, the title first as a heading; metadata above it if asked for."""
    lines = write_blocks(extraction.page, chain(_title(extraction), blocks_of(extraction)))
    body = "\n".join([*lines, ""])
    head = front_matter(extraction.metadata.as_dict()) if extraction.options.metadata else ""
    return f"{head}\n{body}" if head and body else head + body


def _title(extraction: Extraction) -> list[Heading]:
    text = clean(collapse(extraction.shown_title)) if extraction.options.title_in_markdown else ""
    return [Heading(1, [Run("text", text)])] if text else []
