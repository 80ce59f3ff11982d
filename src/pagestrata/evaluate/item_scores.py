"""F1 of posts and cards by platform, on pages whose platform is known (forums, shops, wpsites).

A true post belongs to the item that shares most words with its body, from half of them on (F1 of words); it is found
then, and its body is right from `SAME_BODY` on. Quotes and bylines in a body may be missing. A true card belongs to an
item with the same title. Each field counts where the truth or the item has it: author, time and price are right if one
of the two contains the other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pagestrata.api import extract
from pagestrata.errors import UsageError
from pagestrata.evaluate.datasets import Sample
from pagestrata.evaluate.figures_table import figures_table
from pagestrata.evaluate.item_truth import TrueItem, platform_of, true_items
from pagestrata.evaluate.metrics import folded, is_part
from pagestrata.metadata.dates import read_date
from pagestrata.page.raw import RawPage
from pagestrata.page.text import words
from pagestrata.parts import PageItem

if TYPE_CHECKING:
    from rich.table import Table

_MINUTES: Final = len("2024-05-17T10:00")
MIN_ITEMS: Final = 2
"""Items of the truth from which a page is measured."""
SAME_POST: Final = 0.5
SAME_BODY: Final = 0.9
"""F1 of words from which a text is that of a post, and from which it is right."""
ALL: Final = "all"
FIELDS: Final = ("found", "body", "author", "time", "price")


@dataclass(slots=True)
class FieldCount:
    """The numbers of right, answered and true values of a field."""

    right: int = 0
    answered: int = 0
    true: int = 0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, self.answered + self.true)

    def add(self, right: int, answered: int, true: int) -> None:
        """Add the counts of a page."""
        self.right, self.answered, self.true = self.right + right, self.answered + answered, self.true + true


@dataclass(slots=True)
class ItemScores:
    """The counts of the pages of one platform, by field."""

    pages: int = 0
    fields: dict[str, FieldCount] = field(default_factory=lambda: {name: FieldCount() for name in FIELDS})


def score_items(
    samples: Iterable[Sample], advance: Callable[[int], None] = lambda failed: None
) -> dict[str, ItemScores]:
    """Score the items of all pages of known platforms, by platform and all together."""
    scores: dict[str, ItemScores] = {}
    for sample in samples:
        truth = sample.truth()
        platform = platform_of(sample.read(), truth) if truth else ""
        true = true_items(sample.read(), truth, platform) if truth else []
        if truth and len(true) >= MIN_ITEMS:
            items = extract(RawPage(sample.read(), truth.url or None)).items
            for name in (platform, ALL):
                _add_page(scores.setdefault(name, ItemScores()), items, true)
        advance(0)
    if not scores:
        raise UsageError("there are no pages of a platform whose items are known")
    return dict(sorted(scores.items(), key=lambda entry: (entry[0] == ALL, entry[0])))


def _add_page(scores: ItemScores, items: Sequence[PageItem], true: Sequence[TrueItem]) -> None:
    kind = "post" if any(item.body for item in true) else "card"
    items = [item for item in items if item.kind == kind]
    pairs = match_posts(items, true) if kind == "post" else _match_cards(items, true)
    scores.pages += 1
    scores.fields["found"].add(len(pairs), len(items), len(true))
    if kind == "post":
        right = sum(_body_f1(_bag(item.text), post) >= SAME_BODY for item, post in pairs)
        scores.fields["body"].add(right, len(items), len(true))
    for name in ("author", "time") if kind == "post" else ("price",):
        read = _time_words if name == "time" else folded
        values = [(read(getattr(item, name) or ""), read(getattr(other, name))) for item, other in pairs]
        answered = sum(getattr(item, name) is not None for item in items)
        true_count = sum(bool(getattr(item, name)) for item in true)
        if true_count:
            scores.fields[name].add(sum(is_part(*value) for value in values), answered, true_count)


def match_posts(items: Sequence[PageItem], true: Sequence[TrueItem]) -> list[tuple[PageItem, TrueItem]]:
    """Return pairs of items and true posts, each at most once, those that share most words first."""
    texts = [_bag(item.text) for item in items]
    f1 = {(place, number): _body_f1(text, post) for place, text in enumerate(texts) for number, post in enumerate(true)}
    chosen: dict[int, int] = {}
    for place, number in sorted(f1, key=lambda pair: (-f1[pair], abs(pair[0] - pair[1]))):
        if f1[place, number] >= SAME_POST and place not in chosen and number not in chosen.values():
            chosen[place] = number
    return [(items[place], true[number]) for place, number in chosen.items()]


def _match_cards(items: Sequence[PageItem], true: Sequence[TrueItem]) -> list[tuple[PageItem, TrueItem]]:
    """Return pairs of items and true cards with the same title, each once."""
    waiting: dict[str, list[TrueItem]] = {}
    for card in true:
        waiting.setdefault(folded(card.title), []).append(card)
    return [(item, cards.pop(0)) for item in items if (cards := waiting.get(folded(item.title or "")))]


def _time_words(text: str) -> str:
    """The words of a time in the form of ISO 8601 without its seconds and zone, if it has a date."""
    return folded((read_date(text) or "")[:_MINUTES] or text)


@lru_cache(maxsize=1_000)
def _bag(text: str) -> Counter[str]:
    """The words of a text with their numbers; not to be changed, as it is kept."""
    return Counter(words(text.casefold()))


def _body_f1(answer: Counter[str], post: TrueItem) -> float:
    """F1 of words of an answer and the body of a true post; missing words of its optional text do not count."""
    body = _bag(post.body)
    return _word_f1(answer, body - (body - answer & _bag(post.optional)))


def _word_f1(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def to_table(title: str, scores: dict[str, ItemScores], markdown: bool) -> "Table":
    """Write the F1 of each field by platform as a table."""
    shown = [name for name in FIELDS if any(each.fields[name].true for each in scores.values())]
    table = figures_table(title, ["platform"], ["pages", "items", *shown], markdown)
    for platform, each in scores.items():
        cells = [f"{each.fields[name].f1:.3f}" if each.fields[name].true else "" for name in shown]
        table.add_row(platform, f"{each.pages}", f"{each.fields['found'].true:,}", *cells)
    return table
