"""Fetching many pages within the rules of robots.txt, with one request per host at a time and a delay in between."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Event, Lock
from time import monotonic
from typing import Final

from pagestrata.errors import AddressRefused, FetchError
from pagestrata.inputs.addresses import PUBLIC_ONLY, AddressPolicy, Target
from pagestrata.inputs.http import DEFAULT_LIMITS, FetchLimits, fetch, fetch_hop, follow
from pagestrata.inputs.robots import EVERYTHING, NOTHING, Robots, read_robots
from pagestrata.page.raw import RawPage

DELAY: Final = 1.0
"""Seconds between two requests to a host, unless its robots.txt demands more."""
_MAX_HOSTS = 4096


class PoliteFetcher:
    """Fetches pages for several threads; `close` wakes those that wait."""

    def __init__(self, policy: AddressPolicy = PUBLIC_ONLY, delay: float = DELAY) -> None:
        self._policy, self._delay = policy, delay
        self._closed = Event()
        self._hosts_lock = Lock()
        self._find_host = lru_cache(_MAX_HOSTS)(lambda origin: _Host())

    def close(self) -> None:
        """Send no more requests."""
        self._closed.set()

    def fetch(self, url: str, limits: FetchLimits = DEFAULT_LIMITS) -> RawPage:
        """Fetch a page when its host is free; a page that robots.txt forbids is a `FetchError`.

        Each host in a chain of redirects has its own robots.txt and its own lock: two hosts that redirect to each
        other do not wait for each other.
        """
        return follow(url, limits, lambda target: self._hop(target, limits))

    def _hop(self, target: Target, limits: FetchLimits) -> RawPage | Target:
        with self._hosts_lock:
            host = self._find_host((target.scheme, target.authority))
        with host.lock:
            if host.refusal is not None:
                raise host.refusal.with_traceback(None)
            if host.robots is None:
                host.robots = self._robots_of(host, target)
            if not host.robots.allows(target.path):
                is_there = host.robots is not NOTHING
                raise FetchError("robots.txt forbids it" if is_there else "its robots.txt cannot be fetched")
            with self._after_delay(host):
                return fetch_hop(target, self._policy, limits)

    def _robots_of(self, host: "_Host", target: Target) -> Robots:
        try:
            with self._after_delay(host):
                raw = fetch(f"{target.scheme}://{target.authority}/robots.txt", self._policy)
        except AddressRefused as error:  # it is not asked again for every page of the host
            host.refusal = error
            raise
        except FetchError as error:
            return EVERYTHING if 400 <= (error.status or 0) < 500 else NOTHING
        return read_robots(raw.data)

    @contextmanager
    def _after_delay(self, host: "_Host") -> Iterator[None]:
        """Wait until the delay of the host is over, and note the time of the request."""
        self._closed.wait(max(host.next_at - monotonic(), 0.0))
        if self._closed.is_set():
            raise FetchError("the run ended before it was fetched")
        try:
            yield
        finally:
            host.next_at = monotonic() + max(self._delay, host.robots.delay if host.robots else 0.0)


class _Host:
    def __init__(self) -> None:
        self.lock = Lock()
        self.robots: Robots | None = None
        self.refusal: AddressRefused | None = None
        self.next_at = 0.0
