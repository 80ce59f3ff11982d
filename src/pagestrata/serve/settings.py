"""The settings of the service: access, and limits for its clients."""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from pagestrata.errors import UsageError
from pagestrata.inputs.addresses import AddressPolicy
from pagestrata.sites.store import SiteStore

MIN_TOKEN_LENGTH: Final = 16
"""Shorter tokens could be guessed."""
LOCAL_NAMES: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeLimits:
    """Limits for clients. Waiting and reading together take less than 11 seconds."""

    seconds: float = 6.0
    """Wall time of a worker for one request."""
    wait_seconds: float = 4.0
    """Time in the queue after which a request is refused as busy."""
    short_seconds: float = 1.0
    """Wall time of a worker reserved for short jobs; a request that takes longer is restarted by another worker."""
    short_bytes: int = 650_000
    """A body up to this size may be a short job. Nine of ten pages of wcxb are smaller."""
    slow_seconds: float = 0.25
    """Processor time from which a page counts as slow: ten times that of a page of typical size."""
    slow_client_seconds: float = 60.0
    """Time for which the requests of a client that sent a slow page do not count as short jobs."""
    body_bytes: int = 20_000_000
    held_bytes: int = 256_000_000
    """Bytes of all bodies in memory; one client may use a quarter of it."""
    client_requests: int = 32
    """Concurrent requests of one client."""
    queue: int = 256
    """The number of requests that may wait for a worker."""
    memory: int = 3 << 29
    """Bytes by which the memory of a worker may grow."""
    answer_bytes: int = 128_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """All settings, which are fixed when the service starts."""

    store: SiteStore
    host: str = "127.0.0.1"
    tokens: tuple[str, ...] = ()
    fetch: AddressPolicy | None = None
    """The addresses that pages may be fetched from; None disables fetching."""
    workers: int = 2 * max(2, os.cpu_count() or 2)
    """At least two, as one is reserved for short jobs. By default two per core, since about half of them are idle."""
    limits: ServeLimits = ServeLimits()

    def __post_init__(self) -> None:
        if self.workers < 2:
            raise UsageError("the service needs two workers: one is kept for short jobs")
        if any(len(token) < MIN_TOKEN_LENGTH or not token.isascii() for token in self.tokens):
            raise UsageError(f"a token has at least {MIN_TOKEN_LENGTH} letters, all of them ASCII")
        if not self.tokens and not is_loopback(self.host):
            raise UsageError(f"{self.host} can be reached by others: give tokens, or bind to 127.0.0.1")

    @property
    def short_workers(self) -> int:
        """The number of workers reserved for short jobs: of four workers all but one, of more a little over half."""
        return self.workers - max(1, (self.workers - 1) // 2)

    @property
    def hosts(self) -> frozenset[str]:
        """The host names accepted in the Host header; empty if tokens are used, which makes the check unnecessary."""
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
