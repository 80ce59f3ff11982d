"""Runs one call in a forked child process, and reports its cost and outcome.

Peak memory can only be read for a process, and a loop in C can only be stopped by killing one, so that both need a
fork. The workers of the guard live on; here each call has a new child of a parent that has everything imported, so that
the growth of memory is due to the call. POSIX only.
"""

import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import msgspec

from pagestrata.errors import UsageError

Status = Literal["ok", "exception", "timeout", "memory", "crash"]
_MEGABYTE = 1 << 20
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_DETAIL_SIZE = 300
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """The limits of one call."""

    cpu_seconds: int = 20
    """The time after which a call counts as hanging; processor time does not depend on the load of the machine."""
    wall_seconds: float = 120.0
    memory: int = 4096 * _MEGABYTE
    """Bytes of address space; the memory that a call uses is in `Cost.growth`."""


class Cost(msgspec.Struct, frozen=True):
    """The cost and the outcome of a call."""

    status: Status
    cpu: float = 0.0
    """Seconds of processor time of the call, in the thread that made it."""
    growth: int = 0
    """Bytes by which the peak of resident memory rose over that at the fork."""
    answer: msgspec.Raw = msgspec.Raw(b"null")
    """The result of the call, as JSON."""
    detail: str = ""


def call_in_child(function: Callable[[], object], limits: ChildLimits = ChildLimits()) -> Cost:
    """Call a function in a child process; its result must be serialisable as JSON.

    >>> cost = call_in_child(lambda: 6 * 7)
    >>> cost.status, msgspec.json.decode(cost.answer)
    ('ok', 42)
    >>> call_in_child(lambda: 1 // 0).detail
    'ZeroDivisionError: integer division or modulo by zero'
    """
    if not hasattr(os, "fork"):
        raise UsageError("this measurement needs a POSIX system")
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _be_child(function, limits, writer)
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        report, in_time = _receive(pipe.fileno(), limits.wall_seconds)
    if not in_time:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    try:
        return msgspec.json.decode(report, type=Cost)
    except msgspec.DecodeError:
        return _post_mortem(status, usage, limits, in_time)


def _be_child(function: Callable[[], object], limits: ChildLimits, writer: int) -> None:
    """Call the function, report its cost, and exit without running any clean-up of the parent."""
    code = 1
    try:
        _set_limits(limits)
        cost = _measure(function)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(msgspec.json.encode(cost))
        code = 0
    finally:
        os._exit(code)


def _set_limits(limits: ChildLimits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 2))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))


def _measure(function: Callable[[], object]) -> Cost:
    # The clock of the thread: a limit on CPU makes Linux count that of the process in ticks of 4 ms.
    base, started = peak(), time.thread_time()
    status: Status = "ok"
    answer, detail = msgspec.Raw(b"null"), ""
    try:
        result = function()
    except MemoryError:
        status, detail = "memory", "MemoryError"
    except Exception as error:
        status, detail = "exception", f"{type(error).__name__}: {error}"[:_DETAIL_SIZE]
    spent, growth = time.thread_time() - started, peak() - base
    if status == "ok":
        answer = msgspec.Raw(msgspec.json.encode(result))
    return Cost(status, spent, growth, answer, detail)


def peak() -> int:
    """The peak of resident memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _receive(pipe: int, seconds: float) -> tuple[bytes, bool]:
    """All data that the child writes, and whether it finished in time."""
    received, deadline = bytearray(), time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            chunk = os.read(pipe, _CHUNK)
            if not chunk:
                return bytes(received), True
            received += chunk
    return bytes(received), False


def _post_mortem(status: int, usage: resource.struct_rusage, limits: ChildLimits, in_time: bool) -> Cost:
    """The outcome of a child that could not report it."""
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _RSS_UNIT
    signal_number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if not in_time:
        return Cost("timeout", cpu, peak, detail=f"{limits.wall_seconds} s of wall time")
    if signal_number == signal.SIGXCPU or cpu > limits.cpu_seconds:
        return Cost("timeout", cpu, peak, detail=f"{limits.cpu_seconds} s of processor time")
    if peak > limits.memory // 2:
        return Cost("memory", cpu, peak, detail=f"{limits.memory // _MEGABYTE} MiB of address space")
    return Cost("crash", cpu, peak, detail=signal.Signals(signal_number).name if signal_number else "exited")
