"""Element types, and the structural patterns that they and their levels make (FOREST, Oita and Senellart, 2012).

An element type is the tag with all attributes in tolerant form: the first token of each value, digits removed. Values
that are no names (addresses, data) count by their presence only (ours). The paper tells an element without attributes
by its number in a depth-first walk (`dfs`); here (ours) one that can hold an article is told by the tags on the way to
it, so that it is still the same element when another page has a banner or a paragraph more.

Patterns and wrappers are plain data. A wrapper can be written as XPath 1.0 and as CSS; browsers put a `tbody` in every
table and some parsers do not, so the XPath holds with and without it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Final, TypeVar

import numpy as np

from pagestrata.page import tags
from pagestrata.page.columns import unescape
from pagestrata.page.nodes import Bools, Ints
from pagestrata.page.page import Page

LONGEST_NAME: Final = 80
"""A first token that is longer is data, not a name."""
MOST_ATTRIBUTES: Final = 16
"""Attributes of one element that are looked at."""

LINES: Final = frozenset(
    "p h1 h2 h3 h4 h5 h6 li dt dd a abbr b big cite code em i label mark q s small span strong sub sup time u".split()
)
"""Elements of one line or item: none is the same on two pages, and none holds an article. (`font` may: it did once.)"""

_DIGITS = re.compile("[0-9]+")
_NAME = re.compile(r"[\w:;.#!,-]*\Z")
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*\Z", re.ASCII)
_Way = tuple[tuple[str, ...], tuple[int, ...]]
_Step = TypeVar("_Step", str, int)
_CLEANED_AWAY = tuple(tags.TAG[name] for name in "head script style noscript template".split())


def tolerant(value: str) -> str:
    """The first token of an attribute's value, without digits; nothing if that is no name.

    >>> tolerant("post wrapper-02"), tolerant("post-81 wide"), tolerant("/img/top.png")
    ('post', 'post-', '')
    """
    token = next(iter(value[: LONGEST_NAME + 1].split(maxsplit=1)), "")
    return _DIGITS.sub("", token) if len(token) <= LONGEST_NAME and _NAME.match(token) else ""


def literal(value: str) -> str:
    """The whole value as it stands; what the paper compares the tolerant form with."""
    return value[:LONGEST_NAME]


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """A structural pattern: an element type at a level."""

    tag: str
    level: int
    """0 is `html`."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names and values in tolerant form, sorted."""
    address: str = ""
    """If there are no attributes: the tags on the way from the root, as `html/body/p`; in the paper's form `dfs=98`."""

    def __str__(self) -> str:
        told = " and ".join(f'@{name}="{value}"' for name, value in self.attributes)
        return f"//{self.tag}[{told or '@' + self.address}]" if told or "=" in self.address else f"/{self.address}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The best element of a pattern on one page."""

    pattern: Pattern
    value: float
    """How informative it is there."""
    dfs: int
    way: tuple[str, ...]
    """The tags from the root to it."""
    places: tuple[int, ...]
    """The position of each of them among the siblings of its tag."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A pattern with what the sample pages say of it."""

    pattern: Pattern
    relevance: float
    pages: int
    """On how many pages it is on a significant path: the paper's p."""
    dfs: tuple[int, ...]
    """The numbers that its elements had."""
    way: tuple[str, ...]
    """The tags from the root to it; `*` where they differ from page to page."""
    places: tuple[int, ...]
    """Their positions among the siblings of their tag; 0 where they differ."""

    def __str__(self) -> str:
        """As the paper writes a generic wrapper.

        >>> str(Wrapper(Pattern("div", 2, (("class", "story"),)), 1.0, 8, (78, 82), ("html", "body", "div"), (1, 1, 0)))
        '//div[contains(@class,"story") and (@dfs="78" or @dfs="82")]'
        """
        told = [f'contains(@{name},"{value}")' for name, value in self.pattern.attributes]
        numbers = " or ".join(f'@dfs="{number}"' for number in self.dfs)
        return f"//{self.pattern.tag}[{' and '.join([*told, f'({numbers})'])}]"

    @property
    def xpath(self) -> str:
        """An XPath 1.0 that runs on a page as it is."""
        if not self.pattern.attributes:
            return _xpath_of_way(self.way, self.places)
        told = [_xpath_test(name, value) for name, value in self.pattern.attributes]
        level = self.pattern.level - self.way.count("tbody")
        return f"//{self.pattern.tag}[{' and '.join([f'count(ancestor::*[not(self::tbody)])={level}', *told])}]"

    @property
    def css(self) -> str:
        """A CSS selector for the page as a browser has it; attributes are told by how their values begin."""
        if not self.pattern.attributes:
            return " > ".join(
                f"{tag}:nth-of-type({place})" if place and level else tag
                for level, (tag, place) in enumerate(zip(self.way, self.places, strict=True))
            )
        told = "".join(
            f'[{_css_name(name)}^="{value}"]' if value else f"[{_css_name(name)}]"
            for name, value in self.pattern.attributes
        )
        return " > ".join([*self.way[:-1], self.pattern.tag + told])


def _xpath_test(name: str, value: str) -> str:
    """Whether the tolerant form of an attribute is this; XPath 1.0 can say it.

    >>> _xpath_test("class", "post")
    'translate(substring-before(concat(normalize-space(@class)," ")," "),"0123456789","")="post"'
    """
    attribute = f"@{name}" if _PLAIN.match(name) else f'@*[name()="{name}"]'
    if not value:
        return attribute
    return f'translate(substring-before(concat(normalize-space({attribute})," ")," "),"0123456789","")="{value}"'


def _xpath_of_way(way: Sequence[str], places: Sequence[int]) -> str:
    """The steps from the root; rows are looked for below their table, whether or not there is a `tbody` between.

    >>> _xpath_of_way(["html", "body", "table", "tbody", "tr", "td"], [1, 1, 2, 1, 3, 0])
    '/html[1]/body[1]/table[2]/descendant::tr[count(ancestor::table)=1][3]/td'
    """
    steps, tables = [], 0
    for tag, place in zip(way, places, strict=True):
        tables += tag == "table"
        axis = f"descendant::tr[count(ancestor::table)={tables}]" if tag == "tr" and tables else tag
        if tag != "tbody":
            steps.append(f"/{axis}[{place}]" if place else f"/{axis}")
    return "".join(steps)


def _css_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_\u0080-\U0010ffff-]", r"\\\g<0>", name)


def rank(pages: Iterable[Sequence[Occurrence]], by_level: bool = True) -> tuple[Wrapper, ...]:
    """All patterns by relevance R = (sum of their values) · p · level, the highest first; pages in any order."""
    found: defaultdict[Pattern, list[Occurrence]] = defaultdict(list)
    for occurrences in pages:
        for occurrence in occurrences:
            found[occurrence.pattern].append(occurrence)
    wrappers = [_wrapper(pattern, occurrences, by_level) for pattern, occurrences in found.items()]
    return tuple(sorted(wrappers, key=lambda wrapper: (-wrapper.relevance, wrapper.pattern)))


def _wrapper(pattern: Pattern, occurrences: Sequence[Occurrence], by_level: bool) -> Wrapper:
    pages = len(occurrences)
    relevance = fsum(occurrence.value for occurrence in occurrences) * pages * (pattern.level if by_level else 1)
    way = _common((occurrence.way for occurrence in occurrences), "*")
    places = _common((occurrence.places for occurrence in occurrences), 0)
    numbers = tuple(sorted({occurrence.dfs for occurrence in occurrences}))
    return Wrapper(pattern, relevance, pages, numbers, way, places)


def _common(rows: Iterable[tuple[_Step, ...]], otherwise: _Step) -> tuple[_Step, ...]:
    """What all rows have at each place.

    >>> _common([(1, 1, 4), (1, 2, 4)], 0)
    (1, 0, 4)
    """
    return tuple(steps[0] if len(set(steps)) == 1 else otherwise for steps in zip(*rows, strict=True))


# ------------------------------------------------------------------------------------------------------ on a page


def dfs_numbers(page: Page) -> Ints:
    """The number of each element in a depth-first walk, after the paper's cleaning; `html` is 0, `body` 1."""
    tag, end = page.nodes.tag, page.nodes.end
    edges = np.zeros(len(tag) + 1, np.int32)
    gone = np.flatnonzero(page.nodes.is_one_of(_CLEANED_AWAY))
    np.add.at(edges, gone, 1)
    np.add.at(edges, end[gone], -1)
    counted = (tag != tags.TEXT) & (np.cumsum(edges[:-1]) == 0)
    return (np.cumsum(counted) - 1).astype(np.int32)


class ElementTypes:
    """Reads the patterns of a page's elements."""

    def __init__(self, page: Page, is_tolerant: bool = True, is_aligned: bool = True) -> None:
        self.page = page
        self._form = tolerant if is_tolerant else literal
        self._is_aligned = is_aligned
        self._forms: dict[str, str] = {}
        self._ways: dict[int, _Way] = {-1: ((), ())}

    def occurrences(self, nodes: Sequence[int], values: Sequence[float]) -> list[Occurrence]:
        """The patterns of these elements; of several with the same pattern the one of largest value, then the first."""
        best: dict[Pattern, tuple[float, int]] = {}
        for node, value in zip(nodes, values, strict=True):
            pattern = self.pattern(node)
            if pattern not in best or value > best[pattern][0]:
                best[pattern] = value, node
        return [
            Occurrence(pattern, value, int(self._dfs_numbers[node]), *self._way(node))
            for pattern, (value, node) in best.items()
        ]

    def pattern(self, node: int) -> Pattern:
        """The pattern of an element."""
        nodes = self.page.nodes
        attributes, level = self._attributes(node), int(nodes.depth[node])
        return Pattern(nodes.tag_name(node), level, attributes, "" if attributes else self._address(node))

    def led_to(self, ranked: Iterable[Wrapper], values: Mapping[int, float]) -> Iterator[tuple[Wrapper, int]]:
        """Each wrapper that leads to something here, and what it leads to: the element of the largest value."""
        for wrapper in ranked:
            found = self.find(wrapper)
            if found:
                yield wrapper, max(found, key=lambda node: values.get(node, 0.0))

    def find(self, wrapper: Wrapper) -> list[int]:
        """The elements with the pattern of a wrapper; if some stand where it stood on all sample pages, only those."""
        nodes, pattern = self.page.nodes, wrapper.pattern
        there = (nodes.depth == pattern.level) & (nodes.tag == self._tag(pattern.tag))
        if "/" in pattern.address:
            there &= self._along(pattern.address.split("/"))
        found = np.flatnonzero(there).astype(np.int32)
        found = found[[self._has(node, pattern) for node in found.tolist()]] if len(found) else found
        placed = found[self._are_at(found, wrapper.places)]
        chosen: list[int] = (placed if len(placed) else found).tolist()
        return chosen

    def _has(self, node: int, pattern: Pattern) -> bool:
        """Whether an element whose tag, level and way are right has the rest of a pattern, too."""
        if self._attributes(node) != pattern.attributes:
            return False
        return "=" not in pattern.address or pattern.address == self._address(node)

    def _are_at(self, nodes: Ints, places: Sequence[int]) -> Bools:
        """Which of these elements are reached by the places of a way."""
        positions, parent = self.page.sibling_positions, self.page.nodes.parent
        agree = np.ones(len(nodes), np.bool_)
        for place in reversed(places):
            agree &= (place == 0) | (positions[nodes] == place)
            nodes = parent[nodes]
        return agree

    def _tag(self, name: str) -> int:
        names = self.page.nodes.names
        return names.index(name) if name in names else -1

    def _attributes(self, node: int) -> tuple[tuple[str, str], ...]:
        page, start = self.page, int(self.page.nodes.attribute_start[node])
        end = min(int(page.nodes.attribute_end[node]), start + MOST_ATTRIBUTES)
        found = []
        for number, name_start, value_start, value_end in page.attributes[:, start:end].T.tolist():
            name = tags.ATTRIBUTES[number] if number else page.markup[name_start : value_start - 2]
            raw = page.markup[value_start : min(value_end, value_start + 2 * LONGEST_NAME)]
            if raw not in self._forms:
                self._forms[raw] = self._form(unescape(raw))
            found.append((name, self._forms[raw]))
        return tuple(sorted(found))

    def _address(self, node: int) -> str:
        if self._is_aligned and self.page.nodes.tag_name(node) not in LINES:
            return "/".join(self._way(node)[0])
        return f"dfs={self._dfs_numbers[node]}"

    @cached_property
    def _dfs_numbers(self) -> Ints:
        return dfs_numbers(self.page)

    def _along(self, way: Sequence[str]) -> Bools:
        """Which nodes the tags of the way lead to."""
        nodes = self.page.nodes
        led = np.zeros(len(nodes), np.bool_)
        led[0] = nodes.tag_name(0) == way[0]
        for level, tag in enumerate(way[1:], 1):
            there = np.flatnonzero((nodes.depth == level) & (nodes.tag == self._tag(tag)))
            led[there] = led[nodes.parent[there]]
        return led

    def _way(self, node: int) -> "_Way":
        """The tags from the root to an element, and their places; those of its ancestors are remembered."""
        nodes, positions, missing = self.page.nodes, self.page.sibling_positions, []
        while node not in self._ways:
            missing.append(node)
            node = int(nodes.parent[node])
        tags_so_far, places = self._ways[node]
        for step in reversed(missing):
            tags_so_far, places = (*tags_so_far, nodes.tag_name(step)), (*places, int(positions[step]))
            self._ways[step] = tags_so_far, places
        return tags_so_far, places
