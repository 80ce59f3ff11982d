"""The child process of the guard: reads jobs from its standard input, answers each, and dies with its parent."""

import functools
import os
import pickle
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

FRAME = struct.Struct("!BQ")  # before each message of a child: its kind (see below) and the length of its payload
READY, ANSWER, LAST_ANSWER, RAISED, NO_MEMORY, CANNOT_START, CANNOT_SEND, TOO_LARGE = range(8)


def serve(parent: int) -> None:
    """Run as a child: report ready, then answer one job after the other until the parent closes the connection."""
    _die_with(parent)
    sys.stdout = sys.stderr  # where prints can be seen; what C code prints goes to /dev/null
    channel = _take_channel()
    with suppress(ConnectionError), channel.makefile("rb") as jobs:
        for kind, payload in _frames(jobs):
            channel.sendall(FRAME.pack(kind, len(payload)) + payload)


def _die_with(parent: int) -> None:
    """Have the kernel kill us when the parent is gone; without Linux the end of the jobs does it, after the page."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)  # 1 is PR_SET_PDEATHSIG
    if os.getppid() != parent:  # it died before we could ask
        sys.exit()


def _take_channel() -> socket.socket:
    """Take the socket away from standard input, so that nothing else in this process reads from it."""
    channel = socket.socket(fileno=os.dup(0))
    channel.setblocking(True)  # the parent may have a default timeout
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    return channel


def _frames(jobs: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """One message for the start and one for each job."""
    failure = CANNOT_START
    try:
        work, memory = pickle.load(jobs)  # noqa: S301 (the parent is trusted)
        worn_out = _sizes()[0] + memory * 2 // 3
        yield READY, _cap_memory(memory).to_bytes(8)
        failure = CANNOT_SEND
        kind = READY
        while kind != LAST_ANSWER:
            kind, payload = _answer(work, pickle.load(jobs))  # noqa: S301
            if kind == ANSWER and _sizes()[0] > worn_out:
                kind = LAST_ANSWER
            yield kind, payload
    except (EOFError, ConnectionError):  # the parent hung up
        return
    except MemoryError as error:
        yield NO_MEMORY, describe(error).encode()
    except Exception as error:
        yield failure, describe(error).encode(errors="replace")


def _answer(work: Callable[[Any], bytes], job: Any) -> tuple[int, bytes]:
    try:
        answer = work(job)
    except MemoryError:
        raise  # the heap may be in a bad state: the worker ends
    except BaseException as error:  # also SystemExit, which is the page's doing here
        return RAISED, describe(error).encode(errors="replace")
    if not isinstance(answer, bytes):
        raise TypeError(f"work gave {type(answer).__name__}, not bytes")
    return ANSWER, answer


def _cap_memory(growth: int) -> int:
    """Limit the growth of the address space; returns the peak from which on memory counts as full."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # writing a core file would outlast the deadline
    mapped, resident = _sizes()
    if not mapped:
        return (1 << 64) - 1
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    cap = mapped + growth if hard == resource.RLIM_INFINITY else min(mapped + growth, hard)
    resource.setrlimit(resource.RLIMIT_AS, (cap, cap))
    # Linux starts the peak of a child with that of its parent, so only a higher one is the child's own.
    return max(resident + growth * 4 // 5, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def _sizes() -> tuple[int, int]:
    """The bytes that are mapped and those in memory; 0 where the system does not report them (Linux does)."""
    if not (account := _account()):
        return 0, 0
    mapped, resident, *_ = os.pread(account, 128, 0).split()
    page_size = os.sysconf("SC_PAGE_SIZE")
    return int(mapped) * page_size, int(resident) * page_size


@functools.cache
def _account() -> int:
    """Open the kernel's account of this process, once: it is read after every page."""
    return os.open("/proc/self/statm", os.O_RDONLY) if os.path.exists("/proc/self/statm") else 0


def describe(error: BaseException) -> str:
    """The last line of the traceback: the kind of the error and its message."""
    return "".join(traceback.format_exception_only(error))
