"""Killable workers for untrusted pages.

A timer cannot stop a loop in C and no handler survives a crash, so pages are read in child processes, one page at a
time per child, so that it is clear which page did the harm. What it did becomes a `Failure`.

Children are plain `subprocess` interpreters, not `multiprocessing`: no threaded parent is forked, `__main__` is not
imported again (pytest, console scripts and `python < script` all do), no helper process stays, and Spark's and other
daemonic processes may start them. One socket per child carries pickled jobs there and bytes back. Answers are never
unpickled: a page that took its worker over can lie, but it cannot run code in the parent.
"""

from __future__ import annotations

import itertools
import math
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, Literal, Self, TypeVar

from pagestrata.errors import UsageError
from pagestrata.work.worker import (
    ANSWER,
    CANNOT_SEND,
    CANNOT_START,
    FRAME,
    LAST_ANSWER,
    NO_MEMORY,
    RAISED,
    READY,
    TOO_LARGE,
    describe,
)

Job = TypeVar("Job")
Stage = Literal["start", "work", "send"]
Reason = Literal["deadline", "memory", "died", "exception"]

_BOOT = "import sys; sys.path[:] = sys.argv[2:]; from pagestrata.work.worker import serve; serve(int(sys.argv[1]))"
_FAILURES: dict[int, tuple[Stage, Reason, str]] = {
    RAISED: ("work", "exception", ""),
    NO_MEMORY: ("work", "memory", "memory"),
    CANNOT_START: ("start", "exception", ""),
    CANNOT_SEND: ("send", "exception", ""),
    TOO_LARGE: ("send", "memory", "answer"),
}
_ROWS_AHEAD = 16  # per worker: what the others may finish while the first in line is slow; each holds its job in memory
_ROWS_GIVEN = 2  # to a worker: one to work on and one to go on with, as sleeping in between costs 20 % of a 2 ms page
_READ_SIZE = 1 << 18  # bytes at once: more than a socket of Linux holds (208 KB)
_CHUNKS_AT_ONCE = 64  # of an outbox; systems take 1,024 at most
_NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)  # writing to a dead child must not end a parent that restored SIGPIPE
_DETAIL_SIZE = 300


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """The resources that one page, and one worker, may use."""

    seconds: float = 15.0
    """Wall time for one page, from the moment its worker starts on it until the last byte of the answer has arrived."""
    start_seconds: float = 60.0
    """Wall time for a new worker to import what it needs."""
    memory: int = 3 << 29
    """Bytes by which the address space of a worker may grow. A worker that keeps two thirds of it after a page is
    replaced, so that no page pays for earlier ones. Linux only: elsewhere only `seconds` and `pages` limit a worker."""
    pages: int = 10_000
    """Pages in the life of a worker."""
    answer: int = 512 << 20
    """Bytes in one answer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A page without an answer, and the reason."""

    source: str
    digest: str
    """SHA-256 of the page in hex, or "" if its bytes are not at hand."""
    stage: Stage
    """While the worker started, while it worked on the page, or while job or answer were sent."""
    reason: Reason
    limit: str
    """The limit that was hit and its value, as in `seconds=15.0`, or ""."""
    detail: str
    """One line for people; it may quote the page."""


class Guard(Generic[Job]):
    """Runs `work(job) -> bytes` in killable children; use it as a context manager, for one `map` at a time.

    `work` and the jobs are pickled, so `work` is a function at the top level of a module, or a `partial` of one.
    `name` and `digest` run in the parent: what to call a failed job, and the SHA-256 of its page in hex.
    Works on POSIX systems. On Linux a child also dies with the thread that started it, so stay in one thread.
    """

    def __init__(
        self,
        work: Callable[[Job], bytes],
        workers: int = 1,
        limits: GuardLimits = GuardLimits(),
        *,
        name: Callable[[Job], str] = str,
        digest: Callable[[Job], str] = lambda job: "",
    ) -> None:
        if os.name != "posix":
            raise UsageError("killable workers need a POSIX system")
        self._setup = _pack_setup(work, limits)
        self._count = workers
        self._limits = limits
        self._name = name
        self._digest = digest
        self._workers: list[_Child] = []
        self._returned: deque[_Pending] = deque()
        self._selector = selectors.DefaultSelector()
        self._time_away = 0.0
        self._closings = 0
        # One for all reads, as a fresh one costs more than the read. Never one for all guards: while one reads, one in
        # another thread would put the answer to its own page here.
        self._read_buffer = memoryview(bytearray(_READ_SIZE))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill every child and wait until it is gone; a `map` that is under way cannot go on."""
        self._closings += 1
        for worker in list(self._workers):
            self._retire(worker)
        self._returned.clear()

    def map(self, jobs: Iterable[Job], *, ordered: bool = True) -> Iterator[tuple[Job, bytes | Failure]]:
        """Yield every job with its answer or failure, in the order of the jobs unless `ordered` is False.

        Few jobs are taken ahead, so the iterator may be endless. Any exception on the way kills the children.
        """
        try:
            yield from self._stream(iter(jobs), ordered)
        except BaseException:
            self.close()
            raise

    def _stream(self, jobs: Iterator[Job], ordered: bool) -> Iterator[tuple[Job, bytes | Failure]]:
        rows: deque[_Pending] = deque()
        more = True
        closings = self._closings
        while more or rows:
            self._listen(patient=_first_done(rows, ordered) is None)
            self._hand_on()
            more = more and self._hand_out(jobs, rows)
            row = _first_done(rows, ordered)
            if row and row.outcome is not None:
                rows.remove(row)
                with self._clock_stopped():
                    yield row.job, row.outcome
                if self._closings > closings:
                    raise UsageError("the guard of this run was closed")

    @contextmanager
    def _clock_stopped(self) -> Iterator[None]:
        """Run code of the caller: the time in which nobody listens must not count against the pages."""
        left = time.monotonic()
        try:
            yield
        finally:
            self._time_away += time.monotonic() - left

    def _now(self) -> float:
        return time.monotonic() - self._time_away

    def _hand_on(self) -> None:
        """Assign the jobs that a worker had not begun when it ended to others."""
        while self._returned and self._has_room():
            self._assign(self._returned.popleft())

    def _hand_out(self, jobs: Iterator[Job], rows: deque[_Pending]) -> bool:
        """Assign as many new jobs as the workers can take; False when there are no more."""
        while self._has_room() and len(rows) < self._count * _ROWS_AHEAD:
            with self._clock_stopped():
                try:
                    rows.append(_Pending(next(jobs)))
                except StopIteration:
                    return False
            self._listen(patient=False)  # finds the workers that died while they had nothing to do
            self._assign(rows[-1])
        return True

    def _has_room(self) -> bool:
        return len(self._workers) < self._count or any(worker.has_room(self._limits.pages) for worker in self._workers)

    def _assign(self, row: _Pending) -> None:
        try:
            pickle.dump(row.job, outbox := _Outbox(), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            row.outcome = self._failure(row.job, "send", "exception", detail=describe(error))
            return
        worker = self._choose_worker()
        if not worker.rows:
            worker.deadline = self._now() + (self._limits.seconds if worker.ready else self._limits.start_seconds)
        worker.rows.append(row)
        worker.outbox += outbox
        self._send(worker)

    def _choose_worker(self) -> _Child:
        """An idle worker, or else a new one, or else one that has room for a second job."""
        idle = next((worker for worker in self._workers if not worker.rows), None)
        if idle or len(self._workers) < self._count:
            return idle or self._start_worker()
        return next(worker for worker in self._workers if worker.has_room(self._limits.pages))

    def _start_worker(self) -> _Child:
        worker = _Child(self._setup)
        self._workers.append(worker)
        self._selector.register(worker.channel, selectors.EVENT_READ, worker)
        return worker

    def _listen(self, patient: bool) -> None:
        """Receive messages from the workers, waiting for one if `patient`, and kill workers past their deadline."""
        busy = [worker for worker in self._workers if worker.rows]
        now = self._now()
        nearest = min((worker.deadline for worker in busy), default=now)
        for key, events in self._selector.select(max(nearest - now, 0.0) if patient else 0.0):
            if events & selectors.EVENT_WRITE:
                self._send(key.data)
            if events & selectors.EVENT_READ:
                self._hear(key.data)
        for worker in busy:
            # By the time before the select: an answer that was there already is never thrown away.
            if worker.rows and worker.deadline <= now:
                self._fail(worker, worker.stage, "deadline", "seconds" if worker.ready else "start_seconds")

    def _send(self, worker: _Child) -> None:
        with suppress(ConnectionError):  # the next read finds out how the child ended
            worker.outbox.send(worker.channel)
        wish = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.outbox else 0)
        self._selector.modify(worker.channel, wish, worker)

    def _hear(self, worker: _Child) -> None:
        alive = worker.receive(self._read_buffer)
        while worker.rows and (frame := worker.take_frame(self._limits.answer)):
            self._settle(worker, *frame)
        if worker.rows and not alive:
            self._bury(worker)
        elif not worker.rows and worker in self._workers and (worker.inbox or not alive):
            self._retire(worker)  # dead, or taken over by a page: it sends without a job

    def _settle(self, worker: _Child, kind: int, payload: bytes) -> None:
        if kind == READY and not worker.ready:  # accepted once: otherwise a page could extend its deadline for ever
            worker.ready = True
            worker.full_at = int.from_bytes(payload[:8])
            worker.deadline = self._now() + self._limits.seconds
        elif kind in (ANSWER, LAST_ANSWER) and worker.ready:
            self._finish(worker, payload, last=kind == LAST_ANSWER)
        elif kind in _FAILURES:
            detail = payload[: 4 * _DETAIL_SIZE].decode(errors="replace")
            self._fail(worker, *_FAILURES[kind], detail, last=kind != RAISED)
        else:
            self._fail(worker, "send", "died", detail="the worker spoke out of turn")

    def _bury(self, worker: _Child) -> None:
        """Record how a child ended; if its memory was nearly full, that is taken as the reason."""
        stage = worker.stage
        worker.kill()
        detail = _describe_exit(worker.process.returncode)
        if worker.ready and worker.peak > worker.full_at:
            self._fail(worker, stage, "memory", "memory", detail)
        else:
            self._fail(worker, stage, "died", detail=detail)

    def _fail(
        self, worker: _Child, stage: Stage, reason: Reason, limit: str = "", detail: str = "", last: bool = True
    ) -> None:
        self._finish(worker, self._failure(worker.rows[0].job, stage, reason, limit, detail), last)

    def _finish(self, worker: _Child, outcome: bytes | Failure, last: bool) -> None:
        worker.rows.popleft().outcome = outcome
        worker.pages += 1
        worker.deadline = self._now() + self._limits.seconds
        if last or worker.pages >= self._limits.pages:
            self._retire(worker)

    def _retire(self, worker: _Child) -> None:
        worker.kill()
        self._returned.extend(worker.rows)
        worker.rows.clear()
        self._workers.remove(worker)
        self._selector.unregister(worker.channel)
        worker.channel.close()

    def _failure(self, job: Job, stage: Stage, reason: Reason, limit: str = "", detail: str = "") -> Failure:
        try:
            digest = self._digest(job)
        except OSError:  # the file of the page may be gone by now
            digest = ""
        limit = limit and f"{limit}={getattr(self._limits, limit)}"
        return Failure(self._name(job), digest, stage, reason, limit, _one_line(detail))


@dataclass(slots=True, eq=False)
class _Pending:
    """A job, and its outcome once there is one."""

    job: Any
    outcome: bytes | Failure | None = None


class _Outbox(list[bytes | memoryview]):
    """A pickle in pieces: `pickle.dump` writes a long markup without the copy that `dumps` makes."""

    def write(self, piece: bytes) -> None:
        self.append(piece)

    def send(self, channel: socket.socket) -> None:
        """Send as much as the other end accepts now."""
        with suppress(BlockingIOError):
            while self:
                self._drop(channel.sendmsg(self[:_CHUNKS_AT_ONCE], (), _NO_SIGNAL))

    def _drop(self, size: int) -> None:
        while self and size >= len(self[0]):
            size -= len(self.pop(0))
        if size:
            self[0] = memoryview(self[0])[size:]


class _Child:
    """The parent's end of one child: its process, its socket, and its rows, of which it works on the first."""

    def __init__(self, setup: bytes) -> None:
        self.channel, theirs = socket.socketpair()
        with theirs:
            # Its own group: Ctrl-C reaches the parent only, and what the child starts can be killed with it. But not
            # its own session: Linux shares the processor between sessions first, and niceness would count for nothing.
            self.process = subprocess.Popen(  # noqa: S603 (our own interpreter and program)
                [sys.executable, "-c", _BOOT, str(os.getpid()), *sys.path],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                process_group=0,
            )
        with suppress(ConnectionError):  # the next read finds out how the child ended
            self.channel.sendall(setup, _NO_SIGNAL)
        self.channel.setblocking(False)
        self.rows: deque[_Pending] = deque()
        self.outbox = _Outbox()
        self.inbox = bytearray()
        self.ready = False
        self.deadline = math.inf
        self.pages = self.peak = self.full_at = 0

    @property
    def stage(self) -> Stage:
        """The stage that the child is in, as far as the parent can see."""
        if not self.ready:
            return "start"
        first_unsent = self.outbox and len(self.rows) == 1
        return "send" if first_unsent or self.inbox else "work"

    def has_room(self, pages: int) -> bool:
        """Whether the worker can take one more job; a second one only after the first was sent."""
        return not self.outbox and len(self.rows) < min(_ROWS_GIVEN, pages - self.pages)

    def receive(self, buffer: memoryview) -> bool:
        """Receive what the child has sent, by way of a buffer; False when it has closed the connection."""
        try:
            count = self.channel.recv_into(buffer)
        except ConnectionError:
            return False
        self.inbox += buffer[:count]
        return count > 0

    def take_frame(self, limit: int) -> tuple[int, bytes] | None:
        """The next frame once all of it has arrived; one over the limit is reported at once."""
        if len(self.inbox) < FRAME.size:
            return None
        kind, length = FRAME.unpack_from(self.inbox)
        if length > limit:
            return TOO_LARGE, b""
        end = FRAME.size + length
        if len(self.inbox) < end:
            return None
        payload = bytes(self.inbox[FRAME.size : end])
        del self.inbox[:end]
        return kind, payload

    def kill(self) -> None:
        """Kill the child and all processes it started, and wait for its end; a dead child keeps its exit status."""
        if self.process.returncode is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status = 0
        with suppress(ChildProcessError):  # the parent ignores SIGCHLD: the status is lost
            _, status, usage = os.wait4(self.process.pid, 0)  # unlike `Popen.wait` it returns the peak of memory
            self.peak = usage.ru_maxrss * 1024
        self.process.returncode = os.waitstatus_to_exitcode(status)


def _pack_setup(work: Callable[[Job], bytes], limits: GuardLimits) -> bytes:
    if getattr(work, "__module__", "") == "__main__":
        raise UsageError(f"a worker cannot import {work!r} from the main script: move it to a module")
    try:
        return pickle.dumps((work, limits.memory))
    except Exception as error:
        raise UsageError(f"a worker cannot import {work!r}: {error}") from error


def _first_done(rows: deque[_Pending], ordered: bool) -> _Pending | None:
    candidates = itertools.islice(rows, 1 if ordered else None)
    return next((row for row in candidates if row.outcome is not None), None)


def _describe_exit(code: int) -> str:
    with suppress(ValueError):
        return f"killed by signal {-code} ({signal.Signals(-code).name})"
    return f"exited with status {code}"


def _one_line(text: str) -> str:
    """Make one printable line: the text may come from a page, and goes to logs and terminals."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:_DETAIL_SIZE]
