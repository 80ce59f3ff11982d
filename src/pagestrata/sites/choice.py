"""The site model that a page is read with: one from the store or a file, one of this run, or one sent with the page."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pagestrata.errors import UsageError
from pagestrata.sites.store import SiteStore

if TYPE_CHECKING:
    from pagestrata.sites.model import SiteModel

AUTO: Final = "auto"
"""In place of a name: the host that the page is from."""
_MODELS_KEPT = 32


def check_name(site: str) -> str:
    """Return the name, or raise an error if a site cannot have it."""
    if site == AUTO or not site.isprintable() or not site.strip():
        raise UsageError(f"a site cannot be called {site!r}: give it another name")
    return site


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model by name, file or host of the page; small, as it is sent to workers, which load the model themselves."""

    site: str
    """A name in the store, the path of a model, or `auto`."""
    store: SiteStore

    @property
    def by_host(self) -> bool:
        """Whether each page is read with the model of its own host."""
        return self.site == AUTO

    def model(self) -> "SiteModel":
        """The model of that name in the store, or in the file of that name."""
        found = self.model_of(self.site)
        if found is None and Path(self.site).is_file():
            found = _of_file(Path(self.site), Path(self.site).stat().st_mtime_ns)
        if found is None:
            raise unknown_site(self.site, self.store, ", nor a file of that name")
        return found

    def model_of(self, site: str) -> "SiteModel | None":
        """The model of that name in the store, if there is one."""
        return _of_store(self.store, self.store.stamp(), site)


@dataclass(frozen=True, slots=True)
class RunModel:
    """A model that was learned for this run only; pages that match none of its layouts are read without it."""

    data: bytes = field(repr=False)

    def model(self) -> "SiteModel":
        """The model, unpacked once in each process."""
        return _of_bytes(self.data)


@dataclass(frozen=True, slots=True)
class AttachedModel:
    """The model of its site that was sent with a page, or the fact that there is none."""

    site: str
    data: bytes | None = field(repr=False)

    def model(self) -> "SiteModel | None":
        """The model, unpacked once in each process."""
        return _of_bytes(self.data) if self.data is not None else None


def unknown_site(site: str, store: SiteStore, more: str = "") -> UsageError:
    """The error for a missing site; it names the sites that the store has."""
    names = ", ".join(row.name for row in store.sites())
    return UsageError(f"there is no site {site!r} in {store.where}{more}; there are: {names or 'none yet'}")


# Models stay in memory until their store or file is written again: a worker reads many pages of few sites.
@lru_cache(_MODELS_KEPT)
def _of_store(store: SiteStore, stamp: tuple[int, ...], site: str) -> "SiteModel | None":
    return store.load(site)


@lru_cache(_MODELS_KEPT)
def _of_file(path: Path, modified: int) -> "SiteModel":
    from pagestrata.sites.model import SiteModel

    return SiteModel.load(path)


@lru_cache(_MODELS_KEPT)
def _of_bytes(data: bytes) -> "SiteModel":
    from pagestrata.sites.model import SiteModel

    return SiteModel.from_bytes(data)
