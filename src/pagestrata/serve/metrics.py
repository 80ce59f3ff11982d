"""Counters of the service in the text format of Prometheus."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds in seconds, from a page of typical size to the longest time that a request may take."""


class Metrics:
    """Counters since the start of the service."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._bytes = 0
        self._killed: Counter[str] = Counter()

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a response; `path` is that of a route, never text from a client, so that the labels stay few."""
        self._requests[path, status] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]
        for bound in BUCKETS:
            self._buckets[path, bound] += seconds <= bound

    def received(self, size: int) -> None:
        """Count the bytes of a request body."""
        self._bytes += size

    def killed(self, reason: str) -> None:
        """Count a worker that was killed or died."""
        self._killed[reason] += 1

    def text(self, waiting: int, held: int) -> str:
        """All counters as text, with the current length of the queue and the bytes of bodies in memory."""
        return "".join(f"{line}\n" for line in self._lines(waiting, held))

    def _lines(self, waiting: int, held: int) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Answers by path and status.")
        for (path, status), count in sorted(self._requests.items()):
            yield f'pagestrata_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "Seconds from the head of a request to its answer.")
        for path in sorted(self._seconds):
            yield from self._histogram(path)
        yield from _head("received_bytes_total", "counter", "Bytes of bodies.")
        yield f"pagestrata_received_bytes_total {self._bytes}"
        yield from _head("workers_killed_total", "counter", "Workers that ended before their time, by reason.")
        for reason, count in sorted(self._killed.items()):
            yield f'pagestrata_workers_killed_total{{reason="{reason}"}} {count}'
        yield from _head("waiting", "gauge", "Requests in the queue.")
        yield f"pagestrata_waiting {waiting}"
        yield from _head("held_bytes", "gauge", "Bytes of bodies in memory.")
        yield f"pagestrata_held_bytes {held}"

    def _histogram(self, path: str) -> Iterator[str]:
        name, total = "pagestrata_request_seconds", sum(n for (route, _), n in self._requests.items() if route == path)
        for bound in BUCKETS:
            yield f'{name}_bucket{{path="{path}",le="{bound}"}} {self._buckets[path, bound]}'
        yield f'{name}_bucket{{path="{path}",le="+Inf"}} {total}'
        yield f'{name}_sum{{path="{path}"}} {self._seconds[path]:.6f}'
        yield f'{name}_count{{path="{path}"}} {total}'


def _head(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP pagestrata_{name} {text}", f"# TYPE pagestrata_{name} {kind}"
