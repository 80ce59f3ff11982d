"""Requests in numbers: how long those of a normal client take while another one does its worst.

Clients are told apart by their address, and all of 127.0.0.0/8 is this machine. Connections are made by hand, since the
client must not need more of two cores than the service.
"""

import asyncio
import errno
import itertools
import os
import re
import signal
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context

from tests.batch.corpus import memory_of
from tests.serve.running import ARTICLES, Running, body_of

NORMAL, HOSTILE, SLOW = "127.0.0.2", "127.0.0.3", "127.0.0.4"
FINE = frozenset((200, 413, 422, 429, 503, 504))
"""How a hostile request may be answered."""
NO_ANSWER = 0
PROBLEM = re.compile(rb'"type":"[^"]*:([a-z-]+)"')
"""How the service names the reason of a refusal."""


PATIENCE = 60.0
"""Seconds after which a client no longer waits for an answer; the service refuses what waits for 11."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer: its status, after how long, and by which name the page goes."""

    status: int
    seconds: float
    name: str = ""
    problem: str = ""
    """What the service gave as the reason of a refusal, or why there was no answer and in which step."""
    sent: float = 0.0
    """When it was sent, by the monotonic clock."""
    digest: int = 0
    """Of the body of the answer, so that answers to the same page can be compared."""


async def ask(port: int, body: bytes, source: str, name: str = "", path: str = "/extract") -> Seen:
    """Send one page on a connection of its own; a connection that breaks is no answer."""
    started = time.monotonic()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    step, answer, problem = "connect", b"", "closed without an answer"
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0), limit=1 << 20)
            step = "read"
            try:
                writer.write(head.encode())
                writer.write(body)  # it may be refused, and the answer read, before all of it is sent
                answer = await reader.read()
            finally:
                writer.close()
    except OSError as error:  # a timeout is one, too
        problem = f"{step}: {errno.errorcode.get(error.errno or 0, type(error).__name__)}"
    status = int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else NO_ANSWER
    if status != NO_ANSWER:
        kind = PROBLEM.search(answer) if status >= 400 else None
        problem = kind[1].decode() if kind else ""
    digest = zlib.crc32(answer.partition(b"\r\n\r\n")[2])
    return Seen(status, time.monotonic() - started, name, problem, started, digest)


async def steadily(port: int, pages: Sequence[bytes], rate: float, seconds: float) -> list[Seen]:
    """So many normal requests a second, each at its time whether or not the one before was answered."""
    started, sent = time.perf_counter(), []
    for number, page in zip(range(int(rate * seconds)), itertools.cycle(pages), strict=False):
        await asyncio.sleep(started + number / rate - time.perf_counter())
        sent.append(asyncio.create_task(ask(port, page, NORMAL, f"normal {number % len(pages)}")))
    return list(await asyncio.gather(*sent))


def mixed_answers(seen: Iterable[Seen]) -> int:
    """How many pages were answered in more than one way: one of the answers belongs to somebody else."""
    answers = {(one.name, one.digest) for one in seen if one.status == 200}
    return sum(count > 1 for count in Counter(name for name, _ in answers).values())


async def relentlessly(
    port: int, pages: Iterable[tuple[str, bytes]], in_flight: int, is_over: Callable[[], bool], pause: float = 0
) -> list[Seen]:
    """So many hostile clients, each with a pause after every answer; who is told to go away waits a little longer."""
    turn, seen = itertools.cycle(pages), []

    async def attack() -> None:
        while not is_over():
            name, page = next(turn)
            seen.append(await ask(port, page, HOSTILE, name))
            await asyncio.sleep(pause + 0.2 if seen[-1].status == 429 else pause)

    await asyncio.gather(*(attack() for _ in range(in_flight)))
    return seen


async def under_attack(
    port: int,
    normal: Sequence[bytes],
    hostile: Sequence[tuple[str, bytes]],
    rate: float,
    seconds: float,
    in_flight: int,
) -> tuple[list[Seen], list[Seen]]:
    """Normal requests beside hostile ones; what became of both. The first second is not counted.

    The hostile ones come from a process of their own: sending large bodies must not delay the normal client itself.
    """
    end = time.monotonic() + 1 + seconds
    with ProcessPoolExecutor(1, get_context("fork")) as elsewhere:
        attack = elsewhere.submit(_attack, port, hostile, in_flight, end)
        await asyncio.sleep(1)
        seen = await steadily(port, normal, rate, seconds)
        return seen, await asyncio.wrap_future(attack)


def _attack(
    port: int, hostile: Sequence[tuple[str, bytes]], in_flight: int, end: float, pause: float = 0
) -> list[Seen]:
    os.nice(19)  # sending costs other machines their time, not the one of the service
    return asyncio.run(relentlessly(port, hostile, in_flight, lambda: time.monotonic() > end, pause))


async def while_held(
    port: int, normal: Sequence[bytes], rate: float, seconds: float, connections: int
) -> tuple[list[Seen], int]:
    """Normal requests beside slow connections; what became of them, and how many connections the service closed."""
    over = False
    held = asyncio.gather(*(_trickle(port, lambda: over) for _ in range(connections)))
    await asyncio.sleep(1)
    seen = await steadily(port, normal, rate, seconds)
    over = True
    return seen, sum(await held)


async def _trickle(port: int, is_over: Callable[[], bool]) -> bool:
    """A connection that sends a byte of its head now and then; whether the service closed it. Then comes another."""
    closed = False
    while not is_over():
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(SLOW, 0))
            writer.write(b"POST /extract HTTP/1.1\r\nX-Slow: ")
            while not is_over() and not reader.at_eof() and reader.exception() is None:
                writer.write(b"a")
                await asyncio.sleep(1)
            closed = closed or not is_over()
            writer.close()
    return closed


async def while_killing(
    service: Running, normal: Sequence[bytes], rate: float, seconds: float, every: float
) -> tuple[list[Seen], int]:
    """Normal requests while a worker is killed now and then; what became of them, and how many were killed."""
    kills = 0

    async def kill() -> None:
        nonlocal kills
        while True:
            await asyncio.sleep(every)
            for process in service.children()[:1]:
                os.kill(process, signal.SIGKILL)
                kills += 1

    killing = asyncio.create_task(kill())
    seen = await steadily(service.port, normal, rate, seconds)
    killing.cancel()
    return seen, kills


async def mixed_load(
    service: Running,
    normal: Sequence[bytes],
    hostile: Sequence[tuple[str, bytes]],
    rate: float,
    seconds: float,
    in_flight: int,
    connections: int,
    every: float,
    pause: float = 0,
) -> tuple[list[Seen], list[Seen], int, list[float]]:
    """Normal and hostile requests, slow connections and killed workers at once; hostile clients pause between two.

    Returns what became of normal and of hostile requests, the number of kills, and the MiB that the service held.
    """
    end, memory = time.monotonic() + seconds, list[float]()

    async def watch() -> None:
        while True:
            memory.append(memory_of(service.process.pid)[0])
            await asyncio.sleep(5)

    with ProcessPoolExecutor(1, get_context("fork")) as elsewhere:
        attack = elsewhere.submit(_attack, service.port, hostile, in_flight, end, pause)
        watching = asyncio.create_task(watch())
        slow = asyncio.gather(*(_trickle(service.port, lambda: time.monotonic() > end) for _ in range(connections)))
        seen, kills = await while_killing(service, normal, rate, seconds, every)
        await slow
        answers = await asyncio.wrap_future(attack)
        watching.cancel()
    return seen, answers, kills, memory


def normal_pages() -> list[bytes]:
    """Requests to read the pages of the example site."""
    return [body_of(path.read_text(encoding="utf-8")) for path in ARTICLES]


def percentile(seen: Sequence[Seen], share: float) -> float:
    """The seconds within which this share of all was answered."""
    ordered = sorted(one.seconds for one in seen)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def told(seen: Sequence[Seen]) -> str:
    """Median, 99th percentile, and statuses with the reasons of refusals as text."""
    kinds = Counter(f"{one.status} {one.problem}".strip() for one in seen)
    counts = ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items()))
    return f"{1000 * percentile(seen, 0.5):.0f} / {1000 * percentile(seen, 0.99):.0f} ms ({counts})"
