"""The look of all tables of figures: a title, columns of words, columns of numbers; on a terminal or as Markdown."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def figures_table(
    title: str, words: Iterable[str], numbers: Iterable[str], markdown: bool, caption: str | None = None
) -> "Table":
    """Return a table without rows, with headings for words on the left and for numbers on the right."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=title,
        caption=caption,
        title_justify="left",
        caption_justify="left",
        box=box.MARKDOWN if markdown else box.HEAVY_HEAD,
    )
    for heading in words:
        table.add_column(heading)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
