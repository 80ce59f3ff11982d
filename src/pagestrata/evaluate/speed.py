"""Speed: processor time for a page, ours and others', in one process over the same pages.

First every call reads every page once in a forked child: that gives the peak of its memory, and finds the pages on
which it fails or hangs, which a clock in our own process could not survive. Then the clock runs: for every page, in
every repetition, the calls take turns in a new order, so that none always finds the caches warm.
"""

import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from pagestrata.evaluate.forked_call import ChildLimits, call_in_child
from pagestrata.evaluate.stages import TimedCall

LIMITS: Final = ChildLimits(cpu_seconds=20, wall_seconds=60)
"""For one page and one call: a peer that takes longer has failed on it."""
WARM_UP: Final = b"<title>Warm</title><p>" + b"The kettle sang, and the tide came in. " * 20
"""Read once before anything is measured: what is loaded at the first page is not part of the cost of a page."""

Advance = Callable[[int], None]
"""Called after each page with the number of failures so far."""


class Milliseconds(msgspec.Struct, frozen=True):
    """Milliseconds for a page."""

    median: float
    mean: float
    p95: float
    p99: float


class SpeedRow(msgspec.Struct, frozen=True):
    """The figures of one call."""

    name: str
    about: str
    package: str
    version: str
    milliseconds: Milliseconds | None
    """None when it failed on every page."""
    times: dict[str, float]
    """Its mean over that of another call, on the pages that both read; below 1 it is the faster."""
    failures: int
    """Pages on which it raised, died or hung."""
    peak: float
    """The largest growth of resident memory on any page, in MiB."""


def measure(
    calls: Sequence[TimedCall],
    pages: Sequence[bytes],
    repeat: int,
    seed: int,
    advance: Advance = lambda failed: None,
    limits: ChildLimits = LIMITS,
) -> list[SpeedRow]:
    """Measure every call on every page."""
    growths = [measure_memory(call, pages, limits, advance) for call in calls]
    runs = [run_clock(calls, pages, growths, random.Random(f"{seed}/{i}")) for i in range(repeat)]  # noqa: S311
    seconds = np.median(np.array(runs, np.float64), axis=0)
    return [_speed_row(i, calls, seconds, growths[i]) for i in range(len(calls))]


def measure_memory(call: TimedCall, pages: Sequence[bytes], limits: ChildLimits, advance: Advance) -> list[int | None]:
    """By how many bytes memory rose on each page; None where the call failed."""
    call.run(call.prepare(WARM_UP))
    growths: list[int | None] = []
    for data in pages:
        argument = call.prepare(data)
        cost = call_in_child(lambda argument=argument: _discard(call.run(argument)), limits)  # type: ignore[misc]
        growths.append(cost.growth if cost.status == "ok" else None)
        advance(growths.count(None))
    return growths


def _discard(answer: object) -> None:
    """Free an answer: the child need not send it."""


def run_clock(
    calls: Sequence[TimedCall], pages: Sequence[bytes], growths: Sequence[Sequence[int | None]], shuffler: random.Random
) -> list[list[float]]:
    """Seconds of processor time, one list per call, one number per page; not a number where it failed."""
    seconds = [[float("nan")] * len(pages) for _ in calls]
    gc.collect()
    gc.freeze()  # otherwise a call that triggers a full collection pays for all imported modules
    try:
        for place, data in enumerate(pages):
            for i in shuffler.sample(range(len(calls)), len(calls)):
                if growths[i][place] is not None:
                    seconds[i][place] = clock(calls[i].run, calls[i].prepare(data))
    finally:
        gc.unfreeze()
    return seconds


def clock(run: Callable[[Any], object], argument: object) -> float:
    """Seconds of processor time for one call, including the time to free its answer."""
    started = time.process_time()
    try:
        _discard(run(argument))
    except Exception:  # it succeeded in the child, and failed now: not a time
        return float("nan")
    return time.process_time() - started


def _speed_row(
    i: int, calls: Sequence[TimedCall], seconds: npt.NDArray[np.float64], growths: Sequence[int | None]
) -> SpeedRow:
    """Put the figures of one call together."""
    own = seconds[i].tolist()
    ratios = {other.name: ratio(own, seconds[j].tolist()) for j, other in enumerate(calls) if j != i}
    return SpeedRow(
        name=calls[i].name,
        about=calls[i].about,
        package=calls[i].package,
        version=calls[i].version,
        milliseconds=milliseconds([1000 * value for value in own if value == value]),
        times={name: value for name, value in ratios.items() if value is not None},
        failures=sum(value != value for value in own),
        peak=max((growth for growth in growths if growth is not None), default=0) / (1 << 20),
    )


def milliseconds(values: Sequence[float]) -> Milliseconds | None:
    """The median, mean and percentiles of the times of many pages; None without any.

    >>> milliseconds([1.0, 2.0, 3.0, 4.0, 10.0])
    Milliseconds(median=3.0, mean=4.0, p95=8.8, p99=9.76)
    """
    if not values:
        return None
    median, p95, p99 = (float(value) for value in np.percentile(values, (50, 95, 99)))
    return Milliseconds(round(median, 4), round(float(np.mean(values)), 4), round(p95, 4), round(p99, 4))


def ratio(values: Sequence[float], others: Sequence[float]) -> float | None:
    """The mean of `values` divided by the mean of `others`, over the positions where both have a number.

    >>> nan = float("nan")
    >>> ratio([2.0, 4.0, 100.0], [1.0, 1.0, nan])
    3.0
    """
    both = [(a, b) for a, b in zip(values, others, strict=True) if a == a and b == b]
    below = sum(b for _, b in both)
    return round(sum(a for a, _ in both) / below, 4) if below else None
