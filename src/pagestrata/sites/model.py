"""SiteModel: what was learned of one site, as data that a person can read, edit and date.

A model is written as JSON to be read, or as a compact binary twin; both hold the same. Reading one runs no code, and
checks everything that the methods rely on.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.algorithms.template import Template
from pagestrata.errors import ModelError, UsageError
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.parse import parse
from pagestrata.page.raw import RawPage
from pagestrata.results import Role, Segmentation
from pagestrata.sites.clusters import SKETCH, Layout
from pagestrata.sites.site import Site
from pagestrata.sites.slots import FIELDS, Slots

FORMAT: Final = "pagestrata site model"
VERSION: Final = 2
MAGIC: Final = b"pagestrata-site\x01"
MOST_BYTES: Final = 16 << 20
"""Of a model, unpacked: more is not something that was learned here."""
MOST_NODES: Final = 50_000
"""Of all templates of a model."""

Source = bytes | str | Page | RawPage


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
    """Of the layout; see `clusters`."""
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


@dataclass(frozen=True, kw_only=True)
class SiteModel:
    """What was learned of one site."""

    format: str = FORMAT
    version: int = VERSION
    site: str
    learned: str
    """The day, as in 2026-11-15."""
    updated: str = ""
    notes: tuple[str, ...] = ()
    """What was left out when it was learned, and why."""
    edits: tuple[Edit, ...] = ()
    clusters: tuple[Cluster, ...]

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Cut a page of this site into sections."""
        from pagestrata.sites.match import segment

        return segment(self, page, options)

    def extract(self, source: Source, url: str | None = None, options: Options = DEFAULTS) -> Extraction:
        """Read a page of this site; what a person decided by selectors is obeyed."""
        settings = self.with_edits(options)
        page = self.read(source, url, settings)
        return Extraction(page, settings, self.segment(page, settings), "site", page.limits)

    def with_edits(self, options: Options) -> Options:
        """The options, with the selectors that the edits need."""
        chosen = {action: [edit.selector for edit in self.edits if edit.action == action] for action in _ACTIONS}
        return replace(
            options,
            keep=tuple(dict.fromkeys((*options.keep, *chosen["keep"]))),
            drop=tuple(dict.fromkeys((*options.drop, *chosen["drop"]))),
            mark=tuple(dict.fromkeys((*options.mark, *chosen["role"]))),
        )

    def read(self, source: Source, url: str | None, options: Options) -> Page:
        """The source as a page that knows what the selectors find."""
        if isinstance(source, Page):
            unknown = [selector for selector in options.selectors if selector not in source.marks]
            if unknown:
                raise UsageError(f"the page was parsed without the selector {unknown[0]!r} of an edit: give its bytes")
            return source
        return parse(source if isinstance(source, RawPage) else RawPage(source, url=url), options)

    def explain(self, source: Source, url: str | None = None, options: Options = DEFAULTS) -> str:
        """Tell a person how a page is read: which cluster, how well it fits, and each section with its reasons."""
        from pagestrata.sites.match import explain

        return explain(self, self.read(source, url, self.with_edits(options)), self.with_edits(options))

    def update(self, source: Source, url: str | None = None) -> "SiteModel":
        """What is known once this page is known too."""
        from pagestrata.sites.learn import update

        return update(self, self.read(source, url, DEFAULTS))

    def drift(self) -> str | None:
        """Why the site should be learned again, or None."""
        from pagestrata.sites.match import drift

        return next(filter(None, map(drift, self.clusters)), None)

    def with_edit(self, edit: Edit) -> "SiteModel":
        """The same with one more decision of a person."""
        return replace(self, edits=(*self.edits, edit))

    def cluster(self, name: str) -> Cluster:
        """The cluster of that name."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        raise UsageError(f"there is no cluster {name!r}; there are {', '.join(c.name for c in self.clusters)}")

    def tree(self, name: str) -> str:
        """The template of a cluster as a readable expression."""
        return str(self.cluster(name).template)

    def wrappers(self) -> list[tuple[str, Wrapper]]:
        """The paths to the article of each cluster, best first."""
        return [(cluster.name, wrapper) for cluster in self.clusters for wrapper in cluster.wrappers]

    def to_json(self) -> str:
        """As JSON, to be read."""
        return msgspec.json.format(msgspec.json.encode(_lean(self)), indent=1).decode() + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "SiteModel":
        """Back from JSON."""
        try:
            data = text.encode() if isinstance(text, str) else text
            if len(data) > MOST_BYTES:
                raise ModelError(f"a site model has at most {MOST_BYTES:,} bytes, this has {len(data):,}")
            return _checked(msgspec.json.decode(data, type=cls))
        except (msgspec.DecodeError, UnicodeError, UsageError, RecursionError) as error:
            raise ModelError(f"this is no site model: {error}") from error

    def to_bytes(self) -> bytes:
        """The compact twin."""
        return MAGIC + zlib.compress(msgspec.msgpack.encode(_lean(self)), 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> "SiteModel":
        """Back from the compact twin."""
        if not data.startswith(MAGIC):
            raise ModelError("this is no site model: it does not begin like one")
        try:
            unpacking = zlib.decompressobj()
            unpacked = unpacking.decompress(data[len(MAGIC) :], MOST_BYTES)
            if unpacking.unconsumed_tail or not unpacking.eof:
                raise ModelError(f"the site model is cut off, or larger than {MOST_BYTES:,} bytes")
            return _checked(msgspec.msgpack.decode(unpacked, type=cls))
        except (msgspec.DecodeError, zlib.error, UnicodeDecodeError, UsageError, RecursionError) as error:
            raise ModelError(f"this is no site model: {error}") from error

    def save(self, path: str | Path) -> None:
        """Write it to a file: JSON if the name ends so, else the compact twin."""
        target = Path(path)
        target.write_bytes(self.to_json().encode() if target.suffix == ".json" else self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> "SiteModel":
        """Read either form from a file."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise ModelError(f"cannot read {path}: {error.strerror}") from error
        return cls.from_bytes(data) if data.startswith(MAGIC) else cls.from_json(data)


_ACTIONS = ("keep", "drop", "role")


def _lean(value: object) -> object:
    """Plain data without what is as it is by default, so that a person sees what matters."""
    if isinstance(value, Mapping):
        return {str(key): _lean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_lean(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    found = {}
    for name, about in value.__dataclass_fields__.items():
        item = getattr(value, name)
        if name in ("format", "version") or not (item == about.default or item == {} or item == ()):
            found[name] = _lean(round(item, 4) if isinstance(item, float) else item)
    return found


def _ends(parents: list[int]) -> tuple[int, ...]:
    ends = list(range(1, len(parents) + 1))
    for place in range(len(parents) - 1, 0, -1):
        ends[parents[place]] = max(ends[parents[place]], ends[place])
    return tuple(ends)


def _checked(model: SiteModel) -> SiteModel:
    """Refuse what the methods could not work with; says what is wrong."""
    if model.format != FORMAT:
        raise ModelError("this is no site model: its format is another")
    if model.version != VERSION:
        raise ModelError(f"this is a site model of version {model.version}, and only {VERSION} is known here")
    if not model.clusters:
        raise ModelError("this site model has no clusters: nothing was learned")
    if sum(len(cluster.slots) for cluster in model.clusters) > MOST_NODES:
        raise ModelError(f"the templates of a site model have at most {MOST_NODES:,} nodes")
    for cluster in model.clusters:
        _check_tree(cluster)
        _check_numbers(cluster)
    return model


def _check_tree(cluster: Cluster) -> None:
    """Parents come first, and all below a node follows it."""
    around: list[int] = []
    for place, slot in enumerate(cluster.slots):
        while around and around[-1] != slot.parent:
            around.pop()
        if (place == 0) != (slot.parent == -1) or (place > 0 and not around):
            raise ModelError(f"slot {place} of cluster {cluster.name!r} has no place in the tree")
        around.append(place)


def _check_numbers(cluster: Cluster) -> None:
    if cluster.pages < 1:
        raise ModelError(f"cluster {cluster.name!r} was learned from no page")
    if len(cluster.sketch) != SKETCH or any(not 0 <= number < 1 << 64 for number in cluster.sketch):
        raise ModelError(f"the sketch of cluster {cluster.name!r} is no row of {SKETCH} numbers of 64 bits")
    for place, slot in enumerate(cluster.slots):
        sums = (getattr(slot, name) for name in FIELDS)
        numbers = (slot.support, slot.content, slot.votes, *slot.features.values(), *sums)
        if any(not 0 <= number < 1 << 53 for number in numbers):
            raise ModelError(f"slot {place} of cluster {cluster.name!r} has a number out of range")
