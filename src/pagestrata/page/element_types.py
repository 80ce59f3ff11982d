"""Element types, and the structural patterns that they and their levels make (FOREST, Oita and Senellart, 2012).

An element type is the tag with all attributes in tolerant form: the first token of each value, digits removed. Values
that are not names (addresses, data) count by their presence only (ours). The paper identifies an element without
attributes by its number in a depth-first walk (`dfs`); here (ours) one that can hold an article is identified by the
tags on the path to it, so that it is still the same element when another page has one banner or paragraph more.

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

MAX_NAME_LENGTH: Final = 80
"""A longer first token is data, not a name."""
MAX_ATTRIBUTES: Final = 16
"""Attributes of one element that are read."""

LINES: Final = frozenset(
    "p h1 h2 h3 h4 h5 h6 li dt dd a abbr b big cite code em i label mark q s small span strong sub sup time u".split()
)
"""Elements of one line or item, none of which holds an article or is the same on two pages. (`font` may hold one.)"""

_DIGITS = re.compile("[0-9]+")
_NAME = re.compile(r"[\w:;.#!,-]*\Z")
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*\Z", re.ASCII)
_TagPath = tuple[tuple[str, ...], tuple[int, ...]]
_Step = TypeVar("_Step", str, int)
_REMOVED_TAGS = tags.numbers_of("head script style noscript template")


def tolerant(value: str) -> str:
    """Return the first token of an attribute's value without digits, or an empty string if it is not a name.

    >>> tolerant("post wrapper-02"), tolerant("post-81 wide"), tolerant("/img/top.png")
    ('post', 'post-', '')
    """
    token = next(iter(value[: MAX_NAME_LENGTH + 1].split(maxsplit=1)), "")
    return _DIGITS.sub("", token) if len(token) <= MAX_NAME_LENGTH and _NAME.match(token) else ""


def literal(value: str) -> str:
    """Return the value unchanged; the paper compares the tolerant form with it."""
    return value[:MAX_NAME_LENGTH]


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """A structural pattern: an element type at a level."""

    tag: str
    level: int
    """0 is `html`."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names and values in tolerant form, sorted."""
    address: str = ""
    """If there are no attributes: the tags from the root, as `html/body/p`; in the paper's form `dfs=98`."""

    def __str__(self) -> str:
        tests = " and ".join(f'@{name}="{value}"' for name, value in self.attributes)
        return f"//{self.tag}[{tests or '@' + self.address}]" if tests or "=" in self.address else f"/{self.address}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The best element of a pattern on one page."""

    pattern: Pattern
    value: float
    """How informative the element is on that page."""
    dfs: int
    tag_path: tuple[str, ...]
    """The tags from the root to it."""
    places: tuple[int, ...]
    """The position of each of these among its siblings of the same tag."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A pattern with what was measured on the sample pages."""

    pattern: Pattern
    relevance: float
    pages: int
    """The number of pages on which it is on a significant path: the paper's p."""
    dfs: tuple[int, ...]
    """The depth-first numbers of its elements."""
    tag_path: tuple[str, ...]
    """The tags from the root to it; `*` where they differ from page to page."""
    places: tuple[int, ...]
    """Their positions among siblings of the same tag; 0 where they differ."""

    def __str__(self) -> str:
        """Write a generic wrapper in the notation of the paper.

        >>> str(Wrapper(Pattern("div", 2, (("class", "story"),)), 1.0, 8, (78, 82), ("html", "body", "div"), (1, 1, 0)))
        '//div[contains(@class,"story") and (@dfs="78" or @dfs="82")]'
        """
        tests = [f'contains(@{name},"{value}")' for name, value in self.pattern.attributes]
        numbers = " or ".join(f'@dfs="{number}"' for number in self.dfs)
        return f"//{self.pattern.tag}[{' and '.join([*tests, f'({numbers})'])}]"

    @property
    def xpath(self) -> str:
        """An XPath 1.0 for the original page."""
        if not self.pattern.attributes:
            return _xpath_of_tag_path(self.tag_path, self.places)
        tests = [_xpath_test(name, value) for name, value in self.pattern.attributes]
        level = self.pattern.level - self.tag_path.count("tbody")
        return f"//{self.pattern.tag}[{' and '.join([f'count(ancestor::*[not(self::tbody)])={level}', *tests])}]"

    @property
    def css(self) -> str:
        """A CSS selector for the page in a browser; attributes are matched by the start of their values."""
        if not self.pattern.attributes:
            return " > ".join(
                f"{tag}:nth-of-type({place})" if place and level else tag
                for level, (tag, place) in enumerate(zip(self.tag_path, self.places, strict=True))
            )
        tests = "".join(
            f'[{_css_name(name)}^="{value}"]' if value else f"[{_css_name(name)}]"
            for name, value in self.pattern.attributes
        )
        return " > ".join([*self.tag_path[:-1], self.pattern.tag + tests])


def _xpath_test(name: str, value: str) -> str:
    """Return an XPath 1.0 test for the tolerant form of an attribute.

    >>> _xpath_test("class", "post")
    'translate(substring-before(concat(normalize-space(@class)," ")," "),"0123456789","")="post"'
    """
    attribute = f"@{name}" if _PLAIN.match(name) else f'@*[name()="{name}"]'
    if not value:
        return attribute
    return f'translate(substring-before(concat(normalize-space({attribute})," ")," "),"0123456789","")="{value}"'


def _xpath_of_tag_path(tag_path: Sequence[str], places: Sequence[int]) -> str:
    """Return the steps from the root; rows are searched below their table, with or without a `tbody` between.

    >>> _xpath_of_tag_path(["html", "body", "table", "tbody", "tr", "td"], [1, 1, 2, 1, 3, 0])
    '/html[1]/body[1]/table[2]/descendant::tr[count(ancestor::table)=1][3]/td'
    """
    steps, tables = [], 0
    for tag, place in zip(tag_path, places, strict=True):
        tables += tag == "table"
        axis = f"descendant::tr[count(ancestor::table)={tables}]" if tag == "tr" and tables else tag
        if tag != "tbody":
            steps.append(f"/{axis}[{place}]" if place else f"/{axis}")
    return "".join(steps)


def _css_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_\u0080-\U0010ffff-]", r"\\\g<0>", name)


def rank(pages: Iterable[Sequence[Occurrence]], by_level: bool = True) -> tuple[Wrapper, ...]:
    """Return all patterns by relevance R = (sum of their values) · p · level, highest first; pages in any order."""
    by_pattern: defaultdict[Pattern, list[Occurrence]] = defaultdict(list)
    for occurrences in pages:
        for occurrence in occurrences:
            by_pattern[occurrence.pattern].append(occurrence)
    wrappers = [_wrapper(pattern, occurrences, by_level) for pattern, occurrences in by_pattern.items()]
    return tuple(sorted(wrappers, key=lambda wrapper: (-wrapper.relevance, wrapper.pattern)))


def _wrapper(pattern: Pattern, occurrences: Sequence[Occurrence], by_level: bool) -> Wrapper:
    pages = len(occurrences)
    relevance = fsum(occurrence.value for occurrence in occurrences) * pages * (pattern.level if by_level else 1)
    tag_path = _common((occurrence.tag_path for occurrence in occurrences), "*")
    places = _common((occurrence.places for occurrence in occurrences), 0)
    numbers = tuple(sorted({occurrence.dfs for occurrence in occurrences}))
    return Wrapper(pattern, relevance, pages, numbers, tag_path, places)


def _common(rows: Iterable[tuple[_Step, ...]], replacement: _Step) -> tuple[_Step, ...]:
    """Return the value that all rows have at each place, or the replacement where they differ.

    >>> _common([(1, 1, 4), (1, 2, 4)], 0)
    (1, 0, 4)
    """
    return tuple(steps[0] if len(set(steps)) == 1 else replacement for steps in zip(*rows, strict=True))


# ------------------------------------------------------------------------------------------------------ on a page


def dfs_numbers(page: Page) -> Ints:
    """Number the elements in a depth-first walk, after the paper's cleaning; `html` is 0, `body` 1."""
    nodes = page.nodes
    removed = np.flatnonzero(nodes.is_one_of(_REMOVED_TAGS)).tolist()
    counted = ~nodes.is_text & ~nodes.inside(removed)
    return (np.cumsum(counted) - 1).astype(np.int32)


class ElementTypes:
    """The patterns of the elements of a page, read on request."""

    def __init__(self, page: Page, is_tolerant: bool = True, is_aligned: bool = True) -> None:
        self.page = page
        self._form = tolerant if is_tolerant else literal
        self._is_aligned = is_aligned
        self._forms: dict[str, str] = {}
        self._tag_paths: dict[int, _TagPath] = {-1: ((), ())}

    def occurrences(self, nodes: Sequence[int], values: Sequence[float]) -> list[Occurrence]:
        """Return the patterns of these elements; of equal patterns the one with the largest value, then the first."""
        best: dict[Pattern, tuple[float, int]] = {}
        for node, value in zip(nodes, values, strict=True):
            pattern = self.pattern(node)
            if pattern not in best or value > best[pattern][0]:
                best[pattern] = value, node
        return [
            Occurrence(pattern, value, int(self._dfs_numbers[node]), *self._tag_path(node))
            for pattern, (value, node) in best.items()
        ]

    def pattern(self, node: int) -> Pattern:
        """Return the pattern of an element."""
        nodes = self.page.nodes
        attributes, level = self._attributes(node), int(nodes.depth[node])
        return Pattern(nodes.tag_name(node), level, attributes, "" if attributes else self._address(node))

    def led_to(self, ranked: Iterable[Wrapper], values: Mapping[int, float]) -> Iterator[tuple[Wrapper, int]]:
        """Yield each wrapper that matches on this page, with the matching element of the largest value."""
        for wrapper in ranked:
            matches = self.find(wrapper)
            if matches:
                yield wrapper, max(matches, key=lambda node: values.get(node, 0.0))

    def find(self, wrapper: Wrapper) -> list[int]:
        """Return the elements with the pattern of a wrapper; if any are at its usual place, only those."""
        nodes, pattern = self.page.nodes, wrapper.pattern
        is_candidate = (nodes.depth == pattern.level) & (nodes.tag == self._tag(pattern.tag))
        if "/" in pattern.address:
            is_candidate &= self._reached_by(pattern.address.split("/"))
        candidates = np.flatnonzero(is_candidate).astype(np.int32)
        if len(candidates):
            candidates = candidates[[self._matches(node, pattern) for node in candidates.tolist()]]
        in_place = candidates[self._are_at(candidates, wrapper.places)]
        matches: list[int] = (in_place if len(in_place) else candidates).tolist()
        return matches

    def _matches(self, node: int, pattern: Pattern) -> bool:
        """Whether an element with the tag, level and tag path of a pattern also has its attributes and number."""
        if self._attributes(node) != pattern.attributes:
            return False
        return "=" not in pattern.address or pattern.address == self._address(node)

    def _are_at(self, nodes: Ints, places: Sequence[int]) -> Bools:
        """Return which of these elements are reached by the places of a tag path."""
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
        end = min(int(page.nodes.attribute_end[node]), start + MAX_ATTRIBUTES)
        attributes = []
        for number, name_start, value_start, value_end in page.attributes[:, start:end].T.tolist():
            name = tags.ATTRIBUTES[number] if number else page.markup[name_start : value_start - 2]
            raw = page.markup[value_start : min(value_end, value_start + 2 * MAX_NAME_LENGTH)]
            if raw not in self._forms:
                self._forms[raw] = self._form(unescape(raw))
            attributes.append((name, self._forms[raw]))
        return tuple(sorted(attributes))

    def _address(self, node: int) -> str:
        if self._is_aligned and self.page.nodes.tag_name(node) not in LINES:
            return "/".join(self._tag_path(node)[0])
        return f"dfs={self._dfs_numbers[node]}"

    @cached_property
    def _dfs_numbers(self) -> Ints:
        return dfs_numbers(self.page)

    def _reached_by(self, tag_path: Sequence[str]) -> Bools:
        """Return which nodes have this tag path."""
        nodes = self.page.nodes
        is_reached = np.zeros(len(nodes), np.bool_)
        is_reached[0] = nodes.tag_name(0) == tag_path[0]
        for level, tag in enumerate(tag_path[1:], 1):
            steps = np.flatnonzero((nodes.depth == level) & (nodes.tag == self._tag(tag)))
            is_reached[steps] = is_reached[nodes.parent[steps]]
        return is_reached

    def _tag_path(self, node: int) -> "_TagPath":
        """Return the tags from the root to an element, and their places; those of its ancestors are cached."""
        nodes, positions, missing = self.page.nodes, self.page.sibling_positions, []
        while node not in self._tag_paths:
            missing.append(node)
            node = int(nodes.parent[node])
        tags_so_far, places = self._tag_paths[node]
        for step in reversed(missing):
            tags_so_far, places = (*tags_so_far, nodes.tag_name(step)), (*places, int(positions[step]))
            self._tag_paths[step] = tags_so_far, places
        return tags_so_far, places
