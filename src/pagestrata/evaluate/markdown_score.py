"""How much of an author's Markdown is recovered from the page made from it: precision, recall and F1 by kind.

Pages are averaged over a site, then sites, each kind over the pages that have it. An item is right if its text is, and
right with its attribute if language, target and level are those of the page too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Final

from pagestrata.api import extract
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.markdown_items import KINDS, Item, items_of
from pagestrata.evaluate.markdown_truth import MarkdownPage
from pagestrata.evaluate.metrics import Score, score_of
from pagestrata.evaluate.peers import MARKDOWN_PEERS, installed_markdown, load_peer
from pagestrata.page.raw import RawPage

if TYPE_CHECKING:
    from rich.table import Table

Writer = Callable[[MarkdownPage], str]
"""From a page to its Markdown."""
ALL: Final = "all"
OURS: Final = "pagestrata"
MIN_SIMILARITY: Final = 0.8
"""Share of groups of three letters from which two texts are the same item: a note or a formula may be written in."""
_EXACT: Final = ("code", "inline-code", "link", "image", "strong", "emphasis", "maths", "heading", "term")


def our_writer(page: MarkdownPage) -> str:
    """The Markdown of the default method."""
    return extract(RawPage(page.data, page.url or None)).markdown


def writers(peers: Sequence[str] | None) -> dict[str, Writer]:
    """Ours, and the peers of these names, or those that are installed."""
    return {OURS: our_writer} | {name: _of_peer(name) for name in (installed_markdown() if peers is None else peers)}


def _of_peer(name: str) -> Writer:
    call = load_peer(name, MARKDOWN_PEERS)
    return lambda page: str(call.run(call.prepare(page.data)) or "")


# -------------------------------------------------------------------------------------------------------------- a page


@dataclass(slots=True)
class Counts:
    """Items of one kind on one page."""

    wanted: int = 0
    given: int = 0
    """The number of items without optional ones."""
    right: int = 0
    right_with_attribute: int = 0


def score_page(page: MarkdownPage, markdown: str) -> dict[str, Counts]:
    """Count the wanted, given and right items of each kind, and of all."""
    by_kind: dict[str, Counts] = {}
    given = _by_kind(item for item in items_of(markdown) if not page.is_free(item))
    wanted = _by_kind(page.wanted)
    for kind in KINDS:
        pairs = match(wanted[kind], given[kind])
        matched = Counter(id(answer) for _, answer in pairs)
        extra = [item for item in given[kind] if not matched[id(item)] and not page.is_in_main_part(item)]
        attributes = sum(page.is_attribute_right(want, answer) for want, answer in pairs)
        by_kind[kind] = Counts(len(wanted[kind]), len(pairs) + len(extra), len(pairs), attributes)
    return by_kind | {ALL: _sum(by_kind.values())}


def _by_kind(items: Iterable[Item]) -> defaultdict[str, list[Item]]:
    by_kind: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_kind[item.kind].append(item)
    return by_kind


def _sum(counts: Iterable[Counts]) -> Counts:
    rows = [(each.wanted, each.given, each.right, each.right_with_attribute) for each in counts]
    return Counts(*(sum(column) for column in zip(*rows, strict=True)))


def match(wanted: Sequence[Item], given: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Pair the items of one kind: those with equal keys first, then those of similar text; each is taken once."""
    waiting: defaultdict[str, list[Item]] = defaultdict(list)
    for item in reversed(given):
        waiting[item.key].append(item)
    pairs, missed = [], []
    for item in wanted:
        if waiting[item.key]:
            pairs.append((item, waiting[item.key].pop()))
        elif item.kind not in _EXACT:
            missed.append(item)
    rest = [item for items in waiting.values() for item in items]
    for item in missed:
        best = max(rest, key=lambda other: similarity(item.key, other.key), default=None)
        if best is not None and similarity(item.key, best.key) >= MIN_SIMILARITY:
            pairs.append((item, best))
            rest.remove(best)
    return pairs


def similarity(one: str, other: str) -> float:
    """The share of groups of three letters that two texts have in common.

    >>> similarity("teapots", "teapot"), similarity("tea", "pot")
    (0.8888888888888888, 0.0)
    """
    left, right = _groups(one), _groups(other)
    return 2 * (left & right).total() / (left.total() + right.total())


def _groups(text: str) -> Counter[str]:
    return Counter(text[place : place + 3] for place in range(max(1, len(text) - 2)))


# --------------------------------------------------------------------------------------------------------------- table


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """The scores of one writer: by kind, and with attributes right too."""

    name: str
    scores: dict[str, Score]
    with_attributes: dict[str, Score]
    failed: int = 0
    pages: list[tuple[str, dict[str, Counts]]] = field(default_factory=list, repr=False)
    """The counts of every page, by its name."""


def score_writer(
    name: str, write: Writer, pages: Sequence[MarkdownPage], advance: Callable[[int], None] = lambda failed: None
) -> MarkdownLine:
    """Score a writer over pages; a failure counts as an empty text."""
    counts, failed = [], 0
    for page in pages:
        try:
            markdown = write(page)
        except Exception:  # a peer may raise anything, and that is its answer
            markdown, failed = "", failed + 1
        counts.append(score_page(page, markdown))
        advance(0)
    sites = [page.site for page in pages]
    plain = {kind: _macro(kind, sites, counts, "right") for kind in (ALL, *KINDS)}
    strict = {kind: _macro(kind, sites, counts, "right_with_attribute") for kind in (ALL, *KINDS)}
    rows = list(zip((page.id for page in pages), counts, strict=True))
    return MarkdownLine(name, _present(plain), _present(strict), failed, rows)


def _present(scores: dict[str, Score | None]) -> dict[str, Score]:
    return {kind: score for kind, score in scores.items() if score is not None}


def _macro(kind: str, sites: Sequence[str], counts: Sequence[dict[str, Counts]], right: str) -> Score | None:
    """Means over the pages of a site that have the kind, then over sites."""
    by_site: defaultdict[str, list[Score]] = defaultdict(list)
    for site, page in zip(sites, counts, strict=True):
        count = page[kind]
        if count.wanted:
            by_site[site].append(score_of(getattr(count, right), count.given, count.wanted))
    if not by_site:
        return None
    precision, recall = (
        fmean(fmean(getattr(score, side) for score in scores) for scores in by_site.values())
        for side in ("precision", "recall")
    )
    return Score(precision, recall)


def to_table(title: str, lines: Sequence[MarkdownLine], markdown: bool) -> "Table":
    """Write F1 of every kind, and for all items precision, recall, and F1 with attributes right."""
    kinds = [kind for kind in KINDS if any(kind in line.scores for line in lines)]
    numbers = (ALL, "P", "R", "with attributes", *kinds, "code with language", "link with target")
    table = figures_table(title, ["F1"], numbers, markdown)
    for line in lines:
        total = line.scores[ALL]
        figures = [total.f1, total.precision, total.recall, line.with_attributes[ALL].f1]
        figures += [line.scores[kind].f1 for kind in kinds if kind in line.scores]
        figures += [line.with_attributes[kind].f1 for kind in ("code", "link") if kind in line.with_attributes]
        table.add_row(line.name, *(f"{figure:.3f}" for figure in figures))
    return table
