"""SiteModel: what was learned of one site, as data that a person can read, edit and date.

A model is written as JSON to be read, or as a compact binary twin; both hold the same. Reading one runs no code, and
checks everything that the methods rely on.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from pagestrata.algorithms.base import DEFAULTS
from pagestrata.errors import ModelError, UsageError
from pagestrata.extraction import Extraction
from pagestrata.options import Options
from pagestrata.page.page import Page
from pagestrata.page.parse import parse
from pagestrata.page.raw import RawPage
from pagestrata.results import Segmentation
from pagestrata.sites.cluster import Cluster, Edit, Slot, Wrapper
from pagestrata.sites.cluster_learning import add_page
from pagestrata.sites.layouts import SKETCH
from pagestrata.sites.match import choose_cluster, drift, explain, segment
from pagestrata.sites.slots import FIELDS

__all__ = ["Cluster", "Edit", "SiteModel", "Slot", "Wrapper"]

FORMAT: Final = "pagestrata site model"
VERSION: Final = 2
MAGIC: Final = b"pagestrata-site\x01"
MOST_BYTES: Final = 16 << 20
"""Of a model, unpacked: more is not something that was learned here."""
MOST_NODES: Final = 50_000
"""Of all templates of a model."""

Source = bytes | str | Page | RawPage


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
        return explain(self, self.read(source, url, self.with_edits(options)), self.with_edits(options))

    def update(self, source: Source, url: str | None = None) -> "SiteModel":
        """The model once this page is known too: the cluster it fits learns from it, or it begins a new one."""
        page = self.read(source, url, DEFAULTS)
        clusters = add_page(self.clusters, choose_cluster(self, page), page)
        return replace(self, updated=today(), clusters=clusters)

    def drift(self) -> str | None:
        """Why the site should be learned again, or None."""
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


def today() -> str:
    """The day in UTC, as in 2026-11-15."""
    return datetime.now(UTC).date().isoformat()


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
