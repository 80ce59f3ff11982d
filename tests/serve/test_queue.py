"""The queue is fair: who was served least comes next, and one worker is there for short jobs."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from pagestrata.serve.problems import Refused
from pagestrata.serve.queue import TRUSTED_AFTER, FairQueue, Ticket
from pagestrata.serve.settings import ServeLimits
from pagestrata.serve.tasks import Task

SHORT, LONG = Task("extract", b"a" * 10), Task("extract", b"a" * 1000)
LIMITS = ServeLimits(short_bytes=100, slow_seconds=1, queue=8)
PATIENCE = 5.0
_Found = TypeVar("_Found")


def with_queue(use: Callable[[FairQueue], Awaitable[_Found]], short_workers: int = 1) -> _Found:
    async def run() -> _Found:
        return await use(FairQueue(LIMITS, short_workers))

    return asyncio.run(run())


async def serve(queue: FairQueue, seconds: float, only_short: bool = False) -> Ticket:
    ticket = await asyncio.wait_for(queue.take(only_short), 1)
    queue.done(ticket, seconds, seconds)
    return ticket


def test_many_requests_of_one_do_not_delay_those_of_another() -> None:
    async def use(queue: FairQueue) -> str:
        for client in "aaaaaab":
            queue.put(client, SHORT, PATIENCE)
        return "".join([(await serve(queue, 0.1)).client for _ in range(7)])

    assert "abaaaaa" == with_queue(use)


def test_who_took_longer_waits_longer() -> None:
    async def use(queue: FairQueue) -> str:
        for client in "abababab":
            queue.put(client, SHORT, PATIENCE)
        served = ""
        while len(queue):
            ticket = await asyncio.wait_for(queue.take(only_short=False), 1)
            queue.done(ticket, 0.5 if ticket.client == "a" else 0.2, cost=0.0)
            served += ticket.client
        return served

    assert "abbbabaa" == with_queue(use)


def test_who_comes_late_has_saved_up_nothing() -> None:
    async def use(queue: FairQueue) -> str:
        for _ in range(3):
            queue.put("a", SHORT, PATIENCE)
            await serve(queue, 0.5)
        for client in "aabb":
            queue.put(client, SHORT, PATIENCE)
        return "".join([(await serve(queue, 0.5)).client for _ in range(4)])

    assert with_queue(use) in ("abab", "baba", "abba", "baab")


def test_the_worker_for_short_jobs_takes_no_others() -> None:
    async def use(queue: FairQueue) -> tuple[Task, bool]:
        queue.put("a", LONG, PATIENCE)
        queue.put("a", SHORT, PATIENCE)
        first = await serve(queue, 0.1, only_short=True)
        waiting = asyncio.create_task(queue.take(only_short=True))
        await asyncio.sleep(0.01)
        found = waiting.done()
        waiting.cancel()
        return first.task, found

    assert (SHORT, False) == with_queue(use)


def test_who_sent_a_slow_page_has_no_short_jobs_for_a_while() -> None:
    async def use(queue: FairQueue) -> str:
        queue.put("a", SHORT, PATIENCE)
        await serve(queue, 1.5, only_short=True)
        queue.put("a", SHORT, PATIENCE)
        queue.put("b", SHORT, PATIENCE)
        return (await serve(queue, 0.1, only_short=True)).client + (await serve(queue, 0.1)).client

    assert "ba" == with_queue(use)


def test_a_slow_page_after_many_quick_ones_is_forgiven_once() -> None:
    async def use(queue: FairQueue) -> list[bool]:
        found: list[bool] = []
        for cost in (*[0.01] * TRUSTED_AFTER, 1.5, 0.01, 1.5):
            queue.put("a", SHORT, PATIENCE)
            await serve(queue, cost, only_short=True)
        for client in "ab":
            queue.put(client, SHORT, PATIENCE)
        for _ in range(2):
            found.append((await serve(queue, 0.01, only_short=not found)).client == "b")
        return found

    assert [True, False] == with_queue(use)


def test_one_client_never_has_all_workers_for_short_jobs() -> None:
    async def use(queue: FairQueue) -> str:
        for client in "aaab":
            queue.put(client, SHORT, PATIENCE)
        workers = [asyncio.create_task(queue.take(only_short=True)) for _ in range(3)]
        taken = await asyncio.wait_for(asyncio.gather(*workers), 1)
        assert 1 == len(queue)
        queue.done(next(ticket for ticket in taken if ticket.client == "a"), 0.1, 0.1)
        taken.append(await asyncio.wait_for(queue.take(only_short=True), 1))
        return "".join(sorted(ticket.client for ticket in taken))

    assert "aaab" == with_queue(use, short_workers=3)


def test_a_short_job_is_left_to_a_worker_that_is_kept_for_it() -> None:
    async def use(queue: FairQueue) -> list[bool]:
        other = asyncio.create_task(queue.take(only_short=False))
        await asyncio.sleep(0)
        kept = asyncio.create_task(queue.take(only_short=True))
        await asyncio.sleep(0)
        first, second = queue.put("a", SHORT, PATIENCE), queue.put("b", SHORT, PATIENCE)
        return [await asyncio.wait_for(kept, 1) is first, await asyncio.wait_for(other, 1) is second]

    assert [True, True] == with_queue(use)


def test_what_was_not_short_goes_to_the_others() -> None:
    async def use(queue: FairQueue) -> bool:
        ticket = queue.put("a", SHORT, PATIENCE)
        taken = await serve(queue, 1.0, only_short=True)
        queue.put_back(taken)
        return await serve(queue, 1.0) is ticket

    assert with_queue(use)


def test_who_is_slow_only_because_the_machine_is_has_short_jobs_again() -> None:
    async def use(queue: FairQueue) -> Ticket:
        queue.put("a", SHORT, PATIENCE)
        queue.put_back(await serve(queue, 1.5, only_short=True))
        queue.done(await asyncio.wait_for(queue.take(only_short=False), 1), seconds=2.0, cost=0.1)
        queue.put("a", SHORT, PATIENCE)
        return await serve(queue, 0.1, only_short=True)

    assert "a" == with_queue(use).client


def test_a_full_queue_refuses() -> None:
    async def use(queue: FairQueue) -> None:
        for number in range(9):
            queue.put(str(number), SHORT, PATIENCE)

    with pytest.raises(Refused, match="busy"):
        with_queue(use)


def test_nobody_waits_too_long() -> None:
    async def use(queue: FairQueue) -> int:
        ticket = queue.put("a", SHORT, 0.05)
        with pytest.raises(Refused, match="busy"):
            await asyncio.wait_for(ticket.reply, 1)
        return len(queue)

    assert 0 == with_queue(use)


def test_what_was_put_back_too_late_is_refused() -> None:
    async def use(queue: FairQueue) -> None:
        ticket = queue.put("a", SHORT, 0.05)
        await serve(queue, 0.1)
        await asyncio.sleep(0.1)
        queue.put_back(ticket)
        await asyncio.wait_for(ticket.reply, 1)

    with pytest.raises(Refused, match="busy"):
        with_queue(use)


def test_a_request_that_was_given_up_is_not_taken() -> None:
    async def use(queue: FairQueue) -> str:
        queue.drop(queue.put("a", SHORT, PATIENCE))
        queue.put("b", SHORT, PATIENCE)
        return (await serve(queue, 0.1)).client

    assert "b" == with_queue(use)
