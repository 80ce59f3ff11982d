"""No client takes all: of requests, of memory, or of time with a body that trickles."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import pytest

from pagestrata.serve import shares as module
from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeLimits
from pagestrata.serve.shares import Shares

JSON: Mapping[str, str] = {"content-type": "application/json; charset=utf-8"}


async def pieces(*found: bytes, pause: float = 0.0) -> AsyncIterator[bytes]:
    for piece in found:
        await asyncio.sleep(pause)
        yield piece


async def read(shares: Shares, client: str, *found: bytes, pause: float = 0.0) -> bytes:
    async with shares.enter(client) as share:
        return await share.read(JSON, pieces(*found, pause=pause))


def test_a_body_is_put_together_and_its_room_given_back() -> None:
    shares = Shares(ServeLimits())
    assert b"abcd" == asyncio.run(read(shares, "a", b"ab", b"", b"cd"))
    assert (0, {}) == (shares.held, shares._clients)


def test_one_client_holds_only_a_part_of_the_memory() -> None:
    async def use() -> None:
        shares = Shares(ServeLimits(held_bytes=100))
        async with shares.enter("a") as first:
            await first.read(JSON, pieces(b"a" * 20))
            assert b"b" * 25 == await read(shares, "b", b"b" * 25)
            with pytest.raises(Refused, match="too-many-requests"):
                await read(shares, "a", b"a" * 6)
        assert 0 == shares.held

    asyncio.run(use())


def test_a_body_that_will_not_fit_is_not_begun() -> None:
    async def use() -> bool:
        begun = False

        async def body() -> AsyncIterator[bytes]:
            nonlocal begun
            begun = True
            yield b"a"

        async with Shares(ServeLimits(held_bytes=100)).enter("a") as share:
            with pytest.raises(Refused, match="too-many-requests"):
                await share.read({**JSON, "content-length": "26"}, body())
        return begun

    assert not asyncio.run(use())


def test_all_clients_hold_only_what_there_is() -> None:
    async def use() -> None:
        shares = Shares(ServeLimits(held_bytes=40))
        async with shares.enter("a") as a, shares.enter("b") as b, shares.enter("c") as c, shares.enter("d") as d:
            for share in (a, b, c, d):
                await share.read(JSON, pieces(b"a" * 10))
            with pytest.raises(Refused, match="busy"):
                await read(shares, "e", b"a")

    asyncio.run(use())


def test_too_many_requests_of_one_client_are_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REFUSAL_SECONDS", 0.05)

    async def use() -> float:
        shares = Shares(ServeLimits(client_requests=1))
        async with shares.enter("a"):
            assert b"x" == await read(shares, "b", b"x")
            started = asyncio.get_running_loop().time()
            with pytest.raises(Refused, match="too-many-requests"):
                await read(shares, "a", b"x")
            return asyncio.get_running_loop().time() - started

    assert asyncio.run(use()) >= 0.05


def test_few_bodies_of_a_client_are_read_at_once_and_the_others_are_left_alone() -> None:
    begun = []

    async def endless(number: int) -> AsyncIterator[bytes]:
        begun.append(number)
        await asyncio.sleep(10)
        yield b""

    async def use() -> None:
        shares = Shares(ServeLimits(wait_seconds=0.1))

        async def one(number: int) -> None:
            async with shares.enter("a") as share:
                await share.read(JSON, endless(number))

        tasks = [asyncio.create_task(one(number)) for number in range(6)]
        done, _ = await asyncio.wait(tasks, timeout=0.5)
        assert ["too-many-requests"] * 2 == [str(task.exception().args[0]) for task in done]  # type: ignore[union-attr]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(use())
    assert [0, 1, 2, 3] == begun


def test_a_body_that_trickles_is_given_up_and_one_that_flows_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.2)
    shares = Shares(ServeLimits())
    with pytest.raises(Refused, match="body-too-slow"):
        asyncio.run(read(shares, "a", *[b"a"] * 40, pause=0.02))
    flowing = asyncio.run(read(shares, "a", *[b"a" * 5000] * 40, pause=0.02))
    assert 200_000 == len(flowing)
    assert 0 == shares.held


def test_waiting_for_a_turn_is_taken_from_the_time_in_the_queue() -> None:
    async def use() -> tuple[float, float]:
        shares = Shares(ServeLimits(wait_seconds=5))

        async def one() -> float:
            async with shares.enter("a") as share:
                await share.read(JSON, pieces(b"a", pause=0.2))
                return share.patience

        left = await asyncio.gather(*(one() for _ in range(module.READ_AT_ONCE + 1)))
        return left[0], left[-1]

    first, last = asyncio.run(use())
    assert first > 4.9
    assert last < first - 0.1


def test_one_client_does_not_take_all_fetches() -> None:
    async def use() -> None:
        shares = Shares(ServeLimits(wait_seconds=0.1))

        async def fetch(client: str) -> None:
            async with shares.enter(client) as share, share.fetching():
                await asyncio.sleep(0.5)

        tasks = [asyncio.create_task(fetch("a")) for _ in range(20)]
        await asyncio.sleep(0.3)
        assert 20 - module.READ_AT_ONCE == sum(task.done() for task in tasks)
        async with shares.enter("b") as share, share.fetching():
            pass
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert module.READ_AT_ONCE == results.count(None)

    asyncio.run(use())
