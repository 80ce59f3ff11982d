"""Kept content as XHTML that is valid by construction, for books and for the reader view of the inspector.

It is written from the blocks that Markdown is written from. Those nest as HTML wants it, whatever the page does: a
paragraph holds only a line, a list only items. Pictures are written as their alternative text, since neither a book nor
the inspector may load them.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Final

from pagestrata.page import tags
from pagestrata.page.page import Page
from pagestrata.render.md_blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    Block,
    Cell,
    Code,
    Definitions,
    Formula,
    Heading,
    Item,
    Line,
    Link,
    List,
    Note,
    Paragraph,
    Quote,
    Rule,
    Run,
    Table,
    Term,
)
from pagestrata.render.tables import has_header, spans

_STYLES: Final = ((EMPHASIS, "em"), (STRONG, "strong"), (STRIKE, "s"))
"""Innermost first."""
_TH: Final = tags.TAG["th"]
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PART = r"(?:[\w\-.~:/@!$&'()*+,;={}]|%[\da-fA-F][\da-fA-F])*"
_PATH, _REST = _PART.format(""), _PART.format("?")
_WEB_LINK = re.compile(rf"https?://[\w.-]+(?::\d+)?(?:/{_PATH})?(?:\?{_REST})?(?:#{_REST})?", re.ASCII)
"""An address that is valid as it stands: https://www.rfc-editor.org/rfc/rfc3986."""


def xhtml(page: Page, blocks: Iterable[Block | Note]) -> str:
    """Write blocks as XHTML, one a line."""
    return "\n".join(_block(page, block) for block in blocks)


def xml_text(text: str) -> str:
    """Escape text, without the characters that XML does not allow.

    >>> xml_text("Tea & milk \\x0c")
    'Tea &amp; milk '
    """
    return escape(xml_characters(text))


def xml_characters(text: str) -> str:
    """Remove the characters that XML does not allow."""
    return _NOT_XML.sub("", text)


def _block(page: Page, block: Block | Note) -> str:
    match block:
        case Paragraph():
            return f"<p>{_line(block.line)}</p>"
        case Heading():
            return f"<h{block.level}>{_line(block.line)}</h{block.level}>"
        case Code():
            return f"<pre><code>{xml_text(block.text)}</code></pre>"
        case Formula():
            return f"<p><code>{xml_text(block.text)}</code></p>"
        case Rule():
            return "<hr/>"
        case Quote():
            return f"<blockquote>{xhtml(page, block.children)}</blockquote>"
        case List():
            return _list(page, block)
        case Definitions():
            return f"<dl>{_entries(page, block)}</dl>"
        case Table():
            return _table(page, block)
        case Note():
            return f'<aside id="note-{block.label}"><p>{block.label}.</p>{xhtml(page, block.children)}</aside>'


def _list(page: Page, block: List) -> str:
    name = "ol" if block.ordered else "ul"
    first = block.items[0].number
    start = f' start="{first}"' if block.ordered and first != 1 else ""
    return f"<{name}{start}>{''.join(f'<li>{_item(page, item)}</li>' for item in block.items)}</{name}>"


def _item(page: Page, item: Item) -> str:
    """The content of an item; a single line needs no paragraph around it."""
    match item.children:
        case [Paragraph(line=line)]:
            return _line(line)
    return xhtml(page, item.children)


def _entries(page: Page, block: Definitions) -> str:
    return "".join(
        f"<dt>{_line(entry.line)}</dt>" if isinstance(entry, Term) else f"<dd>{xhtml(page, entry.children)}</dd>"
        for entry in block.entries
    )


# ------------------------------------------------------------------------------------------------------------- tables


def _table(page: Page, table: Table) -> str:
    is_headed = has_header(page, [[cell.node for cell in row] for row in table.rows[:2]], table.in_head[0])
    rows = (
        "".join(_cell(page, cell, is_headed and not number, len(table.rows) - number) for cell in row)
        for number, row in enumerate(table.rows)
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _cell(page: Page, cell: Cell, is_head: bool, rows_left: int) -> str:
    name = "th" if is_head or page.nodes.tag[cell.node] == _TH else "td"
    columns, rows = spans(page, cell.node)
    wide = f' colspan="{columns}"' if columns > 1 else ""
    high = f' rowspan="{min(rows, rows_left)}"' if min(rows, rows_left) > 1 else ""
    return f"<{name}{wide}{high}>{'<br/>'.join(map(_line, cell.lines))}</{name}>"


# -------------------------------------------------------------------------------------------------------------- lines


def _line(line: Line) -> str:
    parts: list[str] = []
    for link, group in groupby(line, key=lambda run: run.link):
        runs = list(group)
        gap = _gap(runs[0]) if parts else ""
        parts.append(gap + _linked(_runs(runs), link))
    return "".join(parts)


def _gap(run: Run) -> str:
    """What stands before a run: a line break, or the blank of the page, which need not be the usual one."""
    return "<br/>" if "\n" in run.gap else run.gap


def _runs(runs: Sequence[Run]) -> str:
    return _run(runs[0]) + "".join(_gap(run) + _run(run) for run in runs[1:])


def _run(run: Run) -> str:
    text = xml_text(run.text)
    match run.kind:
        case "code" | "formula":
            text = f"<code>{text}</code>"
        case "image":
            text = f'<span class="image">{text}</span>' if text else ""
        case "reference":
            text = f'<sup><a href="#note-{text}">{text}</a></sup>'
    for style, name in _STYLES:
        if run.styles & style and text:
            text = f"<{name}>{text}</{name}>"
    return text


def _linked(text: str, link: Link | None) -> str:
    """Text with its link, if that leads to the web: a book has no other pages."""
    if link is None or "<a " in text or not _WEB_LINK.fullmatch(link.target):
        return text
    return f'<a href="{escape(link.target)}">{text}</a>'
