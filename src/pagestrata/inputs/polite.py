"""Fetching many pages: as each site's robots.txt allows, one at a time from a host, and not too soon after another."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Event, Lock
from time import monotonic
from typing import Final

from pagestrata.errors import FetchError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Target
from pagestrata.inputs.http import DEFAULT_LIMITS, FetchLimits, fetch, fetch_hop, follow
from pagestrata.inputs.robots import EVERYTHING, NOTHING, Robots, read_robots
from pagestrata.page.raw import RawPage

DELAY: Final = 1.0
"""Seconds between two requests to a host, if it does not ask for more."""
_HOSTS_KEPT = 4096


class PoliteFetcher:
    """Fetches for several threads at once; `close` wakes those that wait."""

    def __init__(self, policy: AddressPolicy = PUBLIC_ONLY, delay: float = DELAY) -> None:
        self._policy, self._delay = policy, delay
        self._closed = Event()
        self._finding = Lock()
        self._find_host = lru_cache(_HOSTS_KEPT)(lambda origin: _Host())

    def close(self) -> None:
        """Let no more requests out."""
        self._closed.set()

    def fetch(self, url: str, limits: FetchLimits = DEFAULT_LIMITS) -> RawPage:
        """Fetch a page when it is its turn; what robots.txt forbids is a `FetchError`.

        Each host on the way is asked for its own robots.txt, and has its own turns: two that redirect to each other
        do not wait for each other.
        """
        return follow(url, limits, lambda target: self._hop(target, limits))

    def _hop(self, target: Target, limits: FetchLimits) -> RawPage | Target:
        with self._finding:
            host = self._find_host((target.scheme, target.authority))
        with host.turn:
            if host.robots is None:
                host.robots = self._robots_of(host, target)
            if not host.robots.allows(target.path):
                raise FetchError("robots.txt forbids it")
            with self._in_time(host):
                return fetch_hop(target, self._policy, limits)

    def _robots_of(self, host: "_Host", target: Target) -> Robots:
        try:
            with self._in_time(host):
                raw = fetch(f"{target.scheme}://{target.authority}/robots.txt", self._policy)
        except FetchError as error:
            return EVERYTHING if 400 <= (error.status or 0) < 500 else NOTHING
        return read_robots(raw.markup.encode() if isinstance(raw.markup, str) else raw.markup)

    @contextmanager
    def _in_time(self, host: "_Host") -> Iterator[None]:
        """Wait until the host may be asked again, and note when it was."""
        self._closed.wait(max(host.next_at - monotonic(), 0.0))
        if self._closed.is_set():
            raise FetchError("the run ended before it was fetched")
        try:
            yield
        finally:
            host.next_at = monotonic() + max(self._delay, host.robots.delay if host.robots else 0.0)


class _Host:
    def __init__(self) -> None:
        self.turn = Lock()
        self.robots: Robots | None = None
        self.next_at = 0.0
