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
"""Given as the name of a site, stands for the host that the page is from."""
_MAX_CACHED_MODELS = 32


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
        """Return the model of that name in the store, or in the file of that name."""
        model = self.model_of(self.site)
        if model is None and Path(self.site).is_file():
            model = _model_from_file(Path(self.site), Path(self.site).stat().st_mtime_ns)
        if model is None:
            raise unknown_site(self.site, self.store, ", nor a file of that name")
        return model

    def model_of(self, site: str) -> "SiteModel | None":
        """Return the model of that name in the store, or None if there is none."""
        return _model_from_store(self.store, self.store.stamp(), site)


@dataclass(frozen=True, slots=True)
class RunModel:
    """A model that was learned for this run only; pages that match none of its layouts are read without it."""

    data: bytes = field(repr=False)

    def model(self) -> "SiteModel":
        """Return the model, which is unpacked once in each process."""
        return _model_from_bytes(self.data)


@dataclass(frozen=True, slots=True)
class AttachedModel:
    """The model of its site that was sent with a page, or the fact that there is none."""

    site: str
    data: bytes | None = field(repr=False)

    def model(self) -> "SiteModel | None":
        """Return the model, which is unpacked once in each process."""
        return _model_from_bytes(self.data) if self.data is not None else None


def unknown_site(site: str, store: SiteStore, suffix: str = "") -> UsageError:
    """Build the error for a missing site; its message names the sites that the store has."""
    names = ", ".join(row.name for row in store.sites())
    known = f"there are: {names}" if names else "no site was learned yet"
    return UsageError(f"there is no site {site!r} in {store.where}{suffix}; {known}")


# Models stay in memory until their store or file is written again: a worker reads many pages of few sites.
@lru_cache(_MAX_CACHED_MODELS)
def _model_from_store(store: SiteStore, stamp: tuple[int, ...], site: str) -> "SiteModel | None":
    return store.load(site)


@lru_cache(_MAX_CACHED_MODELS)
def _model_from_file(path: Path, modified: int) -> "SiteModel":
    from pagestrata.sites.model import SiteModel

    return SiteModel.load(path)


@lru_cache(_MAX_CACHED_MODELS)
def _model_from_bytes(data: bytes) -> "SiteModel":
    from pagestrata.sites.model import SiteModel

    return SiteModel.from_bytes(data)
