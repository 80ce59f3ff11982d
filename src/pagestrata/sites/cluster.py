"""What is known of one site, as plain data: its clusters with their slots and wrappers, and the edits of a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from pagestrata.algorithms.template import Template
from pagestrata.errors import UsageError
from pagestrata.results import Role
from pagestrata.sites.layouts import Layout
from pagestrata.sites.site import Site
from pagestrata.sites.slots import FIELDS, Slots


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A node of the template, and what stood there over the pages."""

    label: str
    operator: Literal["", "*", "?"] = ""
    parent: int = -1
    support: int = 0
    """Pages that have the node."""
    features: Mapping[str, int] = field(default_factory=dict)
    """Texts, links and images that several pages have there, with how many."""
    once: tuple[int, ...] = ()
    """Those that one page has, as numbers, so that a second page is noticed."""
    content: int = 0
    """A number for the text that most pages have there, and by how many pages it leads."""
    votes: int = 0
    pages: int = 0
    """Pages that have text there."""
    blocks: int = 0
    words: int = 0
    characters: int = 0
    link_characters: int = 0
    constant_characters: int = 0
    """Of blocks that other pages have there too."""
    links: int = 0
    sibling_links: int = 0
    """Links to addresses like those of the pages learned from."""
    main: float = 0.0
    """Words, and one for each block, times how likely the engine thinks them main text."""
    core: float = 0.0
    """Sum over the pages of how far it is the container of the running text."""
    records: int = 0
    signed: int = 0


@dataclass(frozen=True, kw_only=True)
class Wrapper:
    """A path that leads to the article, as FOREST finds it."""

    xpath: str
    css: str
    relevance: float
    pages: int


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What a person decided; it holds whatever was learned."""

    action: Literal["keep", "drop", "role"]
    selector: str
    """CSS or XPath."""
    role: Role | None = None
    """For the action `role`."""
    note: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if (self.action == "role") != (self.role is not None):
            raise UsageError("the action 'role', and only that, needs a role")


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Pages of one layout, and what was learned of them."""

    name: str
    pages: int
    """How many it was learned from."""
    shapes: tuple[str, ...] = ()
    """The forms of their addresses, most frequent first."""
    language: str = ""
    sketch: tuple[int, ...] = ()
    """Of the layout; see `layouts`."""
    distances: tuple[float, ...] = ()
    """How well the pages fitted when it was learned: 0 is perfect."""
    recent: tuple[float, ...] = ()
    """How well the last pages fitted that came later."""
    titles: tuple[int, ...] = ()
    """Of the pages, as numbers: who links to one by its title shows a teaser."""
    wrappers: tuple[Wrapper, ...] = ()
    cut: int = 0
    """Nodes that had no room in the template."""
    slots: tuple[Slot, ...] = ()
    """The template in document order."""

    @cached_property
    def template(self) -> Template:
        """The tree regular expression."""
        return Template(
            label=tuple(slot.label for slot in self.slots),
            operator=tuple(slot.operator for slot in self.slots),
            parent=tuple(slot.parent for slot in self.slots),
            end=_ends([slot.parent for slot in self.slots]),
            support=tuple(slot.support for slot in self.slots),
            features=tuple(slot.features for slot in self.slots),
            content=tuple(slot.content for slot in self.slots),
            votes=tuple(slot.votes for slot in self.slots),
            pages=self.pages,
            cut=self.cut,
        )

    @cached_property
    def site(self) -> Site:
        """The method, ready to read pages."""
        table = [[getattr(slot, name) for slot in self.slots] for name in FIELDS]
        slots = Slots(np.array(table, np.float64).reshape(len(FIELDS), len(self.slots)))
        return Site(self.template, slots, frozenset(self.titles))

    @cached_property
    def layout(self) -> Layout:
        """What new pages are compared with."""
        return Layout(np.array(self.sketch, np.uint64), self.shapes[0] if self.shapes else "", self.language)


class LearnedSite(Protocol):
    """What matching reads of a model; `SiteModel` stands above the functions that read this."""

    @property
    def site(self) -> str:
        """The name of the site."""

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Its layouts."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What a person decided."""


def _ends(parents: list[int]) -> tuple[int, ...]:
    ends = list(range(1, len(parents) + 1))
    for place in range(len(parents) - 1, 0, -1):
        ends[parents[place]] = max(ends[parents[place]], ends[place])
    return tuple(ends)
