"""How the service is run: who may use it, and how much of it."""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from pagestrata.errors import UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.sites.store import SiteStore

SHORTEST_TOKEN: Final = 16
"""Letters: less can be guessed."""
LOCAL_NAMES: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeLimits:
    """What clients may use. Waiting and reading together stay below 11 seconds."""

    seconds: float = 6.0
    """Wall time of a worker for one request."""
    wait_seconds: float = 4.0
    """In the queue; then the service is busy."""
    short_seconds: float = 1.0
    """Wall time of a worker that is kept for short jobs; what takes longer is begun again by another."""
    short_bytes: int = 650_000
    """A body up to this size may be a short job. Nine of ten pages of wcxb are smaller."""
    slow_seconds: float = 0.25
    """Processor time from which on a page is slow: ten times that of a page of usual size."""
    slow_memory: float = 60.0
    """Seconds for which a client that sent a slow page has no short jobs."""
    body_bytes: int = 20_000_000
    held_bytes: int = 256_000_000
    """Of all bodies that are here at a time, a quarter of it for one client."""
    client_requests: int = 32
    """Requests of one client that are here at a time."""
    queue: int = 256
    """Requests that wait for a worker."""
    memory: int = 3 << 29
    """Bytes by which a worker may grow."""
    answer_bytes: int = 128_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Everything that is decided when the service starts."""

    store: SiteStore
    host: str = "127.0.0.1"
    tokens: tuple[str, ...] = ()
    fetch: AddressPolicy | None = None
    """Where pages may be fetched from; not at all if not given."""
    workers: int = 2 * max(2, os.cpu_count() or 2)
    """At least two, as one is kept for short jobs. By default two a core, since half of them should stand still."""
    limits: ServeLimits = ServeLimits()

    def __post_init__(self) -> None:
        if self.workers < 2:
            raise UsageError("the service needs two workers: one is kept for short jobs")
        if any(len(token) < SHORTEST_TOKEN or not token.isascii() for token in self.tokens):
            raise UsageError(f"a token has at least {SHORTEST_TOKEN} letters, all of them ASCII")
        if not self.tokens and not is_loopback(self.host):
            raise UsageError(f"{self.host} can be reached by others: give tokens, or bind to 127.0.0.1")

    @property
    def short_workers(self) -> int:
        """How many are kept for short jobs: with four workers all but one, with more of them a little over half."""
        return self.workers - max(1, (self.workers - 1) // 2)

    @property
    def hosts(self) -> frozenset[str]:
        """The names that the Host header may have; none means any, as the token shows who comes."""
        return frozenset() if self.tokens else LOCAL_NAMES | {self.host}


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, False, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
