"""The reasons why a section was kept or dropped, in words that require no knowledge of the engine.

A section states the facts that decided how it was cut (where it stands to the main container, what the site knows of
it) and the three signals that moved its score most towards what became of it. Each answer on the way down a tree moves
the mean of the leaves that are still in reach; the sum of these steps over all trees is what a feature contributes to
the log odds of a block. Features are gathered into a few signals, each measured against the mean block of the page.
What the network adds is a signal of its own. The score is the mean of both, so that each counts half.

Facts and signals speak of topics, and each topic is stated once, from one number: no two reasons of a section can
contradict each other. All of it is computed when the reasons of a section are first read, for all sections of a page.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from sys import intern
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pagestrata.engine.decide.decision import Decision
from pagestrata.engine.features import COLUMNS, Table, features_of
from pagestrata.engine.model import EngineModel
from pagestrata.engine.scope import ROW_IS_STRICT
from pagestrata.landmarks import REGIONS, Floats, Landmarks, running_sum
from pagestrata.page import tags
from pagestrata.trees import sum_steps

Ranges = npt.NDArray[np.intp]
"""Sections × 2: the first block of each, and one past its last."""
Values = Mapping[str, float]
"""Means over the blocks of a section, by name."""

MAX_SIGNALS: Final = 3
"""Signals that are named among the reasons of a section."""
MIN_STEP: Final = 0.05
"""The smallest change of the log odds for which a signal is named."""
MAX_NUMBERS: Final = 1 << 17
"""Numbers that are summed up at a time: a page may have a million blocks."""
MIN_SHARE: Final = 0.1
"""The smallest share of a section for which a fact is stated."""

_SIGNAL_OF: Final[dict[str, str]] = {
    "links": "link_share links_ record_links path_links branch_links",
    "tags": "in_ is_ heading_level texts",
    "running text": "prose path_prose long_ branch_prose words_at",
    "core": "in_core after_core blocks_from_core core_ second_core branch_words branch_share branch_blocks",
    "title": "title_",
    "article": "article_",
    "names": "names_ branch_names near_",
    "its own words": "line_ titled described ends_sentence",
    "heading above": "heading_mean heading_low branch_heading since_heading words_since last_ headed_",
    "others like it": "path_blocks path_words path_share path_prose_rank path_parents",
    "repetition": "records record_words record_prose",
    "copies": "copies copied_ shingles_",
    "comments": "comment_ comments_",
    "signatures": "signed branch_signed",
    "bylines": "stamps_ prose_since_stamp prose_until_stamp text_ after_longest byline_gap",
    "place": "place words_before prose_before prose_after blocks_from_title words_from_title",
    "size": "words share_ words_ blocks_ hidden_by usable",
    "kind of page": "page_ says_ og_ is_strict",
}
"""The signal of each feature, by the longest beginning of its name."""
_NETWORK: Final = "text around it"
"""The signal of all that the network adds; see `engine.network`."""


def _signal(column: str) -> str:
    matches = [
        (len(start), signal)
        for signal, starts in _SIGNAL_OF.items()
        for start in starts.split()
        if column.startswith(start)
    ]
    return max(matches)[1]


SIGNALS: Final = (*_SIGNAL_OF, _NETWORK)
_PLACE: Final = {signal: place for place, signal in enumerate(SIGNALS)}
_PLACE_OF_COLUMN: Final = np.array([_PLACE[_signal(column)] for column in COLUMNS])
_MENTIONED: Final = (
    "links_2 prose_2 after_core core_words last_level path_blocks path_share records_beside signed stamps_before "
    "stamps_after words_before prose_before words words_2 copies copied_2 title_share article_share comment_share "
    "comments_on_page"
).split() + [f"in_{name}" for name in REGIONS]
"""Features that the sentences below mention."""
_MENTIONED_ROWS: Final = [COLUMNS.index(name) for name in _MENTIONED]
_AROUND: Final = "main text around"
"""The share of main text among the words in the third container around a block, as the trees estimate it."""


class Signals(Mapping[str, float]):
    """The contribution of each signal to one section: a row of a shared table, as a page may have 100,000 sections."""

    __slots__ = ("_row", "_table")

    def __init__(self, table: Floats, row: int) -> None:
        self._table, self._row = table, row

    def __getitem__(self, name: str) -> float:
        return self._table.item(self._row, _PLACE[name])

    def __iter__(self) -> Iterator[str]:
        """Yield the signals, the strongest first."""
        steps = self._table[self._row].tolist()
        return iter(sorted(SIGNALS, key=lambda signal: -abs(steps[_PLACE[signal]])))

    def __len__(self) -> int:
        return len(SIGNALS)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True, eq=False)
class SectionExplanation:
    """The reasons and signals of one section, computed with those of all others when first read."""

    page: "PageExplanation"
    row: int

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons why the section was kept or dropped."""
        return self.page.reasons[self.row]

    @property
    def signals(self) -> Mapping[str, float]:
        """The contribution of each signal to the log odds, compared with the mean block of the page."""
        return Signals(self.page.moved, self.row) if self.page.model else {}


@dataclass(frozen=True, slots=True, eq=False)
class PartExplainer:
    """Explains the sections that are made of one part of the page."""

    page: "PageExplanation"
    stated: tuple[str, ...]
    """The reasons that are known already: those of its role, and which item it is."""

    def explain(self, first: int, last: int) -> SectionExplanation:
        """The reasons and signals of a run of its blocks."""
        self.page.sections.append((first, last, self.stated))
        return SectionExplanation(self.page, len(self.page.sections) - 1)


@dataclass(frozen=True, eq=False)
class PageExplanation:
    """The reasons and signals of all sections of a page. Sections are added while the tree is built, and read after."""

    decision: Decision
    model: EngineModel | None
    """The model whose trees scored the blocks; without one there are no signals."""
    sections: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list)
    """For each section its first block, one past its last, and what is stated already."""

    @cached_property
    def ranges(self) -> Ranges:
        """Sections × 2: the blocks of each."""
        return np.array([(first, last) for first, last, _ in self.sections], np.intp).reshape(-1, 2)

    @cached_property
    def moved(self) -> Floats:
        """Sections × signals: what each signal adds to the log odds, against the mean block of the page."""
        return self._scored[0]

    @cached_property
    def reasons(self) -> list[tuple[str, ...]]:
        """The reasons of each section."""
        facts = [fact_statements(self.decision, *row) for row in self._facts]
        signals = self._signal_statements() if self.model else ({} for _ in facts)
        rows = zip(facts, self.sections, signals, strict=True)
        return [tuple(map(intern, _in_order(known, stated, strong))) for known, (_, _, stated), strong in rows]

    @cached_property
    def _scored(self) -> tuple[Floats, Floats]:
        """Sections × signals, and sections × mentioned features.

        Features are measured again for it: while nobody asks for reasons, this largest of all tables is not held.
        """
        assert self.model is not None  # noqa: S101 - only read where there is one
        landmarks = self.decision.landmarks
        ranges = landmarks.shown_before[self.ranges].astype(np.intp)
        table = features_of(landmarks, self.model.lexicon)
        table[ROW_IS_STRICT] = self.decision.is_strict
        weights = landmarks.shown.blocks.words + 1.0
        around = main_text_around(landmarks.shown, self.model.base + self.model.trees.score(table))
        mentioned = mean_over((*(table[row] for row in _MENTIONED_ROWS), around), weights, ranges)
        steps = contributions(self.model, table)
        del table
        # What all blocks of a page have in common explains none of them.
        common = steps.sum(axis=1) / max(1, len(weights))
        own = (row - mean for row, mean in zip(steps, common, strict=True))
        return mean_over(own, weights, ranges).round(3), mentioned

    @cached_property
    def _facts(self) -> list[tuple[int, int, Values]]:
        """For each section its blocks, and the shares of its characters for which something holds."""
        columns = self._fact_columns()
        sizes = self.decision.landmarks.page.blocks.characters + 1.0
        means = mean_over(columns.values(), sizes, self.ranges).tolist()
        rows = zip(self.ranges.tolist(), means, self._link_shares().tolist(), strict=True)
        return [
            (first, last, {**dict(zip(columns, row, strict=True)), "links": links})
            for (first, last), row, links in rows
        ]

    def _fact_columns(self) -> dict[str, npt.NDArray[Any]]:
        decision, site = self.decision, self.decision.site
        columns: dict[str, npt.NDArray[Any]] = {
            "core": decision.in_core,
            "comment": decision.is_comment,
            "called comments": decision.in_comments,
            "copy": decision.is_copy,
            "usable": decision.landmarks.is_usable,
        }
        return columns | ({"noise": site.noise, "related": site.is_related} if site else {})

    def _link_shares(self) -> Floats:
        blocks, (first, last) = self.decision.landmarks.page.blocks, self.ranges.T
        linked, sizes = running_sum(blocks.link_characters), running_sum(blocks.characters)
        return np.asarray((linked[last] - linked[first]) / np.maximum(1, sizes[last] - sizes[first]), np.float64)

    def _signal_statements(self) -> Iterator[dict[str, str]]:
        """For each section what its strongest signals say, by topic."""
        moved, means = self._scored
        order = np.argsort(-np.abs(moved), axis=1, kind="stable")
        rows = zip(self._facts, moved.tolist(), order.tolist(), means.tolist(), strict=True)
        for (first, _, facts), steps, places, values in rows:
            towards = 1 if self.decision.keep[first] else -1
            strongest = [(SIGNALS[place], steps[place]) for place in places if steps[place] * towards > 0]
            known = {**dict(zip((*_MENTIONED, _AROUND), values, strict=True)), **facts}
            yield {
                signal: f"{_SENTENCE[signal](known, step > 0)} ({step:+.1f})"
                for signal, step in strongest[:MAX_SIGNALS]
                if abs(step) >= MIN_STEP
            }


def _in_order(facts: dict[str, str], stated: tuple[str, ...], signals: dict[str, str]) -> Iterator[str]:
    """Facts first, then what is stated already, then signals; a signal takes the place of a fact on the same topic."""
    yield from (signals.get(topic, fact) for topic, fact in facts.items())
    yield from stated
    yield from (signal for topic, signal in signals.items() if topic not in facts)


def contributions(model: EngineModel, table: Table) -> npt.NDArray[np.float32]:
    """Signals × blocks: what each adds to the log odds, which are the mean of those of the trees and the network."""
    levels = _PLACE_OF_COLUMN[model.trees.feature].astype(np.int32)
    of_network = model.network.score(table)  # before the others, which take much memory on a huge page
    steps = sum_steps(model.trees, levels, len(SIGNALS), table)
    steps[_PLACE[_NETWORK]] = of_network
    steps /= 2
    return steps


def main_text_around(landmarks: Landmarks, log_odds: Floats) -> Floats:
    """Return, for each shown block, the expected share of main text in the third container around it, by words."""
    nodes, around = landmarks.page.nodes, landmarks.blocks.container
    for _ in range(2):
        parent = nodes.parent[around]
        around = np.where(parent >= 0, nodes.container[parent], around)
    words = landmarks.blocks.words * landmarks.is_usable
    first, last = landmarks.blocks_of(around)
    text, sizes = running_sum(words / (1 + np.exp(-log_odds))), running_sum(words)
    return np.asarray((text[last] - text[first]) / np.maximum(1, sizes[last] - sizes[first]), np.float64)


def mean_over(columns: Iterable[npt.NDArray[Any]], weights: npt.NDArray[Any], ranges: Ranges) -> Floats:
    """Ranges × columns: weighted means; several columns at a time, as many as `MAX_NUMBERS` allows.

    Weights are 1 or more; the means over an empty range, as of a hidden section, are 0.
    """
    first, last = ranges.T
    sizes = running_sum(weights)
    waiting, at_once = iter(columns), max(1, MAX_NUMBERS // max(1, len(weights)))
    totals = []
    while some := list(islice(waiting, at_once)):
        sums = running_sum(np.stack(some) * weights)
        totals.append(sums[:, last] - sums[:, first])
    return np.asarray((np.concatenate(totals) / np.maximum(1.0, sizes[last] - sizes[first])).T, np.float64)


# ----------------------------------------------------------------------------------------------------------- sentences


def fact_statements(decision: Decision, first: int, last: int, values: Values) -> dict[str, str]:
    """Return the facts about a section that do not depend on scores, by topic."""
    statements = {"core": "in the core of the page" if values["core"] > 0.5 else "outside the core of the page"}
    if values["called comments"] > 0.5:
        statements["comments"] = "in the comments of an article"
    elif values["comment"] > 0.5:
        statements["comment"] = "one of several records beside the text, most of them with a name and a time"
    if values.get("noise", 0) >= MIN_SHARE:
        statements["noise"] = f"recurs on the site with {values['noise']:.0%} confidence"
    if values["links"] >= MIN_SHARE:
        statements["links"] = f"{values['links']:.0%} of its text is links"
    if values.get("related", 0) > 0:
        statements["related"] = "leads to other pages of the site"
    if values["copy"] > 0:
        statements["copy"] = "repeats another part of the page"
    if values["usable"] == 0:
        statements["usable"] = _why_unusable(decision, first, last)
    return statements


def _why_unusable(decision: Decision, first: int, last: int) -> str:
    landmarks = decision.landmarks
    codes = sorted(set(landmarks.blocks.hidden_by[first:last].tolist()) & set(tags.UNSEEN))
    if codes:
        return f"is hidden ({', '.join(tags.HIDDEN_BY[code] for code in codes)})"
    return "belongs to a form" if landmarks.is_shown[first:last].any() else "lies over the page, like a dialog"


def _tags(values: Values, good: bool) -> str:
    around = [name for name in REGIONS if values[f"in_{name}"] > 0.5]
    if not around:
        return "in no element such as <main>, <nav> or <aside>"
    return f"in elements of these kinds: {', '.join(around)}"


def _core(values: Values, good: bool) -> str:
    where = "in" if values["core"] > 0.5 else "after" if values["after_core"] > 0.5 else "before"
    return f"{where} the core of the page, which has {values['core_words']:.0%} of all words"


def _numbers(sentence: str) -> Callable[[Values, bool], str]:
    """Write a sentence with the numbers that are named in it; it does not depend on what became of the section."""
    return lambda values, good: sentence.format_map(values)


def _typical(subject: str) -> Callable[[Values, bool], str]:
    return lambda values, good: f"{subject} {'are typical of main text' if good else 'are not typical of main text'}"


def _heading(values: Values, good: bool) -> str:
    if values["last_level"] == 0:
        return "no heading (<h1> to <h6>) above it"
    return f"text below such a heading is {'often' if good else 'seldom'} main text"


def _alike(values: Values, good: bool) -> str:
    blocks = _counted(values["path_blocks"], "block with the same tags holds", "blocks with the same tags hold")
    return f"{blocks} {values['path_share']:.0%} of all words"


def _repetition(values: Values, good: bool) -> str:
    beside = values["records_beside"]
    return f"one of {beside:.0f} records side by side" if beside >= 1 else "not one of several similar records"


def _copies(values: Values, good: bool) -> str:
    around = f"{values['copied_2']:.0%} of the words around it are elsewhere on the page, too"
    return around if values["copies"] < 1.5 else f"the page contains it {values['copies']:.0f} times, and {around}"


def _title(values: Values, good: bool) -> str:
    share = values["title_share"]
    if share > 0:
        return f"the smallest element with it and the title has {share:.0%} of all words"
    return "the page shows no title"


def _article(values: Values, good: bool) -> str:
    share = values["article_share"]
    return f"in an <article> with {share:.0%} of all words" if share > 0 else "in no <article>"


def _comments(values: Values, good: bool) -> str:
    share = values["comment_share"]
    if share > 0:
        return f"in a part named comments, with {share:.0%} of all words"
    on_page = values["comments_on_page"]
    if on_page > 0:
        return f"the comments ({on_page:.0%} of all words) are elsewhere"
    return "no part of the page is named comments"


def _signatures(values: Values, good: bool) -> str:
    return "in a record with a name and a time" if values["signed"] > 0.5 else "in no record with a name and a time"


def _bylines(values: Values, good: bool) -> str:
    before, after = values["stamps_before"], values["stamps_after"]
    lines = _counted(before, "line with a name or a time comes", "lines with a name or a time come")
    return f"{lines} before it, {after:.0f} after it"


def _page(values: Values, good: bool) -> str:
    return f"on pages like this, more such blocks are {'main text' if good else 'not main text'} than elsewhere"


def _counted(number: float, one: str, several: str) -> str:
    return f"{number:.0f} {one if f'{number:.0f}' == '1' else several}"


_SENTENCE: Final[dict[str, Callable[[Values, bool], str]]] = {
    "links": _numbers("{links:.0%} of its text is links, {links_2:.0%} around it"),
    "tags": _tags,
    "running text": _numbers("{prose_2:.0%} of the words around it are running text"),
    "core": _core,
    "title": _title,
    "article": _article,
    "names": _typical("the class and id names around it"),
    "its own words": _typical("its first words"),
    "heading above": _heading,
    "others like it": _alike,
    "repetition": _repetition,
    "copies": _copies,
    "comments": _comments,
    "signatures": _signatures,
    "bylines": _bylines,
    "place": _numbers("{words_before:.0%} of all words and {prose_before:.0%} of the running text come before it"),
    "size": _numbers("about {words:.0f} words a block, {words_2:.0f} around it"),
    "kind of page": _page,
    _NETWORK: _numbers(f"{{{_AROUND}:.0%}} of the words around it seem to be main text"),
}
