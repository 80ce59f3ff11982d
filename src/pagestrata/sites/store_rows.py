"""The parts that all stores of site models share: rows for clusters, the figures of a site, limits and messages."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pagestrata.errors import ModelError

if TYPE_CHECKING:  # loaded when a model is read, not by every command that could use a store
    from pagestrata.sites.model import SiteModel

APPLICATION_ID: Final = 0x50675374
"""`PgSt`: marks a SQLite file as ours, and is the key of the locks in PostgreSQL."""
WRITER_TIMEOUT: Final = 30.0
"""Seconds to wait for another writer. One save takes milliseconds, so that this is a long queue or a stuck process."""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """The figures of one site in the list of a store."""

    name: str
    learned: str
    updated: str
    clusters: int
    pages: int
    bytes: int


def cluster_rows(model: "SiteModel") -> list[tuple[str, int, str, int, bytes]]:
    """Make a row for each cluster, with a model that can be read back by itself."""
    if not model.clusters:
        raise ModelError(f"nothing was learned of {model.site!r}: it cannot be saved")
    return [
        (model.site, place, cluster.name, cluster.pages, replace(model, clusters=(cluster,)).to_bytes())
        for place, cluster in enumerate(model.clusters)
    ]


def join_rows(payloads: list[object], site: str, where: str) -> "SiteModel | None":
    """Join the rows of one site, in their order, to its model; None if there are none."""
    try:
        parts = [_read_model(payload) for payload in payloads]
    except ModelError as error:
        raise ModelError(
            f"the model of {site!r} in {where} cannot be read ({error}): `pagestrata sites forget {site}`, "
            "then learn it again"
        ) from error
    if not parts:
        return None
    return replace(parts[0], clusters=tuple(cluster for part in parts for cluster in part.clusters))


def _read_model(payload: object) -> "SiteModel":
    from pagestrata.sites.model import SiteModel

    if not isinstance(payload, bytes):  # SQLite keeps any kind of value in any column
        raise ModelError("not a model")
    return SiteModel.from_bytes(payload)


def newer_version_message(where: str, version: int, supported: int) -> str:
    """Return the error message for a store that a later version of this program wrote."""
    return (
        f"the store {where} has version {version}, and this pagestrata supports {supported}: "
        "use a newer pagestrata, or give another --store"
    )


def busy_message(where: str) -> str:
    """Return the error message for a store that another process holds."""
    return f"the store {where} is busy: another process has been writing to it for {WRITER_TIMEOUT:.0f} seconds"
