"""Page: the frozen whole. Parsed once; everything after only reads it."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from pagestrata.page import tags
from pagestrata.page.blocks import Blocks
from pagestrata.page.boxes import Boxes
from pagestrata.page.columns import unescape
from pagestrata.page.drawn import Drawn
from pagestrata.page.nodes import Ints, Nodes
from pagestrata.page.paths import Paths, sibling_positions
from pagestrata.page.scan import places_of
from pagestrata.page.text import without_controls, words

T = TypeVar("T")

_NAME, _NAME_START, _VALUE_START, _VALUE_END = range(4)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes were read."""

    name: str
    """The canonical name of the WHATWG table."""
    source: str
    """What said so: see `decode.ATTEMPTS`; else `default`, or `text` when there were no bytes."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that bit: what was found, what is allowed, what was done."""

    name: str
    allowed: int
    found: int
    effect: str

    def __str__(self) -> str:
        return f"{self.name}: {self.found:,} where {self.allowed:,} are allowed; {self.effect}"


@dataclass(frozen=True, eq=False)
class Page:
    """A page as flat arrays and strings. It holds no parser objects, and pickles cheaply."""

    url: str | None
    source: str | None
    encoding: Encoding
    markup: str
    """The page as the parser understood it, in XML form, without the inside of scripts, styles and templates."""
    text: str
    """All text in document order, white space collapsed; spans of nodes and blocks are code points in it."""
    nodes: Nodes
    attributes: Ints
    """int32, four rows: number of the name, start of the name, start and end of the value in the markup."""
    blocks: Blocks
    title: str
    """What `<title>` says."""
    json_ld: tuple[str, ...]
    """The texts of JSON-LD scripts, as they stand."""
    limits: tuple[Limit, ...]
    warnings: tuple[str, ...] = ()
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """What each selector found, as nodes; see `Options.keep`."""
    boxes: Boxes | None = None
    """Where each node stood when a browser drew the page; see `boxes_of` for a guess where none did."""
    drawn: Drawn | None = None
    """How each node looked then."""

    def __post_init__(self) -> None:
        self.attributes.flags.writeable = False

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    def text_of(self, node: int) -> str:
        """The text of a subtree."""
        starts, ends = self._text_edges
        return self.text[starts[node] : ends[node]]

    @cached_property
    def _text_edges(self) -> tuple[memoryview, memoryview]:
        """Views, from which a single number is read in a fifth of the time that it takes from an array."""
        return self.nodes.text_start.data, self.nodes.text_end.data

    @cached_property
    def _attribute_edges(self) -> tuple[memoryview, memoryview, memoryview]:
        return self.nodes.attribute_start.data, self.nodes.attribute_end.data, self.attributes[_NAME].data

    def attribute(self, node: int, name: str) -> str | None:
        """The value of an attribute, or None when the element has none of that name."""
        number = tags.ATTRIBUTE.get(name, 0)
        starts, ends, numbers = self._attribute_edges
        for i in range(starts[node], ends[node]):
            if numbers[i] == number and (number or self._attribute_name(i) == name):
                return self._attribute_value(i)
        return None

    def attributes_of(self, node: int) -> Iterator[tuple[str, str]]:
        """All attributes of an element, in the order of the page."""
        starts, ends, _ = self._attribute_edges
        for i in range(starts[node], ends[node]):
            yield self._attribute_name(i), self._attribute_value(i)

    def nodes_with(self, name: str) -> Ints:
        """The elements that have an attribute with a number in `tags.ATTRIBUTES`, in document order."""
        places = np.flatnonzero(self.attributes[_NAME] == tags.ATTRIBUTE[name])
        return (np.searchsorted(self.nodes.attribute_end, places, side="right")).astype(np.int32)

    def values_of(self, name: str, among: range | None = None, most: int | None = None) -> list[tuple[int, str]]:
        """Each element (among these) with an attribute of a numbered name, and what it says; all read at once."""
        if among is not None or most is not None:
            return self._read_values(name, among, most)
        if name not in self._values:
            self._values[name] = self._read_values(name)
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, list[tuple[int, str]]]:
        """What was read of attributes: several ask for the classes of all elements."""
        return {}

    def _read_values(self, name: str, among: range | None = None, most: int | None = None) -> list[tuple[int, str]]:
        names, first = self.attributes[_NAME], 0
        if among is not None:
            first = int(self.nodes.attribute_start[among.start]) if among else 0
            names = names[first : int(self.nodes.attribute_end[among.stop - 1]) if among else 0]
        return self.values_at(np.flatnonzero(names == tags.ATTRIBUTE[name])[:most] + first)

    def values_at(self, places: npt.NDArray[np.intp]) -> list[tuple[int, str]]:
        """The element and the value of each of these attributes, by their places in `attributes`; read all at once."""
        if not len(places):
            return []
        nodes = np.searchsorted(self.nodes.attribute_end, places, side="right").tolist()
        starts, ends = self.attributes[_VALUE_START : _VALUE_END + 1, places].tolist()
        values = [self.markup[start:end] for start, end in zip(starts, ends, strict=True)]
        values = [unescape(value) if "&" in value else value for value in values]
        if not "".join(values).isprintable():
            values = [without_controls(value) for value in values]
        return list(zip(nodes, values, strict=True))

    def nodes_tagged(self, *names: str) -> Ints:
        """The elements with one of these tags, in document order."""
        numbers = [tags.TAG[name] for name in names]
        found = self.nodes.tag == numbers[0] if len(numbers) == 1 else self.nodes.is_one_of(numbers)
        return np.flatnonzero(found).astype(np.int32)

    def blocks_of(self, node: int) -> tuple[int, int]:
        """The first of the blocks that begin in a subtree, and the one after the last."""
        starts = self._block_starts
        return bisect_left(starts, node), bisect_left(starts, self.nodes.end.data[node])

    @cached_property
    def _block_starts(self) -> memoryview:
        return self.blocks.node_start.data

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """Each `<a>` with an `href`, and where that leads, as it stands: most methods ask for it."""
        is_anchor = (self.nodes.tag == tags.TAG["a"]).tolist()
        return [(node, target) for node, target in self.values_of("href") if is_anchor[node]]

    def once(self, compute: Callable[["Page"], T]) -> T:
        """What a function of the page alone returns, computed at the first call: the page never changes."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        found: T = self._computed[compute]
        return found

    @cached_property
    def _computed(self) -> dict[Callable[["Page"], Any], Any]:
        return {}

    @cached_property
    def title_heading(self) -> int | None:
        """The heading that says what `<title>` says, or the only `<h1>` when none does; None if there is none."""
        headings = [node for node in places_of(self.nodes.tag, tags.TAG["h1"]) if self.text_of(node).strip()]
        if len(headings) < 2:
            return headings[0] if headings else None
        wanted = set(words(self.title.lower()))
        shared = [len(wanted.intersection(words(self.text_of(node).lower()))) for node in headings]
        return headings[shared.index(max(shared))] if any(shared) else None

    @cached_property
    def sibling_positions(self) -> Ints:
        """The position of each node among the siblings of its tag; see `paths`."""
        return sibling_positions(self.nodes)

    @cached_property
    def paths(self) -> Paths:
        """What leads to each node in a browser."""
        return Paths(self.nodes, self.sibling_positions)

    @cached_property
    def base_url(self) -> str | None:
        """What relative links are resolved against: `<base href>`, itself resolved against the page's own URL."""
        for node in self.nodes_tagged("base"):
            href = self.attribute(int(node), "href")
            if href:
                return _join(self.url, href)
        return self.url

    def resolve(self, link: str) -> str:
        """A link made absolute, as far as the page's URL is known."""
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
    except ValueError:  # "http://[" and the like: left as it stands, the writers refuse what they cannot read
        return link.strip()
