"""Page: the frozen result of parsing. A page is parsed once; everything after only reads it."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from pagestrata.page import tags
from pagestrata.page.blocks import Blocks
from pagestrata.page.boxes import Boxes
from pagestrata.page.columns import set_reasons, unescape
from pagestrata.page.drawn import Drawn
from pagestrata.page.limits import Limit
from pagestrata.page.nodes import Ints, Nodes
from pagestrata.page.paths import Paths, sibling_positions
from pagestrata.page.scan import places_of
from pagestrata.page.text import shortened, without_controls
from pagestrata.page.titles import MAX_HEADINGS, MAX_TITLE_LENGTH, choose_heading, is_home_link, letters_of
from pagestrata.page.web_address import is_web_address

T = TypeVar("T")

_NAME, _NAME_START, _VALUE_START, _VALUE_END = range(4)
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes were read."""

    name: str
    """The canonical name of the WHATWG table."""
    source: str
    """Which attempt of `decode.choose_encoding` succeeded; else `default`, or `text` when there were no bytes."""
    overruled: str = ""
    """The declaration that the bytes contradict, such as `UTF-8 (meta)`; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Base:
    """What relative links are resolved against."""

    url: str
    source: str
    """`base`, `url` (the one that was given), `canonical` or `og:url`."""


@dataclass(frozen=True, eq=False)
class Page:
    """A page as flat arrays and strings. It holds no parser objects, and pickles cheaply."""

    url: str | None
    """The address of the page, as it was given; None if there was none, or one that is none of a page."""
    source: str | None
    encoding: Encoding
    markup: str
    """The page as the parser read it, in XML form, without the content of scripts, styles and templates."""
    text: str
    """All text in document order, white space collapsed; spans of nodes and blocks are code points in it."""
    nodes: Nodes
    attributes: Ints
    """int32, four rows: number of the name, start of the name, start and end of the value in the markup."""
    blocks: Blocks
    title: str
    """The text of `<title>`."""
    json_ld: tuple[str, ...]
    """The texts of JSON-LD scripts, unchanged."""
    limits: tuple[Limit, ...]
    warnings: tuple[str, ...] = ()
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The nodes that each selector matched; see `Options.keep`."""
    refused_url: str | None = None
    """The address that was given, if it is none of a page: nothing is resolved against it."""
    boxes: Boxes | None = None
    """The box of each node when a browser drew the page; see `boxes_of` for an estimate where none did."""
    drawn: Drawn | None = None
    """The style of each node when a browser drew the page."""

    def __post_init__(self) -> None:
        self.attributes.flags.writeable = False

    def __repr__(self) -> str:
        return f"<Page {shortened(self.title)!r}: {len(self.nodes):,} nodes, {len(self.blocks):,} blocks>"

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    def with_hidden(self, reasons: Ints) -> "Page":
        """Return the page with its nodes hidden for these reasons: numbers in `tags.HIDDEN_BY`, one per node."""
        nodes, blocks = self.nodes.table.copy(), self.blocks.table.copy()
        set_reasons(nodes, blocks, reasons)
        return replace(self, nodes=Nodes(nodes, self.nodes.names), blocks=Blocks(blocks, self.blocks.word_rate))

    def text_of(self, node: int) -> str:
        """Return the text of a subtree."""
        start, end = self.text_span(node)
        return self.text[start:end]

    def text_span(self, node: int) -> tuple[int, int]:
        """Return where the text of a subtree begins and ends in the page's text."""
        starts, ends = self._text_edges
        return starts[node], ends[node]

    def block_texts(self, first: int = 0, last: int | None = None) -> list[str]:
        """Return the texts of the blocks from `first` up to `last`, by default of all."""
        starts, ends = self.blocks.text_start[first:last].tolist(), self.blocks.text_end[first:last].tolist()
        return [self.text[start:end] for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def _text_edges(self) -> tuple[memoryview, memoryview]:
        """Views of two columns: reading a single number from a view takes a fifth of the time that an array takes."""
        return self.nodes.text_start.data, self.nodes.text_end.data

    @cached_property
    def _attribute_edges(self) -> tuple[memoryview, memoryview, memoryview]:
        return self.nodes.attribute_start.data, self.nodes.attribute_end.data, self.attributes[_NAME].data

    def attribute(self, node: int, name: str) -> str | None:
        """Return the value of an attribute, or None if the element has none of that name."""
        number = tags.ATTRIBUTE.get(name, 0)
        starts, ends, numbers = self._attribute_edges
        for i in range(starts[node], ends[node]):
            if numbers[i] == number and (number or self._attribute_name(i) == name):
                return self._attribute_value(i)
        return None

    def attributes_of(self, node: int) -> Iterator[tuple[str, str]]:
        """Yield the names and values of all attributes of an element, in document order."""
        starts, ends, _ = self._attribute_edges
        for i in range(starts[node], ends[node]):
            yield self._attribute_name(i), self._attribute_value(i)

    def tag_end(self, node: int) -> int:
        """Where the start tag of an element ends in the markup, if it has attributes; else the end of the markup."""
        starts, ends = self.nodes.attribute_start, self.nodes.attribute_end
        if starts[node] == ends[node]:
            return len(self.markup)
        return self.markup.find(">", int(self.attributes[_VALUE_END, int(ends[node]) - 1])) + 1

    def nodes_with(self, name: str) -> Ints:
        """Return the elements that have an attribute with a number in `tags.ATTRIBUTES`, in document order."""
        places = (self.attributes[_NAME] == tags.ATTRIBUTE[name]).nonzero()[0]
        return self._elements_at(places).astype(np.int32)

    def _elements_at(self, places: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return the elements of the attributes at these places; one type of numbers saves a copy of the column."""
        return self.nodes.attribute_end.searchsorted(places.astype(np.int32), side="right")

    def values_of(self, name: str, among: range | None = None, limit: int | None = None) -> list[tuple[int, str]]:
        """Return each element with an attribute of a numbered name, and its value; all are read at once.

        `among` restricts the elements to a range of nodes, `limit` their number.
        """
        if among is not None or limit is not None:
            return self._read_values(name, among, limit)
        if name not in self._values:
            self._values[name] = self._read_values(name)
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, list[tuple[int, str]]]:
        """The values of attributes that have been read: several modules need the classes of all elements."""
        return {}

    def _read_values(self, name: str, among: range | None = None, limit: int | None = None) -> list[tuple[int, str]]:
        names, first = self.attributes[_NAME], 0
        if among is not None:
            first = int(self.nodes.attribute_start[among.start]) if among else 0
            names = names[first : int(self.nodes.attribute_end[among.stop - 1]) if among else 0]
        return self.values_at((names == tags.ATTRIBUTE[name]).nonzero()[0][:limit] + first)

    def values_at(self, places: npt.NDArray[np.intp]) -> list[tuple[int, str]]:
        """Return the element and the value of the attributes at these places of `attributes`; all are read at once."""
        if not len(places):
            return []
        nodes = self._elements_at(places).tolist()
        starts, ends = self.attributes[_VALUE_START : _VALUE_END + 1, places].tolist()
        values = [self.markup[start:end] for start, end in zip(starts, ends, strict=True)]
        values = [unescape(value) if "&" in value else value for value in values]
        if not "".join(values).isprintable():
            values = [without_controls(value) for value in values]
        return list(zip(nodes, values, strict=True))

    def nodes_tagged(self, *names: str) -> Ints:
        """Return the elements with one of these tags, in document order."""
        numbers = [tags.TAG[name] for name in names]
        is_tagged = self.nodes.tag == numbers[0] if len(numbers) == 1 else self.nodes.is_one_of(numbers)
        return is_tagged.nonzero()[0].astype(np.int32)

    def blocks_of(self, node: int) -> tuple[int, int]:
        """Return the first of the blocks that begin in a subtree, and one past the last."""
        starts, ends = self._block_edges
        return bisect_left(starts, node), bisect_left(starts, ends[node])

    @cached_property
    def _block_edges(self) -> tuple[memoryview, memoryview]:
        return self.blocks.node_start.data, self.nodes.end.data

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """Each `<a>` with an `href`, and that `href` unchanged; cached, as most methods need it."""
        targets = self.values_of("href")
        is_anchor = self.nodes.tag[[node for node, _ in targets]] == tags.TAG["a"] if targets else ()
        return [target for target, is_link in zip(targets, is_anchor, strict=True) if is_link]

    def once(self, compute: Callable[["Page"], T]) -> T:
        """Return the result of a function of the page alone; computed at the first call, as pages never change."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        result: T = self._computed[compute]
        return result

    @cached_property
    def _computed(self) -> dict[Callable[["Page"], Any], Any]:
        return {}

    @cached_property
    def title_heading(self) -> int | None:
        """The heading that is the title, as `choose_heading` finds it; None if there is none."""
        title = self.title[:MAX_TITLE_LENGTH]
        headings = self._heading_texts(places_of(self.nodes.tag, tags.TAG["h1"])[:MAX_HEADINGS])
        if not is_home_link(self.url or ""):
            # A heading that leads to the home page is the name of the site, and the title only if there is no other.
            headings = {
                n: text
                for n, text in headings.items()
                if not self.leads_home(n) or letters_of(text) == letters_of(title)
            }
        return choose_heading(title, headings, lambda: self._lower_headings(len(title)))

    def _lower_headings(self, length: int) -> dict[int, str]:
        """The headings below the first level that are no longer than the title."""
        nodes = self.nodes_tagged("h2", "h3", "h4")[:MAX_HEADINGS]
        is_short = self.nodes.text_end[nodes] - self.nodes.text_start[nodes] <= length + len(" ¶")
        return self._heading_texts(nodes[is_short].tolist())

    def _heading_texts(self, nodes: list[int]) -> dict[int, str]:
        starts, ends = self._text_edges
        texts = ((node, self.text[starts[node] : min(ends[node], starts[node] + MAX_TITLE_LENGTH)]) for node in nodes)
        return {node: text for node, text in texts if text.strip()}

    def leads_home(self, node: int) -> bool:
        """Whether an element is a link to the home page: it is in one, or begins with one."""
        parent, tag = int(self.nodes.parent[node]), self.nodes.tag.data
        links = [link for link in (parent, node + 1) if 0 <= link < len(self.nodes) and tag[link] == tags.TAG["a"]]
        targets = (self.attribute(link, "href") for link in links)
        return any(is_home_link(target) for target in targets if target)

    @cached_property
    def sibling_positions(self) -> Ints:
        """The position of each node among the siblings of its tag; see `paths`."""
        return sibling_positions(self.nodes)

    @cached_property
    def paths(self) -> Paths:
        """The XPath and CSS path of each node in a browser."""
        return Paths(self.nodes, self.sibling_positions)

    @cached_property
    def base(self) -> Base | None:
        """The address that relative links are resolved against, and where it is from; None if the page has none.

        That is `<base href>`, itself resolved against the address of the page: the given one, or the one it states.
        As in a browser, a `<base>` whose address cannot be used changes nothing.
        """
        address = Base(self.url, "url") if self.url else self._stated_address()
        for node in self.nodes_tagged("base"):
            href = self.attribute(int(node), "href")
            if href:
                base = _join(address.url if address else None, href)
                return Base(base, "base") if is_web_address(base) or not _SCHEME.match(base) else address
        return address

    def _stated_address(self) -> Base | None:
        """The address that the page states for itself: its canonical link, else that of OpenGraph."""
        links = (int(node) for node in self.nodes_tagged("link"))
        canonical = (self.attribute(node, "href") for node in links if self._has_word(node, "rel", "canonical"))
        metas = (int(node) for node in self.nodes_tagged("meta"))
        shared = (self.attribute(node, "content") for node in metas if self._has_word(node, "property", "og:url"))
        for source, addresses in (("canonical", canonical), ("og:url", shared)):
            for address in addresses:
                if address and is_web_address(address):
                    return Base(address.strip(), source)
        return None

    def _has_word(self, node: int, name: str, word: str) -> bool:
        return word in (self.attribute(node, name) or "").lower().split()

    @property
    def base_url(self) -> str | None:
        """The address that relative links are resolved against."""
        return self.base.url if self.base else None

    def resolve(self, link: str) -> str:
        """Return a link as an absolute one, as far as an address of the page is known."""
        return _join(self.base_url, link)

    def _attribute_name(self, i: int) -> str:
        name_starts, starts, _ = self._attribute_spans
        return self.markup[name_starts[i] : starts[i] - 2]

    def _attribute_value(self, i: int) -> str:
        _, starts, ends = self._attribute_spans
        return without_controls(unescape(self.markup[starts[i] : ends[i]]))

    @cached_property
    def _attribute_spans(self) -> tuple[memoryview, memoryview, memoryview]:
        """Where names and values are in the markup."""
        return self.attributes[_NAME_START].data, self.attributes[_VALUE_START].data, self.attributes[_VALUE_END].data


def _join(base: str | None, link: str) -> str:
    try:
        return urljoin(base or "", link.strip())
    except ValueError:  # "http://[" and the like: left unchanged, the renderers refuse what they cannot read
        return link.strip()
