"""FOREST: the element type that holds the article (Oita and Senellart, 2012).

Signifiers, the terms that tell a page from its siblings, lead to significant nodes. The elements on the way to them are
grouped over the sample pages by structural pattern (element type and level), and the pattern that is most
informative, on most pages, deepest down, becomes the wrapper of the site.

Follows the paper, except that (all ours):
- elements without attributes are identified by the tags on the way to them, not by `dfs` (see `page.element_types`),
  and paragraphs, items and the like are no candidates;
- of several elements of one pattern on a page the most informative counts, and the page once in p;
- all patterns are kept as a ranked list. The first is used if it leads to one element with half of the words of a
  page, otherwise the first whose element is informative by the page's own signifiers;
- lists of anchors and paths with "comments" count for nothing, as the paper tried; neither do runs of links in other
  markup, lists of records with a time each, and the title, which is taken from outside. All of them, and texts that
  recur on the sample pages, are left out of the answer;
- of one page alone, the signifiers come from its title, description, headline, heading and address.

Signifiers from anchor texts, a query or a form, and n-grams, are what the paper names as further sources.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal
from zlib import crc32

import numpy as np

from pagestrata.algorithms.asides import anchor_lists, comment_regions, link_runs, record_lists
from pagestrata.algorithms.base import DEFAULTS, Part, segmentation
from pagestrata.options import Options
from pagestrata.page.element_types import LINES, ElementTypes, Occurrence, Wrapper, rank
from pagestrata.page.feed import Feed, find_item
from pagestrata.page.keywords import anchor_feed, form_keywords
from pagestrata.page.nodes import Bools, Ints, cover
from pagestrata.page.page import Page
from pagestrata.page.terms import (
    Floats,
    Frequencies,
    Terms,
    Vocabulary,
    by_tf_idf,
    language_of,
    most_frequent,
    page_counts,
)
from pagestrata.results import Role, Segmentation

SIGNIFIERS: Final = 10
"""The number of terms per page: the paper's k. Its figure 6 is flat from 5 on."""
MAX_PATTERNS_PER_PAGE: Final = 32
"""The number of best patterns stored per page; a pattern that is among them on no page cannot be ranked first."""
MAX_PATTERNS: Final = 64
"""The length of the ranked list of patterns."""
MIN_CREDIBLE_SHARE: Final = 0.25
"""A wrapper is passed over where its element has less than this share of the informativeness of the page's best one.
Of 0, 0.1, 0.25 and 0.5, seen on big9, sitesets and cnnews10: 0 costs news sites with two layouts 2 points of F1, the
others are within half a point of each other."""
MIN_RECURRING_PAGES: Final = 2
"""A text recurs if it is on at least this many of the sample pages."""
MAX_RECURRING_TEXTS: Final = 2_048
MAX_TERMS: Final = 2_048
"""Limits on the texts and terms that are stored for a site; the most frequent are kept."""
PRUNED_IMPORTANCE: Final = 0.2
"""The importance of the parts left out inside the article's element: kept only with a strong bias."""
MIN_OBVIOUS_SHARE: Final = 0.5
"""The only element of the best wrapper is taken without further checks if it has this share of the counted words."""
MAX_SINGLE_PAGE_CONFIDENCE: Final = 0.3
"""The limit on the confidence if only one page was learned from."""
SINGLE_PAGE_NOTE: Final = (
    "learned from fewer than two pages: signifiers are taken from the metadata of the page, so the result is a guess"
)

_HEADLINE = re.compile(r'"headline"\s*+:\s*+"((?:[^"\\]|\\.)*+)"')
_DIGITS = re.compile(r"\d+")
_DESCRIBED = ("og:title", "og:description", "description", "twitter:title")


def signifier_density(x: Floats, y: Floats) -> Floats:
    """J: the lower end of the 70 % interval of the share of signifiers, estimated by Jeffreys' add-half rule.

    >>> signifier_density(np.array([8.0, 3, 1]), np.array([20.0, 5, 0])).round(4).tolist()
    [0.2071, 0.2165, 0.317]
    """
    total = x + y
    spread = np.sqrt((x + 0.5) * (y + 0.5) / np.maximum(total, 1))
    density: Floats = np.maximum(0.0, (x + 0.5 - spread) / (total + 1))
    return density


def unexpectedness(x: Floats, y: Floats, page_x: float, page_y: float) -> Floats:
    """U: how much shorter it is to describe the terms by themselves than to draw them from the page, in nats.

    >>> unexpectedness(np.array([10.0, 3]), np.array([26.0, 1]), 20, 100).round(2).tolist()
    [22.66, 5.56]
    """

    def share(count: Floats, of: float) -> Floats:
        return count * np.log(of) if of > 0 else np.zeros_like(count)

    surprise: Floats = (x + y) * np.log(max(page_x + page_y, 1)) - share(x, page_x) - share(y, page_y)
    return surprise


@dataclass(frozen=True, slots=True)
class Forest:
    """Learns the wrappers of a site. The switches are the variations that the paper reports on."""

    signifiers: int = SIGNIFIERS
    source: Literal["tf-idf", "feed", "anchors", "form"] = "tf-idf"
    """Where signifiers come from: the sample pages, the feed items that lead to them, the texts of links on the sample
    pages that do, or what was typed into the form that a page answers."""
    keywords: tuple[str, ...] = ()
    """The words of a query that the pages answer. They are the signifiers of each page that has one of them."""
    length: int = 1
    """The number of words of a signifier: 2 for 2-grams."""
    measure: Literal["JU", "J", "U"] = "JU"
    by_level: bool = True
    tolerant: bool = True
    aligned: bool = True
    """False: elements without attributes are identified by their `dfs` number, as published."""
    drop_lines: bool = True
    """Whether paragraphs, items and the like, which cannot hold an article, are no candidates."""
    drop_anchor_lists: bool = True
    drop_comments: bool = True
    """Whether lists of anchors, and paths with "comments" in them, are out of the count and of the answer."""
    drop_records: bool = True
    """Whether lists of records with a time each are, too: comments that no name gives away."""
    drop_recurring: bool = True
    """Whether texts that recur on the sample pages are out of the answer."""

    def learn(self, pages: Sequence[Page], feed: Feed | None = None) -> "Wrappers":
        """Rank the patterns of all sample pages."""
        feed = self._feed_of_signifiers(pages, feed)
        ranked, vocabulary, counts = self._read(pages, feed)
        return Wrappers(
            method=self,
            ranked=ranked,
            pages=len(pages),
            language=vocabulary.language,
            frequencies=most_frequent(vocabulary, counts, len(pages), MAX_TERMS),
            recurring=recurring_texts(pages) if self.drop_recurring else frozenset(),
            feed=feed,
        )

    def ranked(self, pages: Sequence[Page], feed: Feed | None = None) -> tuple[Wrapper, ...]:
        """Return only the ranked patterns, for callers that read the pages in another way."""
        return self._read(pages, self._feed_of_signifiers(pages, feed))[0]

    def _read(self, pages: Sequence[Page], feed: Feed | None) -> tuple[tuple[Wrapper, ...], Vocabulary, Floats]:
        """Return the ranked patterns, the terms of the pages, and the number of pages with each term."""
        vocabulary = self.vocabulary(language_of(pages))
        page_terms = [vocabulary.read(page) for page in pages]
        counts = page_counts(vocabulary, page_terms)
        signifiers = [
            self.signifiers_of(page, terms, vocabulary, counts, len(pages), feed)
            for page, terms in zip(pages, page_terms, strict=True)
        ]
        occurrences = [self.best_patterns(*page_data) for page_data in zip(pages, page_terms, signifiers, strict=True)]
        return rank(occurrences, self.by_level)[:MAX_PATTERNS], vocabulary, counts

    def _feed_of_signifiers(self, pages: Sequence[Page], feed: Feed | None) -> Feed | None:
        """Return the feed that signifiers are taken from, if they are taken from one."""
        if self.source == "anchors":
            return anchor_feed(pages)
        return feed if self.source == "feed" else None

    def vocabulary(self, language: str | None) -> Vocabulary:
        """Return an empty vocabulary of terms as long as the signifiers are."""
        return Vocabulary(language, self.length)

    def best_patterns(self, page: Page, terms: Terms, signifiers: Ints) -> list[Occurrence]:
        """Return the best patterns of a page with their informativeness."""
        nodes, values = self.informativeness(page, terms, signifiers, self.left_out(page))
        if self.drop_lines:
            is_line = np.array([name in LINES for name in page.nodes.names])[page.nodes.tag[nodes]]
            nodes, values = nodes[~is_line], values[~is_line]
        levels = page.nodes.depth[nodes] if self.by_level else 1
        best = np.argsort(-values * levels, kind="stable")[:MAX_PATTERNS_PER_PAGE]
        return self.types(page).occurrences(nodes[best].tolist(), values[best].tolist())

    def types(self, page: Page) -> ElementTypes:
        """Return the element types of a page, in the configured form."""
        return ElementTypes(page, self.tolerant, self.aligned)

    def signifiers_of(
        self, page: Page, terms: Terms, vocabulary: Vocabulary, counts: Floats, pages: int, feed: Feed | None
    ) -> Ints:
        """Return the numbers of the signifiers of a page; `counts` holds the number of pages with each term."""
        numbers, tf = terms.frequencies()
        wanted = [number for text in self._wanted(page) for number in vocabulary.numbers_of(text)]
        asked = numbers[np.isin(numbers, wanted)]
        if len(asked):
            return asked
        item = find_item(feed, page) if feed else None
        if item:
            in_item = np.array(vocabulary.numbers_of(f"{item.title} {item.description}"), np.int32)
            is_shared = np.isin(numbers, in_item)
            numbers, tf = numbers[is_shared], tf[is_shared]
        places, _ = by_tf_idf(tf, counts[numbers], pages, self.signifiers)
        if not len(places):
            return numbers if item else own_signifiers(page, vocabulary, self.signifiers)
        return numbers[places]

    def _wanted(self, page: Page) -> tuple[str, ...]:
        """Return the words of the query. Their terms are not ranked: all answers to a query have them."""
        return (*self.keywords, form_keywords(page)) if self.source == "form" else self.keywords

    def informativeness(
        self, page: Page, terms: Terms, signifiers: Ints, left_out: Sequence[Part]
    ) -> tuple[Ints, Floats]:
        """Return the elements on significant paths, and I = J · U of each."""
        end = page.nodes.end
        terms = terms.within(~inside(page, [*left_out, *shown_titles(page)]))
        x_before = terms.before(terms.are_of(signifiers))
        all_before = terms.before()
        x_of_all = x_before[end] - x_before[:-1]
        nodes = np.flatnonzero((x_of_all > 0) & ~page.nodes.is_text)
        x = x_of_all[nodes].astype(np.float64)
        y = (all_before[end[nodes]] - all_before[nodes]) - x
        values = np.ones(len(nodes))
        if "J" in self.measure:
            values *= signifier_density(x, y)
        if "U" in self.measure:
            values *= unexpectedness(x, y, float(x_before[-1]), float(all_before[-1] - x_before[-1]))
        return nodes.astype(np.int32), values

    def left_out(self, page: Page) -> list[Part]:
        """Return the parts whose text does not count, each with the reason."""
        return [
            Part(start, end, PRUNED_IMPORTANCE, role, (reason,))
            for is_enabled, find, role, reason in (
                (self.drop_anchor_lists, anchor_lists, Role.RELATED, "a list of links"),
                (self.drop_anchor_lists, link_runs, Role.RELATED, "links in a row"),
                (self.drop_comments, comment_regions, Role.COMMENTS, "comments, as its name says"),
                (self.drop_records, record_lists, Role.COMMENTS, "a list of records with a time each"),
            )
            if is_enabled
            for start, end in find(page)
        ]


def forest_feeds() -> Forest:
    """Return FOREST with the signifiers of feed items."""
    return Forest(source="feed")


@dataclass(frozen=True, slots=True)
class Wrappers:
    """The wrappers that were learned of a site, as plain data of limited size that suffices to read its pages."""

    method: Forest
    ranked: tuple[Wrapper, ...]
    """Wrappers by relevance, the best first."""
    pages: int
    language: str | None = None
    frequencies: Frequencies = field(default_factory=Frequencies)
    recurring: frozenset[int] = frozenset()
    """Keys of texts that recur; see `text_keys`."""
    feed: Feed | None = None

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Return the article as one section, the parts left out inside it, and the other nodes of the page."""
        notes = () if self.pages > 1 else (SINGLE_PAGE_NOTE,)
        left_out = self.method.left_out(page)
        match = self.find(page, left_out)
        if match is None:
            notes = (*notes, "no wrapper of the site matches this page")
            return segmentation(page, [], options, notes=notes)
        article = self._article(page, match)
        parts = [part for part in left_out if article.start < part.start and part.end <= article.end]
        parts = [article, *parts, *self._recurring(page, match.node)]
        return segmentation(page, parts, options, self._confidence(match), notes)

    def find(self, page: Page, left_out: Sequence[Part]) -> "WrapperMatch | None":
        """Return the element that the first credible wrapper leads to; if none is credible, that of the first."""
        if not len(page.nodes):
            return None
        types = self.method.types(page)
        return self._obvious(page, types, left_out) or self._credible(page, types, left_out)

    def _obvious(self, page: Page, types: ElementTypes, left_out: Sequence[Part]) -> "WrapperMatch | None":
        """Return the only element of the first wrapper if it holds most of the page: then no term need be read."""
        nodes = types.find(self.ranked[0]) if self.ranked else []
        if len(nodes) != 1:
            return None
        words = np.where(inside(page, left_out), 0, page.nodes.words)
        share = int(words[nodes[0] : page.nodes.end[nodes[0]]].sum()) / max(int(words.sum()), 1)
        return WrapperMatch(nodes[0], self.ranked[0], share) if share >= MIN_OBVIOUS_SHARE else None

    def _credible(self, page: Page, types: ElementTypes, left_out: Sequence[Part]) -> "WrapperMatch | None":
        """Return the first element of a wrapper that is informative by the page's own signifiers."""
        informativeness = self._informativeness(page, left_out)
        best = max(informativeness.values(), default=0.0)
        first = None
        for wrapper, node in types.led_to(self.ranked, informativeness):
            match = WrapperMatch(node, wrapper, informativeness.get(node, 0.0) / best if best else 0.0)
            if match.share >= MIN_CREDIBLE_SHARE:
                return match
            first = first or match
        return first

    def _informativeness(self, page: Page, left_out: Sequence[Part]) -> dict[int, float]:
        """Compute the informativeness of each element on a significant path, as if the page were part of the sample."""
        vocabulary = self.method.vocabulary(self.language)
        terms = vocabulary.read(page)
        counts = self.frequencies.of(vocabulary) + 1
        signifiers = self.method.signifiers_of(page, terms, vocabulary, counts, self.pages + 1, self.feed)
        nodes, values = self.method.informativeness(page, terms, signifiers, left_out)
        return dict(zip(nodes.tolist(), values.tolist(), strict=True))

    def _confidence(self, match: "WrapperMatch") -> float:
        share = match.share * match.wrapper.pages / self.pages
        return min(share, 1.0 if self.pages > 1 else MAX_SINGLE_PAGE_CONFIDENCE)

    def _article(self, page: Page, match: "WrapperMatch") -> Part:
        wrapper, place = match.wrapper, self.ranked.index(match.wrapper) + 1
        return Part(
            match.node,
            int(page.nodes.end[match.node]),
            1.0,
            reasons=(f"{wrapper.pattern}: {place}. by relevance, on {wrapper.pages} of {self.pages} sample pages",),
            signals={"relevance": wrapper.relevance, "share": match.share},
        )

    def _recurring(self, page: Page, around: int) -> Iterator[Part]:
        """Yield the blocks inside the element whose texts recur."""
        blocks = page.blocks
        first, last = np.searchsorted(blocks.node_start, (around, page.nodes.end[around])).tolist()
        starts, ends = blocks.node_start.tolist(), blocks.node_end.tolist()
        for block, key in enumerate(text_keys(page, first, last), first):
            if key in self.recurring:
                yield Part(starts[block], ends[block], PRUNED_IMPORTANCE, reasons=("recurs on the sample pages",))


@dataclass(frozen=True, slots=True)
class WrapperMatch:
    """The element that a wrapper matched."""

    node: int
    wrapper: Wrapper
    share: float
    """Its share of the counted words of the page, or of the informativeness of the page's best element."""


# ------------------------------------------------------------------------------------------------- texts of pages


def inside(page: Page, parts: Iterable[Part]) -> Bools:
    """Return which nodes are in one of these parts."""
    return cover(len(page.nodes), ((part.start, part.end) for part in parts))


def shown_titles(page: Page) -> list[Part]:
    """Return the heading that is the title, and every other block with exactly the same text."""
    title = page.title_heading
    if title is None:
        return []
    title_text, nodes, blocks = page.text_of(title).strip(), page.nodes, page.blocks
    same_length = np.flatnonzero(blocks.text_end - blocks.text_start == len(title_text)).tolist()
    same_text = [block for block in same_length if page.text.startswith(title_text, blocks.text_start[block])]
    rows = zip(blocks.node_start[same_text].tolist(), blocks.node_end[same_text].tolist(), strict=True)
    return [
        Part(title, int(nodes.end[title]), PRUNED_IMPORTANCE),
        *(Part(start, end, PRUNED_IMPORTANCE) for start, end in rows),
    ]


def own_signifiers(page: Page, vocabulary: Vocabulary, limit: int) -> Ints:
    """Return the terms that are in limit of the page's own title, description, headline, heading and address."""
    counts = Counter(chain.from_iterable(dict.fromkeys(vocabulary.numbers_of(text)) for text in _own_texts(page)))
    return np.array([number for number, _ in counts.most_common(limit)], np.int32)


def _own_texts(page: Page) -> Iterator[str]:
    yield page.title
    for node in page.nodes_tagged("meta").tolist():
        if (page.attribute(node, "property") or page.attribute(node, "name") or "").lower() in _DESCRIBED:
            yield page.attribute(node, "content") or ""
    for script in page.json_ld:
        yield from _HEADLINE.findall(script)[:1]
    yield from (page.text_of(node) for node in page.nodes_tagged("h1").tolist()[:1])
    yield re.sub(r"^\w+://[^/]*", "", page.url or "")


def text_keys(page: Page, first: int, last: int) -> list[int]:
    """Return a checksum of the text of each block, in lower case and with all numbers replaced by 0."""
    joined = "\0".join(page.block_texts(first, last))
    return [crc32(text.encode()) for text in _DIGITS.sub("0", joined.lower()).split("\0")] if joined else []


def recurring_texts(pages: Iterable[Page]) -> frozenset[int]:
    """Return the keys of the texts that are on at least two of the pages; the most frequent, if there are very many."""
    page_counts_by_key = Counter(chain.from_iterable(set(text_keys(page, 0, len(page.blocks))) for page in pages))
    recurring = sorted((-count, key) for key, count in page_counts_by_key.items() if count >= MIN_RECURRING_PAGES)
    return frozenset(key for _, key in recurring[:MAX_RECURRING_TEXTS])
