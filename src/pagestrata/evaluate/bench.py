"""Speed: processor time for a page, ours and others', in one process over the same pages.

First every method reads every page once in a forked child: that gives the peak of its memory, and finds the pages on
which it fails or hangs, which a clock in our own process could not survive. Then the clock runs: for every page, in
every repetition, the methods take turns in a new order, so that none always finds the caches warm.
"""

import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from pagestrata.evaluate.child import ChildLimits, call_in_child
from pagestrata.evaluate.peers import Method

LIMITS: Final = ChildLimits(cpu_seconds=20, wall_seconds=60)
"""For one page and one method: a peer that takes longer has failed on it."""

Advance = Callable[[int], None]
"""Called after each page with the number of failures so far."""


class Figures(msgspec.Struct, frozen=True):
    """Milliseconds for a page."""

    median: float
    mean: float
    p95: float
    p99: float


class Row(msgspec.Struct, frozen=True):
    """What came out for one method."""

    name: str
    about: str
    package: str
    version: str
    milliseconds: Figures | None
    """None when it failed on every page."""
    times: dict[str, float]
    """Its mean over that of another method, on the pages that both read; below 1 it is the faster."""
    failures: int
    """Pages on which it raised, died or hung."""
    peak: float
    """MiB: the most that resident memory rose on any page."""


def measure(
    methods: Sequence[Method],
    pages: Sequence[bytes],
    repeat: int,
    seed: int,
    advance: Advance = lambda failed: None,
    limits: ChildLimits = LIMITS,
) -> list[Row]:
    """The figures of every method."""
    growths = [vet(method, pages, limits, advance) for method in methods]
    runs = [run_clock(methods, pages, growths, random.Random(f"{seed}/{i}")) for i in range(repeat)]  # noqa: S311
    seconds = np.median(np.array(runs, np.float64), axis=0)
    return [row(i, methods, seconds, growths[i]) for i in range(len(methods))]


def vet(method: Method, pages: Sequence[bytes], limits: ChildLimits, advance: Advance) -> list[int | None]:
    """By how many bytes memory rose on each page; None where the method failed."""
    method.run(method.prepare(b"<title>Warm</title><p>" + b"The kettle sang, and the tide came in. " * 20))
    growths: list[int | None] = []
    for data in pages:
        given = method.prepare(data)
        cost = call_in_child(lambda given=given: _forget(method.run(given)), limits)  # type: ignore[misc]
        growths.append(cost.growth if cost.status == "ok" else None)
        advance(growths.count(None))
    return growths


def _forget(answer: object) -> None:
    """Let go of an answer: the child need not tell it."""


def run_clock(
    methods: Sequence[Method], pages: Sequence[bytes], growths: Sequence[Sequence[int | None]], shuffler: random.Random
) -> list[list[float]]:
    """Seconds of processor time, one list per method, one number per page; not a number where it failed."""
    seconds = [[float("nan")] * len(pages) for _ in methods]
    gc.collect()
    gc.freeze()  # or whoever happens to start a full collection pays for all that was ever imported
    try:
        for place, data in enumerate(pages):
            for i in shuffler.sample(range(len(methods)), len(methods)):
                if growths[i][place] is not None:
                    seconds[i][place] = clock(methods[i].run, methods[i].prepare(data))
    finally:
        gc.unfreeze()
    return seconds


def clock(run: Callable[[Any], object], given: object) -> float:
    """Seconds of processor time for one call, freeing what it gave back included."""
    started = time.process_time()
    try:
        _forget(run(given))
    except Exception:  # it did well in the child, and failed now: not a time
        return float("nan")
    return time.process_time() - started


def row(
    i: int, methods: Sequence[Method], seconds: np.ndarray[Any, np.dtype[np.float64]], growths: Sequence[int | None]
) -> Row:
    """Put the figures of one method together."""
    own = seconds[i].tolist()
    return Row(
        name=methods[i].name,
        about=methods[i].about,
        package=methods[i].package,
        version=methods[i].version,
        milliseconds=figures([1000 * value for value in own if value == value]),
        times={
            other.name: found
            for j, other in enumerate(methods)
            if j != i and (found := ratio(own, seconds[j].tolist())) is not None
        },
        failures=sum(value != value for value in own),
        peak=max((growth for growth in growths if growth is not None), default=0) / (1 << 20),
    )


def figures(values: Sequence[float]) -> Figures | None:
    """What is told of many numbers.

    >>> figures([1.0, 2.0, 3.0, 4.0, 10.0])
    Figures(median=3.0, mean=4.0, p95=8.8, p99=9.76)
    """
    if not values:
        return None
    median, p95, p99 = (float(value) for value in np.percentile(values, (50, 95, 99)))
    return Figures(round(median, 4), round(float(np.mean(values)), 4), round(p95, 4), round(p99, 4))


def ratio(values: Sequence[float], others: Sequence[float]) -> float | None:
    """The mean of the one over the mean of the other, where both have a number.

    >>> nan = float("nan")
    >>> ratio([2.0, 4.0, 100.0], [1.0, 1.0, nan])
    3.0
    """
    both = [(a, b) for a, b in zip(values, others, strict=True) if a == a and b == b]
    below = sum(b for _, b in both)
    return round(sum(a for a, _ in both) / below, 4) if below else None
