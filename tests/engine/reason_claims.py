"""The sentences that reasons of sections are made of: what each one claims, and how to compute it from the page again.

A claim is a topic and a value. Two claims of one section on the same topic with different values contradict each other.
Numbers are computed again from the page and its landmarks, over the blocks of the section.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pagestrata import Page, Section
from pagestrata.engine.features import features_of
from pagestrata.engine.model import shipped
from pagestrata.engine.scope import set_scope
from pagestrata.landmarks import REGIONS, landmarks_of, running_sum
from pagestrata.landmarks.comments import comment_regions_of, title_block
from pagestrata.page import tags

Floats = npt.NDArray[np.float64]

SURROUNDINGS = 2
"""Containers between a block and what is "around it"."""
ROUNDING = 0.51
"""Numbers are stated without decimals; the rest of 0.01 is for features, which have the precision of float32."""
STEP = re.compile(r" \([+-]\d+\.\d\)$")
"""What a signal adds, behind its sentence."""


def chances_by_trees(page: Page) -> Floats:
    """The probability of main text for each block, by the trees alone."""
    landmarks, model = landmarks_of(page), shipped()
    table = features_of(landmarks, model.lexicon)
    set_scope(table, landmarks, model, "auto")
    return np.asarray(1 / (1 + np.exp(-model.base - model.trees.score(table))), np.float64)


class Claim(NamedTuple):
    """What a reason says about a topic."""

    topic: str
    value: object


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts about a section that its reasons may state, computed from the page and its landmarks."""

    section: Section

    @property
    def page(self) -> Page:
        return self.section.page

    @cached_property
    def landmarks(self) -> Any:
        """The landmarks of the blocks that the page shows: all numbers but those of links and of hidden text."""
        return landmarks_of(self.page).shown

    @property
    def blocks(self) -> Any:
        return self.landmarks.blocks

    @cached_property
    def all_own(self) -> npt.NDArray[np.intp]:
        """The blocks of the section, among all of the page."""
        return np.arange(self.section.block_start, self.section.block_end)

    @cached_property
    def own(self) -> npt.NDArray[np.intp]:
        """The blocks of the section that are shown, among those that are."""
        before = landmarks_of(self.page).shown_before
        return np.arange(before[self.section.block_start], before[self.section.block_end])

    @cached_property
    def words(self) -> Floats:
        return np.asarray(self.blocks.normalised_words, np.float64)

    def mean(self, values: npt.ArrayLike) -> float:
        """The mean over the blocks of the section, by their words."""
        return float(np.average(np.asarray(values, np.float64), weights=self.blocks.words[self.own] + 1.0))

    @cached_property
    def around(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """For each block of the section the blocks of what is around it: the first, and one past the last."""
        nodes, element = self.page.nodes, self.blocks.container[self.own]
        for _ in range(SURROUNDINGS):
            up = nodes.parent[element]
            element = np.where(up >= 0, nodes.container[np.maximum(up, 0)], element)
        first = np.asarray(self.landmarks.first_block)
        return first[element], first[nodes.end[element]]

    def sum_around(self, column: npt.NDArray[Any]) -> Floats:
        sums, (first, last) = running_sum(column), self.around
        return np.asarray(sums[last] - sums[first], np.float64)

    def share_around(self, part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> float:
        return self.mean(self.sum_around(part) / np.maximum(1, self.sum_around(whole)))

    # Each of these is a number that a sentence states, or a fact that it rests on.

    def link_percent(self) -> float:
        blocks = self.page.blocks
        return 100 * float(blocks.link_characters[self.all_own].sum() / max(1, blocks.characters[self.all_own].sum()))

    def link_percent_around(self) -> float:
        return 100 * self.share_around(self.blocks.link_characters, self.blocks.characters)

    def prose_percent_around(self) -> float:
        return 100 * self.share_around(self.landmarks.prose, self.words)

    def main_text_percent_around(self) -> float:
        words = self.blocks.words * self.landmarks.is_usable
        return 100 * self.share_around(words * self.page.once(chances_by_trees), words)

    def is_in_core(self) -> bool:
        sizes = self.page.blocks.characters[self.all_own] + 1.0
        landmarks = landmarks_of(self.page)
        in_core = landmarks.is_inside(landmarks.core)
        return bool(np.average(in_core[self.all_own], weights=sizes) > 0.5)

    def is_after_core(self) -> bool:
        _, last = self.landmarks.blocks_of(np.array([self.landmarks.core]))
        return self.mean(self.own >= last[0]) > 0.5

    def core_percent(self) -> float:
        return 100 * float(self.words[self.landmarks.is_inside(self.landmarks.core)].sum() / max(1.0, self.words.sum()))

    def has_heading_above(self) -> bool:
        return bool(self.landmarks.heading_level[: self.own[-1] + 1].any())

    def same_path(self) -> npt.NDArray[np.bool_]:
        """Blocks of the section × blocks of the page: whether the tags down to both are the same."""
        paths = np.asarray(self.landmarks.tag_path)[self.blocks.container]
        return np.asarray(paths[self.own][:, None] == paths[None, :])

    def path_blocks(self) -> float:
        return self.mean(self.same_path().sum(axis=1))

    def path_percent(self) -> float:
        return 100 * self.mean(self.same_path() @ self.words / max(1.0, self.words.sum()))

    def records_beside(self) -> float:
        record = np.asarray(self.landmarks.record)[self.blocks.node_start[self.own]]
        inside = np.asarray(self.landmarks.records_inside)[self.page.nodes.parent[record]]
        return self.mean(np.where(record > 0, inside, 0))

    def copy_counts(self) -> npt.NDArray[np.intp]:
        """How often the page has the text of each of its blocks."""
        first = np.asarray(self.landmarks.first_copy)
        return np.asarray(np.bincount(first, minlength=len(first))[first])

    def copies(self) -> float:
        return self.mean(self.copy_counts()[self.own])

    def copied_percent_around(self) -> float:
        return 100 * self.share_around(np.where(self.copy_counts() > 1, self.words, 0), self.words)

    def is_signed(self) -> bool:
        return self.mean(np.asarray(self.landmarks.signed_depth)[self.blocks.node_start[self.own]]) > 0.5

    def bylines(self) -> tuple[float, float]:
        """Stamps up to the blocks of the section, and after them; what comes before the title does not count."""
        title = self.page.title_heading
        start = self.landmarks.range_of(title)[0] if title is not None else 0
        stamps = np.cumsum(self.landmarks.is_stamp & (np.arange(len(self.words)) >= start))
        return self.mean(stamps[self.own]), self.mean(stamps[-1] - stamps[self.own])

    def word_percents(self, elements: Iterable[int]) -> float:
        """The mean share of all words in these elements, one for each block of the section."""
        sums, first = running_sum(self.words), np.asarray(self.landmarks.first_block)
        chosen = np.array(list(elements), np.intp)
        inside = sums[first[self.page.nodes.end[chosen]]] - sums[first[chosen]]
        return 100 * self.mean(np.where(chosen >= 0, inside, 0.0) / max(1.0, self.words.sum()))

    def title_percent(self) -> float:
        """The share of all words in the smallest element that a block shares with the title; 0 without a title."""
        title = title_block(self.landmarks)
        if title < 0:
            return 0.0
        first, end = self.landmarks.first_block, self.page.nodes.end
        return self.word_percents(
            next(
                node
                for node in self.ancestors(b)
                if self.page.nodes.parent[node] < 0 or first[node] <= title < first[end[node]]
            )
            for b in self.own.tolist()
        )

    def article_percent(self) -> float:
        article = tags.TAG["article"]
        return self.word_percents(
            next((node for node in self.ancestors(b) if self.page.nodes.tag[node] == article), -1)
            for b in self.own.tolist()
        )

    def ancestors(self, block: int) -> Iterator[int]:
        """The element of a block, the one around it, and so on."""
        node = int(self.blocks.container[block])
        while node >= 0:
            yield node
            node = int(self.page.nodes.parent[node])

    def comment_percents(self) -> tuple[float, float]:
        """The share of all words in the comment region of the section, and in all of them."""
        start, stop, found_by = (np.asarray(column) for column in comment_regions_of(self.landmarks).columns)
        sums, total = running_sum(self.words), max(1.0, self.words.sum())
        own = np.where(found_by > 0, sums[stop] - sums[start], 0.0)[self.own]
        return 100 * self.mean(own / total), 100 * float(self.words[found_by > 0].sum() / total)

    def percent_before(self, column: npt.NDArray[Any]) -> float:
        return 100 * self.mean(running_sum(column)[self.own] / max(1.0, float(column.sum())))

    def regions(self) -> list[str]:
        """What the elements around most of the section are."""
        region = np.asarray(self.landmarks.region)[self.blocks.container[self.own]]
        return [name for place, name in enumerate(REGIONS) if self.mean(region >> place & 1) > 0.5]

    def is_unusable(self) -> bool:
        return not landmarks_of(self.page).is_usable[self.all_own].any()

    def is_overlay(self) -> bool:
        return not len(self.own) and not self.hidden_by()

    def hidden_by(self) -> str:
        codes = sorted(set(self.page.blocks.hidden_by[self.all_own].tolist()) & set(tags.UNSEEN))
        return ", ".join(tags.HIDDEN_BY[code] for code in codes)


Check = Callable[[Facts, Sequence[str]], bool]
"""Whether the stated values, in the order of the groups of the pattern, are those of the page."""


class Sentence(NamedTuple):
    """A sentence that may be a reason."""

    pattern: str
    claims: tuple[tuple[object, object], ...] = ()
    """Topics and values; a `Group` stands for what the pattern matched there."""
    check: Check | None = None
    """None for what no number of the page can show: votes of words and names."""


class Group(NamedTuple):
    """What a group of the pattern matched."""

    number: int


def near(stated: str, value: float) -> bool:
    """Whether a number was stated that rounds from this value."""
    return abs(float(stated) - value) <= ROUNDING


def is_importance(section: Section, stated: str) -> bool:
    """Whether the importance of a section was stated, in two decimals."""
    return abs(section.importance - float(stated)) <= 0.0051


SENTENCES = (
    Sentence(
        r"importance ([\d.]+) is at least ([\d.]+)",
        (("kept", True), ("importance", Group(1))),
        lambda facts, said: (
            float(said[0]) >= float(said[1]) - 0.005 and abs(facts.section.importance - float(said[0])) <= 0.0051
        ),
    ),
    Sentence(
        r"importance ([\d.]+) is below ([\d.]+)",
        (("kept", False), ("importance", Group(1))),
        lambda facts, said: (
            float(said[0]) <= float(said[1]) + 0.005 and abs(facts.section.importance - float(said[0])) <= 0.0051
        ),
    ),
    Sentence(r"its text is kept", (("kept", True),), lambda facts, said: facts.section.kept),
    Sentence(r"comments are off", (("kept", False),), lambda facts, said: not facts.section.kept),
    Sentence(r"the title of the page", (("kept", True),), lambda facts, said: facts.section.kept),
    Sentence(r"outside of all sections"),
    Sentence(
        r"(\d+) of its (\d+) sections are kept",
        (),
        lambda facts, said: (
            [sum(child.kept for child in facts.section.children), len(facts.section.children)] == list(map(int, said))
        ),
    ),
    Sentence(r"one of (\d+) items", (("items", Group(1)),), lambda facts, said: facts.section.item is not None),
    Sentence(r"([\d,]+) items; not cut apart, as the page has more than ([\d,]+)"),
    # Where it stands to the core of the page.
    Sentence(r"in the core of the page", (("core", "in"),), lambda facts, said: facts.is_in_core()),
    Sentence(r"outside the core of the page", (("core", "out"),), lambda facts, said: not facts.is_in_core()),
    Sentence(
        r"in the core of the page, which has (\d+)% of all words",
        (("core", "in"),),
        lambda facts, said: facts.is_in_core() and near(said[0], facts.core_percent()),
    ),
    Sentence(
        r"(before|after) the core of the page, which has (\d+)% of all words",
        (("core", "out"), ("side of the core", Group(1))),
        lambda facts, said: (
            not facts.is_in_core()
            and facts.is_after_core() == (said[0] == "after")
            and near(said[1], facts.core_percent())
        ),
    ),
    # Links, running text, size, place.
    Sentence(
        r"(\d+)% of its text is links",
        (("links", Group(1)),),
        lambda facts, said: near(said[0], facts.link_percent()),
    ),
    Sentence(
        r"(\d+)% of its text is links, (\d+)% around it",
        (("links", Group(1)),),
        lambda facts, said: near(said[0], facts.link_percent()) and near(said[1], facts.link_percent_around()),
    ),
    Sentence(
        r"(\d+)% of the words around it are running text",
        (("running text around", Group(1)),),
        lambda facts, said: near(said[0], facts.prose_percent_around()),
    ),
    Sentence(
        r"(\d+)% of the words around it seem to be main text",
        (("main text around", Group(1)),),
        lambda facts, said: near(said[0], facts.main_text_percent_around()),
    ),
    Sentence(
        r"about (\d+) words a block, (\d+) around it",
        (("size", Group(1)),),
        lambda facts, said: (
            near(said[0], facts.mean(facts.words[facts.own]))
            and near(said[1], facts.mean(facts.sum_around(facts.words)))
        ),
    ),
    Sentence(
        r"(\d+)% of all words and (\d+)% of the running text come before it",
        (("place", Group(1)),),
        lambda facts, said: (
            near(said[0], facts.percent_before(facts.words))
            and near(said[1], facts.percent_before(facts.landmarks.prose))
        ),
    ),
    Sentence(
        r"(\d+) blocks? with the same tags holds? (\d+)% of all words",
        (("blocks with its tags", Group(1)),),
        lambda facts, said: near(said[0], facts.path_blocks()) and near(said[1], facts.path_percent()),
    ),
    # Tags around it, headings above it, copies of it.
    Sentence(
        r"in elements of these kinds: (.+)",
        (("element with a meaning", True),),
        lambda facts, said: said[0].split(", ") == facts.regions(),
    ),
    Sentence(
        r"in no element such as <main>, <nav> or <aside>",
        (("element with a meaning", False),),
        lambda facts, said: not facts.regions(),
    ),
    Sentence(r"no heading \(<h1> to <h6>\) above it", (), lambda facts, said: not facts.has_heading_above()),
    Sentence(
        r"text below such a heading is (often|seldom) main text",
        (("heading above", True), ("such headings", Group(1))),
        lambda facts, said: facts.has_heading_above(),
    ),
    Sentence(r"the heading above it names .+", (("heading above", True), ("purpose known", True))),
    Sentence(
        r"(\d+)% of the words around it are elsewhere on the page, too",
        (("copied", False), ("copied around", Group(1))),
        lambda facts, said: facts.copies() < 1.51 and near(said[0], facts.copied_percent_around()),
    ),
    Sentence(
        r"the page contains it (\d+) times, and (\d+)% of the words around it are elsewhere on the page, too",
        (("copied", True), ("copied around", Group(2))),
        lambda facts, said: near(said[0], facts.copies()) and near(said[1], facts.copied_percent_around()),
    ),
    Sentence(
        r"repeats another part of the page",
        (("kept", False),),
        lambda facts, said: bool((facts.copy_counts()[facts.own] > 1).any()),
    ),
    # The title, the article, comments.
    Sentence(
        r"the smallest element with it and the title has (\d+)% of all words",
        (("title on the page", True),),
        lambda facts, said: near(said[0], facts.title_percent()),
    ),
    Sentence(
        r"the page shows no title", (("title on the page", False),), lambda facts, said: facts.title_percent() == 0
    ),
    Sentence(
        r"in an <article> with (\d+)% of all words",
        (("in an article", True),),
        lambda facts, said: near(said[0], facts.article_percent()),
    ),
    Sentence(r"in no <article>", (("in an article", False),), lambda facts, said: facts.article_percent() == 0),
    Sentence(
        r"in a part named comments, with (\d+)% of all words",
        (("called comments", True),),
        lambda facts, said: near(said[0], facts.comment_percents()[0]),
    ),
    Sentence(
        r"the comments \((\d+)% of all words\) are elsewhere",
        (("called comments", False),),
        lambda facts, said: facts.comment_percents()[0] == 0 and near(said[0], facts.comment_percents()[1]),
    ),
    Sentence(
        r"no part of the page is named comments",
        (("called comments", False),),
        lambda facts, said: facts.comment_percents()[1] == 0,
    ),
    Sentence(
        r"in the comments of an article",
        (("called comments", True), ("kept", False)),
        lambda facts, said: facts.comment_percents()[0] > 0,
    ),
    # Records, names and times.
    Sentence(
        r"one of (\d+) records side by side",
        (("in a record", True),),
        lambda facts, said: facts.records_beside() >= 0.99 and near(said[0], facts.records_beside()),
    ),
    Sentence(
        r"not one of several similar records",
        (("in a record", False),),
        lambda facts, said: facts.records_beside() < 1.01,
    ),
    Sentence(
        r"in a record with a name and a time",
        (("in a record", True), ("in a signed record", True)),
        lambda facts, said: facts.is_signed(),
    ),
    Sentence(
        r"in no record with a name and a time",
        (("in a signed record", False),),
        lambda facts, said: not facts.is_signed(),
    ),
    Sentence(
        r"one of several records beside the text, most of them with a name and a time",
        (("in a record", True), ("core", "out"), ("kept", False)),
        lambda facts, said: not facts.is_in_core() and facts.records_beside() >= 0.99,
    ),
    Sentence(r"records with name and time, side by side", (("in a record", True), ("purpose known", True))),
    Sentence(
        r"(\d+) lines? with a name or a time comes? before it, (\d+) after it",
        (("bylines before", Group(1)),),
        lambda facts, said: all(map(near, said, facts.bylines())),
    ),
    # What is not seen.
    Sentence(
        r"is hidden \((.+)\)",
        (("kept", False), ("hidden", True)),
        lambda facts, said: facts.is_unusable() and said[0] == facts.hidden_by(),
    ),
    Sentence(
        r"belongs to a form",
        (("kept", False), ("hidden", False)),
        lambda facts, said: facts.is_unusable() and not facts.hidden_by() and not facts.is_overlay(),
    ),
    Sentence(
        r"lies over the page, like a dialog",
        (("kept", False), ("hidden", False)),
        lambda facts, said: facts.is_unusable() and facts.is_overlay(),
    ),
    # What words and names say: votes of a model, which the page cannot show.
    Sentence(
        r"(its first words|the class and id names around it) are (typical|not typical) of main text",
        ((Group(1), Group(2)),),
    ),
    Sentence(
        r"on pages like this, more such blocks are (main text|not main text) than elsewhere",
        (("pages like this", Group(1)),),
    ),
    # What the role of a section rests on.
    Sentence(r"no sign of its purpose", (("purpose known", False),)),
    Sentence(
        r"in an element (?:that is marked up as|named after) .+"
        r"|a list of short links|a list of headlines that are links"
        r"|(?:the last|the first) of the page, (?:before|after) the text|names the owner of the page, after the text"
        r"|says who wrote the page, or when|its links lead to .+|mentions cookies"
        r"|an image in it links to the home page, before the text",
        (("purpose known", True),),
    ),
)
_PATTERNS = tuple((re.compile(sentence.pattern), sentence) for sentence in SENTENCES)


def sentences_of(reason: str) -> list[tuple[re.Match[str], Sentence]]:
    """The sentences that a reason may be, with what was matched; none for an unknown reason."""
    text = STEP.sub("", reason)
    return [(match, sentence) for pattern, sentence in _PATTERNS if (match := pattern.fullmatch(text))]


def claims_of(reason: str) -> Iterator[Claim]:
    """What a reason claims."""
    for match, sentence in sentences_of(reason):
        for topic, value in sentence.claims:
            yield Claim(_filled(match, topic), _filled(match, value))


def _filled(match: re.Match[str], entry: Any) -> Any:
    return match[entry.number] if isinstance(entry, Group) else entry


def contradictions(section: Section) -> Iterator[str]:
    """Topics on which the reasons of a section claim different things."""
    claimed: dict[str, tuple[object, str]] = {}
    for reason in section.reasons:
        for topic, value in claims_of(reason):
            before, other = claimed.setdefault(topic, (value, reason))
            if before != value:
                yield f"{topic}: {other!r} and {reason!r}"


def false_reasons(section: Section) -> Iterator[str]:
    """The reasons of a section that the page does not bear out, and those that are not known here."""
    facts = Facts(section)
    for reason in section.reasons:
        matches = sentences_of(reason)
        if not matches:
            yield f"unknown: {reason!r}"
        for match, sentence in matches:
            if sentence.check is not None and not (section.has_blocks or section.children):
                continue
            if sentence.check is not None and not sentence.check(facts, match.groups()):
                yield f"false: {reason!r}"
