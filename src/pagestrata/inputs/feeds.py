"""Feeds: RSS 0.9 to 2.0 and Atom, well-formed or not, from bytes.

No XML parser is used: it would refuse a feed that is not well-formed, and a DTD could make it expand entities or access
the network. One pass over the tags is sufficient for a feed: it is linear for every input, knows only the entities of
HTML, and ends an element that is never closed with its item.
(turbohtml reads feeds too, but requires the right version and namespace, and returns no categories.)
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final, NamedTuple

import turbohtml

from pagestrata.inputs.addresses import is_address
from pagestrata.options import Options
from pagestrata.page.decode import by_bom, choose_encoding, look_up
from pagestrata.page.feed import Feed, FeedItem
from pagestrata.page.parse import within_budgets
from pagestrata.page.raw import RawPage
from pagestrata.page.text import collapse, without_controls

MAX_BYTES: Final = 20_000_000
"""The rest of a longer feed is not read."""
_BUDGETS: Final = Options()
"""The limits of the parser for a description: those of a page."""

_FEED = re.compile(rb"<(?:rss|feed|rdf:rdf)[\s>]")
_HEAD = 4096
_DECLARED_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""")
_NAME = re.compile(r"(/?)(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_HTML = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_FEED_PREFIXES = frozenset(("", "atom", "atom03", "rss", "rss1", "dc", "content"))
"""Prefixes of the names that belong to the feed; `media:title` and similar names mean something else."""
_ITEMS = frozenset(("item", "entry"))
_FIELDS = frozenset("title link guid id description summary content encoded category subject".split())
_LINKS = ("link", "guid", "id", "other link")
_DESCRIPTIONS = ("description", "summary", "encoded", "content")
_CATEGORIES = ("category", "subject")
"""The elements that hold each part of an item, the preferred one first."""


def is_feed(data: bytes) -> bool:
    """Whether the beginning of the data is that of a feed.

    >>> is_feed(b'<?xml version="1.0"?><rss version="2.0">'), is_feed(b"<html><p>the <rss> tag")
    (True, False)
    """
    head = data[:_HEAD].lower()
    return b"<html" not in head and _FEED.search(head) is not None


def read_feed(data: bytes) -> Feed:
    """Read a feed; other data gives a feed without items.

    >>> feed = read_feed(b"<rss><channel><title>Mud</title><item><title>Tea &amp; mud</title><link>/1</link></item>")
    >>> feed.title, feed.items[0].title, feed.items[0].link
    ('Mud', 'Tea & mud', '/1')
    """
    reader = _Reader()
    for piece in _pieces(_decode(data[:MAX_BYTES])):
        reader.add(piece)
    return reader.feed()


def _decode(data: bytes) -> str:
    declared = _DECLARED_ENCODING.match(data)
    name = by_bom(data, RawPage(b"")) or (look_up(declared[1].decode("ascii")) if declared else None)
    try:
        return data.decode(name or choose_encoding(data, RawPage(b"")).name, "replace")
    except LookupError:  # a name of the standard that Python does not know
        return data.decode("utf-8", "replace")


class _Piece(NamedTuple):
    """A tag, or a text if it has no name."""

    name: str
    """Without its prefix, in lower case; `#text` for text, `#cdata` for text without escapes."""
    content: str
    """The text, or the part of the tag between the brackets."""
    is_own: bool = True
    is_end: bool = False


def _pieces(markup: str) -> Iterator[_Piece]:
    """The tags and texts of a feed, in order. Comments, declarations and doctypes are skipped."""
    place = 0
    while (start := markup.find("<", place)) >= 0:
        if start > place:
            yield _Piece("#text", markup[place:start])
        if markup.startswith("<![CDATA[", start):
            end = _find(markup, "]]>", start)
            yield _Piece("#cdata", markup[start + 9 : end])
            place = end + 3
        elif markup.startswith("<!--", start):
            place = _find(markup, "-->", start) + 3
        else:
            end = _find(markup, ">", start)
            place = end + 1
            tag = _NAME.match(markup, start + 1, end)
            if tag:
                is_own = (tag[2] or "").lower() in _FEED_PREFIXES
                yield _Piece(tag[3].lower(), markup[start + 1 : end], is_own, is_end=bool(tag[1]))
    yield _Piece("#text", markup[place:])


def _find(markup: str, wanted: str, start: int) -> int:
    """The position of a string, or the end of the markup if it does not occur."""
    place = markup.find(wanted, start)
    return place if place >= 0 else len(markup)


class _Reader:
    """Builds the items of a feed from its pieces."""

    def __init__(self) -> None:
        self.title = ""
        self.items: list[FeedItem] = []
        self.is_in_item = False
        self.values: defaultdict[str, list[str]] = defaultdict(list)
        """The values of the fields of the open item."""
        self.field = ""
        """The name of the open field; empty if none is open."""
        self.nested = 0
        """How many elements of the same name are open inside the field."""
        self.texts: list[str] = []

    def feed(self) -> Feed:
        self.switch_item(is_start=False)
        return Feed(self.title, tuple(self.items))

    def add(self, piece: _Piece) -> None:
        if piece.name in _ITEMS and piece.is_own:
            self.switch_item(is_start=not piece.is_end)
        elif self.field and piece.name.startswith("#"):
            self.texts.append(piece.content if piece.name == "#cdata" else unescape(piece.content))
        elif self.field and piece.name == self.field:
            self.count(piece)
        elif piece.name in _FIELDS and piece.is_own and not piece.is_end and self.field not in _DESCRIPTIONS:
            self.open_field(piece)  # a title or link that was never closed ends here
        elif self.field:
            self.texts.append(f"<{piece.content}>")  # markup that nobody escaped

    def switch_item(self, is_start: bool) -> None:
        """Start or end an item; in both cases the previous item is complete."""
        self.close_field()
        if self.is_in_item:
            self.items.append(_item(self.values))
        self.is_in_item = is_start
        self.values = defaultdict(list)

    def open_field(self, piece: _Piece) -> None:
        self.close_field()
        attributes = {name: unescape(double or single) for name, double, single in _ATTRIBUTE.findall(piece.content)}
        if piece.name == "link" and "href" in attributes:
            self.add_value(
                "link" if attributes.get("rel", "alternate") == "alternate" else "other link", attributes["href"]
            )
        elif piece.name == "category" and "term" in attributes:
            self.add_value("category", attributes.get("label") or attributes["term"])
        elif not piece.content.endswith("/"):
            self.field, self.nested = piece.name, 0

    def count(self, piece: _Piece) -> None:
        """Count an element with the name of the open field that starts or ends in it."""
        self.nested += -1 if piece.is_end else not piece.content.endswith("/")
        if self.nested < 0:
            self.close_field()

    def close_field(self) -> None:
        if self.field:
            self.add_value(self.field, "".join(self.texts))
        self.field, self.texts = "", []

    def add_value(self, field: str, value: str) -> None:
        if self.is_in_item:
            self.values[field].append(value)
        elif field == "title" and not self.title:
            self.title = _plain(value)


def _item(values: Mapping[str, list[str]]) -> FeedItem:
    links = [
        link
        for field in _LINKS
        for link in map(str.strip, values.get(field, ()))
        if link and (field == "link" or is_address(link))  # an identifier may also be `tag:…` or a number
    ]
    descriptions = [plain for field in _DESCRIPTIONS for plain in map(_plain, values.get(field, ())) if plain]
    categories = [plain for field in _CATEGORIES for plain in map(_plain, values.get(field, ())) if plain]
    return FeedItem(
        link=without_controls(next(iter(links), "")),
        title=_plain(next(iter(values.get("title", ())), "")),
        description=next(iter(descriptions), ""),
        categories=tuple(dict.fromkeys(categories)),
    )


def _plain(value: str) -> str:
    """The text of a value that may be HTML, on one line."""
    if _HTML.search(value):
        data, _ = within_budgets(value.encode("utf-8", "replace"), _BUDGETS, [])
        value = turbohtml.parse(data.decode("utf-8", "replace")).to_text()
    return collapse(without_controls(value))
