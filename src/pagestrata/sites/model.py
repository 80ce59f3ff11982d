"""SiteModel: the layouts learned of one site and their dates, as data that a person can read and edit.

A model is written as JSON for people, or in a compact binary form; both hold the same data. Loading a model runs no
code, and checks everything that the methods rely on.
"""

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.algorithms.template import Template
from pagestrata.errors import ModelError, UsageError, raising
from pagestrata.extraction import Extraction
from pagestrata.inputs.sources import Source, raw_page
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.parse import parse
from pagestrata.page.raw import RawPage
from pagestrata.results import Segmentation
from pagestrata.sites.cluster import NODE_ACTIONS, Cluster, Edit, Slot, Wrapper
from pagestrata.sites.cluster_learning import RECENT_PAGES, add_page
from pagestrata.sites.drift import drift
from pagestrata.sites.known_pages import page_number, with_known
from pagestrata.sites.layouts import SKETCH_SIZE
from pagestrata.sites.match import choose_cluster, explain, segment
from pagestrata.sites.node_edits import find_node, full_path, with_optional_nodes
from pagestrata.sites.slots import FIELDS

__all__ = ["NODE_ACTIONS", "Cluster", "Edit", "SiteModel", "Slot", "Wrapper"]

FORMAT: Final = "pagestrata site model"
VERSION: Final = 2
MAGIC: Final = b"pagestrata-site\x01"
MAX_BYTES: Final = 16 << 20
"""The size limit of an unpacked model; learning never produces a larger one."""
MAX_NODES: Final = 50_000
"""The limit on the nodes of all templates of a model together."""
_DAMAGE = (msgspec.DecodeError, zlib.error, UnicodeError, UsageError, RecursionError)
"""What reading data that are no site model may raise."""


@dataclass(frozen=True, kw_only=True)
class SiteModel:
    """The layouts that were learned of one site, and the edits of a person."""

    format: str = FORMAT
    version: int = VERSION
    site: str
    learned: str
    """The day of learning, as in 2026-11-15."""
    updated: str = ""
    notes: tuple[str, ...] = ()
    """Which pages were left out while learning, and why."""
    recent: tuple[str, ...] = ()
    """The clusters of the pages that were added last, oldest first."""
    known: tuple[int, ...] = ()
    """Numbers of the pages that it was learned from, oldest first; see `known_pages`."""
    edits: tuple[Edit, ...] = ()
    clusters: tuple[Cluster, ...]

    def __repr__(self) -> str:
        pages = sum(cluster.pages for cluster in self.clusters)
        return f"<SiteModel {self.site}: layouts {len(self.clusters)}, pages {pages}, learned {self.learned}>"

    def segment(self, page: Page, options: Options = DEFAULTS) -> Segmentation:
        """Cut a page of this site into sections."""
        return segment(self, page, options)

    def extract(self, source: Source, url: str | None = None, options: Options = DEFAULTS) -> Extraction:
        """Extract a page of this site; the edits of a person win over every score."""
        settings = self.with_edits(options)
        page = self.read(source, url, settings)
        return Extraction(page, settings, self.segment(page, settings), "site", page.limits)

    def with_edits(self, options: Options) -> Options:
        """Add the selectors of the edits to the options."""
        if not self.edits:
            return options
        keep, drop = options.keep, options.drop
        for edit in self.edits:
            if not edit.selector:
                continue
            if edit.keeps(options):
                keep += (edit.selector,)
            else:
                drop += (edit.selector,)
        return replace(options, keep=tuple(dict.fromkeys(keep)), drop=tuple(dict.fromkeys(drop)))

    def read(self, source: Source, url: str | None, options: Options) -> Page:
        """Parse a source in any form that `extract` takes; a `Page` must have been parsed with the selectors."""
        if isinstance(source, Page):
            missing = [selector for selector in options.selectors if selector not in source.marks]
            if missing:
                raise UsageError(f"the page was parsed without the selector {missing[0]!r} of an edit: give its bytes")
            return source
        return parse(raw_page(source, url), options)

    def explain(self, source: Source, url: str | None = None, options: Options = DEFAULTS) -> str:
        """Describe for a person how a page is read: its cluster, how well it fits, each section with its reasons."""
        return explain(self, self.read(source, url, self.with_edits(options)), self.with_edits(options))

    def update(self, source: Source, url: str | None = None) -> "SiteModel":
        """Return the model after learning from one more page: the cluster it fits grows, or it begins a new one.

        A page that it was learned from changes nothing, unless the page has a new layout.
        """
        page = self.read(source, url, DEFAULTS)
        fit = choose_cluster(self, page)
        if fit.cluster is not None and page_number(page) in self.known:
            return self
        clusters, name = add_page(self.clusters, fit, page)
        return replace(
            self,
            updated=today(),
            clusters=clusters,
            known=with_known(self.known, [page]),
            recent=(*self.recent, name)[-RECENT_PAGES:],
        )

    def drift(self) -> str | None:
        """Return why the site should be learned again, or None."""
        return drift(self)

    def with_edit(self, edit: Edit) -> "SiteModel":
        """Return the model with one more edit."""
        return replace(self, edits=(*self.edits, edit))

    def without_edits(self, numbers: Collection[int]) -> "SiteModel":
        """Return the model without the edits of these numbers, counted from 1."""
        unknown = [number for number in numbers if not 1 <= number <= len(self.edits)]
        if unknown:
            raise UsageError(f"there is no edit {unknown[0]}; there are {len(self.edits)}")
        return replace(self, edits=tuple(one for number, one in enumerate(self.edits, 1) if number not in numbers))

    @cached_property
    def templates(self) -> Mapping[str, Template]:
        """The template of each cluster by its name, with the nodes that a person made optional."""
        return {cluster.name: with_optional_nodes(cluster, self.edits) for cluster in self.clusters}

    def checked_edit(self, edit: Edit) -> Edit:
        """Return an edit with the full path of its node; raise for an invalid selector, or a node that is not there."""
        if edit.node:
            return replace(edit, node=full_path(self.clusters, edit.node, edit.action != "optional"))
        parse(RawPage("<p>"), Options(keep=(edit.selector,)))
        return edit

    def layouts_of(self, edit: Edit) -> list[str]:
        """Return the names of the layouts that have the node of an edit."""
        return [cluster.name for cluster in self.clusters if find_node(cluster, edit.node) is not None]

    def cluster(self, name: str) -> Cluster:
        """Return the cluster with this name."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        raise UsageError(f"there is no cluster {name!r}; there are {', '.join(c.name for c in self.clusters)}")

    def tree(self, name: str) -> str:
        """Return the template of a cluster as a readable expression."""
        return str(self.cluster(name).template)

    def wrappers(self) -> list[tuple[str, Wrapper]]:
        """Return the paths to the article, best first, each with the name of its cluster."""
        return [(cluster.name, wrapper) for cluster in self.clusters for wrapper in cluster.wrappers]

    def to_json(self) -> str:
        """Write the model as JSON for people."""
        return msgspec.json.format(msgspec.json.encode(_without_defaults(self)), indent=1).decode() + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "SiteModel":
        """Read a model from JSON."""
        with raising(ModelError, "this is no site model", *_DAMAGE):
            data = text.encode() if isinstance(text, str) else text
            if len(data) > MAX_BYTES:
                raise ModelError(f"a site model has at most {MAX_BYTES:,} bytes, this has {len(data):,}")
            return _checked(msgspec.json.decode(data, type=cls))

    def to_bytes(self) -> bytes:
        """Write the model in the compact binary form."""
        return MAGIC + zlib.compress(msgspec.msgpack.encode(_without_defaults(self)), 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> "SiteModel":
        """Read a model from the compact binary form."""
        if not data.startswith(MAGIC):
            raise ModelError("this is no site model: it does not begin like one")
        with raising(ModelError, "this is no site model", *_DAMAGE):
            decompressor = zlib.decompressobj()
            unpacked = decompressor.decompress(data[len(MAGIC) :], MAX_BYTES)
            if decompressor.unconsumed_tail or not decompressor.eof:
                raise ModelError(f"the site model is cut off, or larger than {MAX_BYTES:,} bytes")
            return _checked(msgspec.msgpack.decode(unpacked, type=cls))

    def save(self, path: str | Path) -> None:
        """Write the model to a file: JSON if the name ends in .json, otherwise the compact form."""
        target = Path(path)
        target.write_bytes(self.to_json().encode() if target.suffix == ".json" else self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> "SiteModel":
        """Read a model of either form from a file."""
        with raising(ModelError, f"cannot read {path}"):
            data = Path(path).read_bytes()
        return cls.from_bytes(data) if data.startswith(MAGIC) else cls.from_json(data)


def today() -> str:
    """Return the current day in UTC, as in 2026-11-15."""
    return datetime.now(UTC).date().isoformat()


def _without_defaults(value: object) -> object:
    """Turn dataclasses into plain data and leave out default values, so that a person sees what matters."""
    if isinstance(value, Mapping):
        return {str(key): _without_defaults(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_defaults(item) for item in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    fields = {}
    for name, definition in value.__dataclass_fields__.items():
        item = getattr(value, name)
        if name in ("format", "version") or not (item == definition.default or item == {} or item == ()):
            fields[name] = _without_defaults(round(item, 4) if isinstance(item, float) else item)
    return fields


def _checked(model: SiteModel) -> SiteModel:
    """Return the model, or raise `ModelError` for data that the methods cannot work with."""
    if model.format != FORMAT:
        raise ModelError("this is no site model: its format is another")
    if model.version != VERSION:
        raise ModelError(f"this is a site model of version {model.version}, and only {VERSION} is supported here")
    if not model.clusters:
        raise ModelError("this site model has no clusters: nothing was learned")
    if sum(len(cluster.slots) for cluster in model.clusters) > MAX_NODES:
        raise ModelError(f"the templates of a site model have at most {MAX_NODES:,} nodes")
    for cluster in model.clusters:
        _check_tree(cluster)
        _check_numbers(cluster)
    return model


def _check_tree(cluster: Cluster) -> None:
    """Check that the slots are a tree in document order."""
    open_slots: list[int] = []
    for place, slot in enumerate(cluster.slots):
        while open_slots and open_slots[-1] != slot.parent:
            open_slots.pop()
        if (place == 0) != (slot.parent == -1) or (place > 0 and not open_slots):
            raise ModelError(f"slot {place} of cluster {cluster.name!r} has no place in the tree")
        open_slots.append(place)


def _check_numbers(cluster: Cluster) -> None:
    if cluster.pages < 1:
        raise ModelError(f"cluster {cluster.name!r} was learned from no page")
    if len(cluster.sketch) != SKETCH_SIZE or any(not 0 <= number < 1 << 64 for number in cluster.sketch):
        raise ModelError(f"the sketch of cluster {cluster.name!r} is no row of {SKETCH_SIZE} numbers of 64 bits")
    for place, slot in enumerate(cluster.slots):
        sums = (getattr(slot, name) for name in FIELDS)
        numbers = (slot.support, slot.content, slot.votes, *slot.features.values(), *sums)
        if any(not 0 <= number < 1 << 53 for number in numbers):
            raise ModelError(f"slot {place} of cluster {cluster.name!r} has a number out of range")
