"""Small forms of `scripts/stress service`: what others do to the service is not felt by a client that behaves."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.serve import load
from tests.serve.running import Running, running

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs 127.0.0.0/8 and /proc, as Linux has them"),
]
WORKERS = 4
UNKNOWN = "127.0.0.5"
"""A client whose pages no worker died of: it has short jobs."""
HOSTILE = [
    ("adopt", b"<b><p>" * 60_000),
    ("fonts", b"".join(b'<font color="%d">' % number for number in range(30_000))),
    ("cells", b"<table><tr>" + b"<td colspan=1000000>x" * 40_000),
    ("amps", b"&" * 1_500_000),
    ("small", b"<i><u><s>x" * 15_000),
    ("junk", bytes(range(256)) * 4000),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("load")
    with running(str(folder / "sites.db"), folder / "log", "--workers", str(WORKERS)) as found:
        yield found


def test_hostile_requests_are_answered_and_normal_ones_do_not_fail(service: Running) -> None:
    hostile = [(name, msgspec.json.encode({"base64": page})) for name, page in HOSTILE]
    seen, answers = asyncio.run(load.under_attack(service.port, load.normal_pages(), hostile, 4, 3, in_flight=40))
    assert {200} == {one.status for one in seen}, load.told(seen)
    assert 0 == load.mixed_answers(seen)
    assert [] == [one for one in answers if one.status not in load.FINE or one.seconds > 11], load.told(answers)


def test_slow_connections_block_nobody(service: Running) -> None:
    seen, _ = asyncio.run(load.while_held(service.port, load.normal_pages(), 4, 2, connections=200))
    assert {200} == {one.status for one in seen}, load.told(seen)


def test_killed_workers_take_at_most_their_own_request_along(service: Running) -> None:
    service.wait_for_idle(WORKERS)
    seen, kills = asyncio.run(load.while_killing(service, load.normal_pages(), 4, 4, every=1.5))
    failed = [one.status for one in seen if one.status != 200]
    assert kills >= 2
    assert len(failed) <= kills, load.told(seen)
    assert {503} >= set(failed)


def test_a_stop_loses_nothing(service: Running) -> None:
    async def use() -> list[load.Seen]:
        sent = [asyncio.create_task(load.ask(service.port, page, UNKNOWN)) for page in load.normal_pages()]
        await asyncio.sleep(0.2)
        service.process.send_signal(signal.SIGTERM)
        return list(await asyncio.gather(*sent))

    service.wait_for_idle(WORKERS)
    assert {200} == {one.status for one in asyncio.run(use())}
    assert 0 == service.process.wait(20)
