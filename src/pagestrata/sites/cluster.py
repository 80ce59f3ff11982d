"""The plain data of a site model: clusters with their slots and wrappers, and the edits of a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Final, Literal, Protocol

import numpy as np

from pagestrata.algorithms.template import Template
from pagestrata.algorithms.template.frozen import ends_of
from pagestrata.errors import UsageError
from pagestrata.options import Options
from pagestrata.results import Role
from pagestrata.sites.layouts import Layout
from pagestrata.sites.site import LayoutSegmenter
from pagestrata.sites.slots import FIELDS, Slots

NodeAction = Literal["noise", "optional", "section"]
NODE_ACTIONS: Final[tuple[NodeAction, ...]] = ("noise", "optional", "section")
"""What a node of a template can be marked as."""

_template_row = attrgetter("label", "operator", "parent", "support", "features", "content", "votes")
_sums_row = attrgetter(*FIELDS)


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A node of the template, with sums over the content that the pages have there."""

    label: str
    operator: Literal["", "*", "?"] = ""
    parent: int = -1
    support: int = 0
    """Pages that have the node."""
    features: Mapping[str, int] = field(default_factory=dict)
    """Texts, links and images that several pages have there, each with the number of pages."""
    once: tuple[int, ...] = ()
    """Checksums of the features that one page has there, so that the same feature on a second page is recognised."""
    content: int = 0
    """The hash of the text that most pages have there."""
    votes: int = 0
    """By how many pages that text leads."""
    pages: int = 0
    """Pages that have text there."""
    blocks: int = 0
    words: int = 0
    characters: int = 0
    link_characters: int = 0
    constant_characters: int = 0
    """Characters of blocks that other pages have there too."""
    links: int = 0
    sibling_links: int = 0
    """Links to addresses like those of the pages learned from."""
    main: float = 0.0
    """Words plus one for each block, weighted with the engine's probability that they are main text."""
    core: float = 0.0
    """Sum over the pages of its core share: 1 if it is the container of the running text."""
    records: int = 0
    signed: int = 0


@dataclass(frozen=True, kw_only=True)
class Wrapper:
    """A path that leads to the article."""

    xpath: str
    css: str
    relevance: float
    """The share of the pages whose article it leads to; of paths found with a feed, the relevance of FOREST."""
    pages: int


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A decision of a person, which wins over everything that was learned."""

    action: Literal["keep", "drop", "role"] | NodeAction
    selector: str = ""
    """CSS or XPath, for the actions `keep`, `drop` and `role`."""
    node: str = ""
    """The path of a node of the template, for the actions `noise`, `optional` and `section`; see `node_edits`."""
    role: Role | None = None
    """For the action `role`."""
    note: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if (self.action == "role") != (self.role is not None):
            raise UsageError("the action 'role', and only that, needs a role")
        if (self.action in NODE_ACTIONS) != bool(self.node) or bool(self.node) == bool(self.selector):
            raise UsageError(f"an edit has a selector, or, for the actions {', '.join(NODE_ACTIONS)}, a node")

    def keeps(self, options: Options) -> bool:
        """Whether the elements are kept: a role that is not content drops them, comments are kept if asked for."""
        if self.role is Role.COMMENTS:
            return options.comments != "off"
        return self.action == "keep" or self.role in (Role.MAIN, Role.TITLE)


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Pages of one layout, and the template that was learned from them."""

    name: str
    pages: int
    """The number of pages it was learned from."""
    begun_later: bool = False
    """Whether an update began it: the layout was not there when the site was learned."""
    shapes: tuple[str, ...] = ()
    """The forms of their addresses, most frequent first."""
    language: str = ""
    sketch: tuple[int, ...] = ()
    """The MinHash sketch of the layout; see `layouts`."""
    distances: tuple[float, ...] = ()
    """Distances of the pages from the template when it was learned; 0 is a perfect fit."""
    recent: tuple[float, ...] = ()
    """Distances of the most recent pages that were added later, without their cores."""
    titles: tuple[int, ...] = ()
    """Hashes of the titles of the pages: a link with such a text is a teaser."""
    wrappers: tuple[Wrapper, ...] = ()
    cut: int = 0
    """The number of nodes that did not fit into the template."""
    slots: tuple[Slot, ...] = ()
    """The template in document order."""

    @cached_property
    def template(self) -> Template:
        """The tree regular expression."""
        columns = zip(*map(_template_row, self.slots), strict=True)
        label, operator, parent, support, features, content, votes = columns
        return Template(
            label=label,
            operator=operator,
            parent=parent,
            end=ends_of(parent),
            support=support,
            features=features,
            content=content,
            votes=votes,
            pages=self.pages,
            cut=self.cut,
        )

    @cached_property
    def segmenter(self) -> LayoutSegmenter:
        """The method that reads pages of this layout."""
        slots = Slots(np.array(list(map(_sums_row, self.slots)), np.float64).reshape(-1, len(FIELDS)).T.copy())
        return LayoutSegmenter(self.template, slots, frozenset(self.titles))

    @cached_property
    def layout(self) -> Layout:
        """The layout that new pages are compared with."""
        return Layout(np.array(self.sketch, np.uint64), self.shapes[0] if self.shapes else "", self.language)


class LearnedSite(Protocol):
    """The fields of a model that matching reads; `SiteModel` imports those functions, not the reverse."""

    @property
    def site(self) -> str:
        """The name of the site."""

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Its layouts."""

    @property
    def templates(self) -> Mapping[str, Template]:
        """The template of each layout by its name, as a person edited it."""

    @property
    def recent(self) -> tuple[str, ...]:
        """The clusters of the pages that were added last."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Decisions of a person."""
