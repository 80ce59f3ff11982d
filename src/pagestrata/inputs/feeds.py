"""Feeds: RSS 0.9 to 2.0 and Atom, well-formed or not, from bytes.

No XML parser reads them: a feed that is not well-formed would be refused, and a DTD could make a parser expand entities
or reach for the network. One pass looks for tags, which is all that a feed needs: it is linear whatever the input,
knows the entities of HTML and no others, and takes an element that is never closed to end with its item.
(turbohtml reads feeds too, but wants the right version and namespace, and gives no categories.)
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final, NamedTuple

import turbohtml

from pagestrata.page.decode import by_bom, choose_encoding, look_up
from pagestrata.page.feed import Feed, FeedItem
from pagestrata.page.raw import RawPage
from pagestrata.page.text import collapse, without_controls

MOST_BYTES: Final = 20_000_000
"""The rest of a longer feed is not read."""

_FEED = re.compile(rb"<(?:rss|feed|rdf:rdf)[\s>]")
_HEAD = 4096
_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""")
_NAME = re.compile(r"(/?)(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_HTML = re.compile(r"<[a-zA-Z/!]|&[a-zA-Z#]")
_OWN = frozenset(("", "atom", "atom03", "rss", "rss1", "dc", "content"))
"""Prefixes of names that are the feed's own; `media:title` and the like say something else."""
_ITEMS = frozenset(("item", "entry"))
_FIELDS = frozenset("title link guid id description summary content encoded category subject".split())
_LINKS = ("link", "guid", "id", "other link")
_DESCRIPTIONS = ("description", "summary", "encoded", "content")
_CATEGORIES = ("category", "subject")
"""Where an item says these things, the best place first."""


def is_feed(data: bytes) -> bool:
    """Whether this is a feed, by how it begins.

    >>> is_feed(b'<?xml version="1.0"?><rss version="2.0">'), is_feed(b"<html><p>the <rss> tag")
    (True, False)
    """
    head = data[:_HEAD].lower()
    return b"<html" not in head and _FEED.search(head) is not None


def read_feed(data: bytes) -> Feed:
    """Read a feed; what is none is a feed without items.

    >>> feed = read_feed(b"<rss><channel><title>Mud</title><item><title>Tea &amp; mud</title><link>/1</link></item>")
    >>> feed.title, feed.items[0].title, feed.items[0].link
    ('Mud', 'Tea & mud', '/1')
    """
    reader = _Reader()
    for piece in _pieces(_decoded(data[:MOST_BYTES])):
        reader.take(piece)
    return reader.feed()


def _decoded(data: bytes) -> str:
    declared = _DECLARED.match(data)
    name = by_bom(data, RawPage(b"")) or (look_up(declared[1].decode("ascii")) if declared else None)
    try:
        return data.decode(name or choose_encoding(data, RawPage(b"")).name, "replace")
    except LookupError:  # a name of the standard that Python does not know
        return data.decode("utf-8", "replace")


class _Piece(NamedTuple):
    """A tag, or a text if it has no name."""

    name: str
    """Without its prefix, in lower case; `#text` for text, `#cdata` for text that is not to be unescaped."""
    content: str
    """The text, or what stands between the brackets."""
    is_own: bool = True
    is_end: bool = False


def _pieces(markup: str) -> Iterator[_Piece]:
    """The tags and texts of a feed, in order. Comments, declarations and doctypes are passed over."""
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
                is_own = (tag[2] or "").lower() in _OWN
                yield _Piece(tag[3].lower(), markup[start + 1 : end], is_own, is_end=bool(tag[1]))
    yield _Piece("#text", markup[place:])


def _find(markup: str, what: str, start: int) -> int:
    """Where it is; if it never comes, the end."""
    place = markup.find(what, start)
    return place if place >= 0 else len(markup)


class _Reader:
    """Takes the pieces of a feed one after the other and remembers the items."""

    def __init__(self) -> None:
        self.title = ""
        self.items: list[FeedItem] = []
        self.is_in_item = False
        self.values: defaultdict[str, list[str]] = defaultdict(list)
        """What the fields of the open item say."""
        self.field = ""
        """The field that is open, if one is."""
        self.nested = 0
        """How many more elements of its name are open in it."""
        self.texts: list[str] = []

    def feed(self) -> Feed:
        self.turn_item(is_start=False)
        return Feed(self.title, tuple(self.items))

    def take(self, piece: _Piece) -> None:
        if piece.name in _ITEMS and piece.is_own:
            self.turn_item(is_start=not piece.is_end)
        elif self.field and piece.name.startswith("#"):
            self.texts.append(piece.content if piece.name == "#cdata" else unescape(piece.content))
        elif self.field and piece.name == self.field:
            self.count(piece)
        elif piece.name in _FIELDS and piece.is_own and not piece.is_end and self.field not in _DESCRIPTIONS:
            self.open_field(piece)  # a title or link that was never closed ends here
        elif self.field:
            self.texts.append(f"<{piece.content}>")  # markup that nobody escaped

    def turn_item(self, is_start: bool) -> None:
        """An item begins or ends; either way the one before is over."""
        self.close_field()
        if self.is_in_item:
            self.items.append(_item(self.values))
        self.is_in_item = is_start
        self.values = defaultdict(list)

    def open_field(self, piece: _Piece) -> None:
        self.close_field()
        given = {name: unescape(double or single) for name, double, single in _ATTRIBUTE.findall(piece.content)}
        if piece.name == "link" and "href" in given:
            self.keep("link" if given.get("rel", "alternate") == "alternate" else "other link", given["href"])
        elif piece.name == "category" and "term" in given:
            self.keep("category", given.get("label") or given["term"])
        elif not piece.content.endswith("/"):
            self.field, self.nested = piece.name, 0

    def count(self, piece: _Piece) -> None:
        """An element of the field's own name begins or ends in it."""
        self.nested += -1 if piece.is_end else not piece.content.endswith("/")
        if self.nested < 0:
            self.close_field()

    def close_field(self) -> None:
        if self.field:
            self.keep(self.field, "".join(self.texts))
        self.field, self.texts = "", []

    def keep(self, field: str, value: str) -> None:
        if self.is_in_item:
            self.values[field].append(value)
        elif field == "title" and not self.title:
            self.title = _plain(value)


def _item(values: Mapping[str, list[str]]) -> FeedItem:
    links = [
        link
        for field in _LINKS
        for link in map(str.strip, values.get(field, ()))
        if link and (field == "link" or _is_address(link))
    ]
    described = [plain for field in _DESCRIPTIONS for plain in map(_plain, values.get(field, ())) if plain]
    named = [plain for field in _CATEGORIES for plain in map(_plain, values.get(field, ())) if plain]
    return FeedItem(
        link=without_controls(next(iter(links), "")),
        title=_plain(next(iter(values.get("title", ())), "")),
        description=next(iter(described), ""),
        categories=tuple(dict.fromkeys(named)),
    )


def _is_address(link: str) -> bool:
    """Whether an identifier is also an address; `tag:…` and bare numbers are not."""
    return link.startswith(("https://", "http://"))


def _plain(value: str) -> str:
    """The text of what may be HTML, on one line."""
    if _HTML.search(value):
        value = turbohtml.parse(value).to_text()
    return collapse(without_controls(value))
