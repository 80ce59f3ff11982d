"""Slots: sums over the content that the pages of a site have at each node of the template, updated page by page."""

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from pagestrata.landmarks import Floats
from pagestrata.page.nodes import Ints
from pagestrata.sites.layouts import link_shape, url_shape
from pagestrata.sites.reading import Reading

FIELDS: Final = (
    "pages",
    "blocks",
    "words",
    "characters",
    "link_characters",
    "constant_characters",
    "links",
    "sibling_links",
    "main",
    "core",
    "records",
    "signed",
)
"""The sums of each slot. `pages`: those that have text there; `constant_characters`: of blocks that other pages
have there too; `sibling_links`: links to addresses like those of the pages learned from; `main`: words (plus one for
each block) times the engine's probability of main text; `core`: its core share, 1 if it holds the running text;
`records` and `signed`: repeated elements, and those with name and time."""

MAX_LINKS: Final = 1_000
"""The limit on links of a page that are counted."""


def _share(field: str, *of: str, default: float = 0.0) -> "cached_property[Floats]":
    """Return the share of one sum in that of others, for each slot; `default` where these are 0."""
    return cached_property(lambda slots: slots.shares(field, of, default))


@dataclass(frozen=True, eq=False)
class Slots:
    """The sums of all slots; float64, a row for each of `FIELDS`, a column for each node of the template."""

    table: Floats

    @classmethod
    def empty(cls, count: int) -> "Slots":
        """Return the slots of a template with `count` nodes, before any page."""
        return cls(np.zeros((len(FIELDS), count)))

    def __getitem__(self, field: str) -> Floats:
        row: Floats = self.table[FIELDS.index(field)]
        return row

    def __add__(self, other: "Slots") -> "Slots":
        return Slots(self.table + other.table)

    def moved(self, places: npt.NDArray[np.intp], count: int) -> "Slots":
        """Move the sums after the template has grown; `places` has the new place of each node, or -1."""
        table = np.zeros((len(FIELDS), count))
        kept = places >= 0
        table[:, places[kept]] = self.table[:, kept]
        return Slots(table)

    def shares(self, field: str, of: tuple[str, ...], default: float) -> Floats:
        """Divide one sum by that of others for each slot; `default` where these are 0."""
        totals = np.asarray(sum(self[name] for name in of), np.float64)
        shares: Floats = np.divide(self[field], totals, out=np.full(len(totals), default), where=totals > 0)
        return shares

    pooled = _share("main", "words", "blocks", default=-1.0)
    """The mean probability that words of each slot are main text, over the pages; -1 for slots without words."""
    pooled_weight = _share("pages", "blocks")
    """The weight of that mean: 1 if each page has one block in the slot, 1/n if each has n; 0 without blocks."""
    constant_share = _share("constant_characters", "characters")
    """The share of the text of each slot that other pages have there too; 0 for slots without text."""
    link_share = _share("link_characters", "characters", default=-1.0)
    """The share of the text of each slot that is in links; -1 for slots without text."""
    sibling_share = _share("sibling_links", "links")
    """The share of the links of each slot that lead to pages like those learned from; 0 for slots without links."""


def slot_values(values: Floats, slot: npt.NDArray[np.intp] | Ints, default: float = 0.0) -> Floats:
    """Look up a value per slot for each block, or node; `default` for those without a slot."""
    if len(values) == 0:
        return np.full(len(slot), default)
    return np.where(slot >= 0, values[np.maximum(slot, 0)], default)


def slots_of(reading: Reading, count: int, shapes: Set[str] = frozenset()) -> Slots:
    """Compute the sums of one page for a template with `count` nodes; `shapes` are forms of sibling addresses."""
    slots = Slots.empty(count)
    has_slot = reading.slot >= 0
    slot, blocks = reading.slot[has_slot], reading.page.blocks
    slots["pages"][np.unique(slot)] = 1
    np.add.at(slots["blocks"], slot, 1)
    np.add.at(slots["words"], slot, blocks.words[has_slot])
    np.add.at(slots["characters"], slot, blocks.characters[has_slot])
    np.add.at(slots["link_characters"], slot, blocks.link_characters[has_slot])
    np.add.at(slots["constant_characters"], slot, blocks.characters[has_slot] * reading.recurs[has_slot])
    np.add.at(slots["main"], slot, (blocks.words[has_slot] + 1) * reading.scores[has_slot])
    _count_links(slots, reading, shapes)
    node = reading.match.template_node
    has_node = node >= 0
    np.maximum.at(slots["core"], node[has_node], reading.core_share[has_node])
    landmarks = reading.landmarks
    for field, records in (("records", landmarks.records), ("signed", landmarks.records[landmarks.is_signed])):
        places = node[records]
        np.add.at(slots[field], places[places >= 0], 1)
    return slots


def _count_links(slots: Slots, reading: Reading, shapes: Set[str]) -> None:
    """Count links, and those to pages like the siblings, at the slot of the element around each."""
    page, node = reading.page, reading.match.template_node
    slot = node[page.nodes.container].tolist()
    host, _, folder = url_shape(page.url).rpartition("/")[0].partition("/")
    folder = "/" + folder if folder else ""
    targets = [(slot[link], target) for link, target in page.links[:MAX_LINKS] if slot[link] >= 0]
    siblings = [place for place, target in targets if link_shape(host, folder, target) in shapes]
    np.add.at(slots["links"], np.array([place for place, _ in targets], np.intp), 1)
    np.add.at(slots["sibling_links"], np.array(siblings, np.intp), 1)
