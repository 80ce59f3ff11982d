"""A page that hangs, or takes its worker along, costs its own request and no other."""

import asyncio
import itertools
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pagestrata.errors import PageKilled
from pagestrata.serve.metrics import Metrics
from pagestrata.serve.problems import Refused
from pagestrata.serve.queue import FairQueue
from pagestrata.serve.settings import ServeLimits, ServeSettings
from pagestrata.serve.tasks import Task
from pagestrata.serve.workers import Workers
from pagestrata.sites.store import Store
from pagestrata.work.guard import Guard
from tests.serve.running import PATIENCE, TEA, Running, body_of, running

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers in /proc, which only Linux has"),
]
LARGE = "<!--" + "a" * 700_000 + "-->" + TEA
"""Too large for the worker that is kept for short jobs."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("workers")
    with running(str(folder / "sites.db"), folder / "log", "--seconds", "3", "--workers", "2") as found:
        yield found


@pytest.fixture
def source(service: Running) -> Iterator[str]:
    """The address of a client that sent nothing slow yet, to a service that has nothing to do."""
    service.wait_for_idle(2)
    yield f"127.0.1.{next(_NUMBERS)}"
    for process in service.children():
        os.kill(process, signal.SIGCONT)


_NUMBERS = itertools.count(1)


def send(service: Running, page: str, source: str) -> httpx.Response:
    with service.client(source) as client:
        return client.post("/extract", content=body_of(page), headers={"Content-Type": "application/json"})


def nicest(processes: list[int]) -> int:
    """The worker that takes any job: it lets others go first."""
    return max(processes, key=lambda process: os.getpriority(os.PRIO_PROCESS, process))


def test_a_page_that_hangs_ends_with_504_and_the_next_is_read(service: Running, source: str) -> None:
    stopped = nicest(service.children())
    os.kill(stopped, signal.SIGSTOP)
    started = time.monotonic()
    answer = send(service, LARGE, source)
    assert (504, "seconds=3.0") == (answer.status_code, answer.json()["detail"])
    assert time.monotonic() - started > 2.9
    assert stopped not in service.children()
    service.wait_for_idle(2)
    assert 200 == send(service, LARGE, source).status_code


def test_a_job_that_was_not_short_is_begun_again_by_another_worker(service: Running, source: str) -> None:
    children = service.children()
    other = nicest(children)
    kept = next(process for process in children if process != other)
    for process in children:
        os.kill(process, signal.SIGSTOP)
    with ThreadPoolExecutor(2) as pool:
        blocking = pool.submit(send, service, LARGE, source)  # so that only the worker for short jobs is free
        service.wait_for_idle(1)
        short = pool.submit(send, service, TEA, source)
        deadline = time.monotonic() + 3
        while kept in service.children() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert kept not in service.children()
        os.kill(other, signal.SIGCONT)
        assert [200, 200] == [blocking.result().status_code, short.result().status_code]


def test_a_worker_that_is_killed_fails_only_its_own_request(service: Running, source: str) -> None:
    victim = nicest(service.children())
    os.kill(victim, signal.SIGSTOP)
    with ThreadPoolExecutor(4) as pool:
        doomed = pool.submit(send, service, LARGE, source)
        service.wait_for_idle(1)
        others: list[Future[httpx.Response]] = [pool.submit(send, service, TEA, source) for _ in range(3)]
        assert [200] * 3 == [other.result().status_code for other in others]
        os.kill(victim, signal.SIGKILL)
        answer = doomed.result()
    assert (503, "1") == (answer.status_code, answer.headers["retry-after"])
    assert answer.json()["type"].endswith(":worker-died")
    assert 200 == send(service, LARGE, source).status_code
    with service.client() as client:
        assert 'pagestrata_workers_killed_total{reason="died"} 1\n' in client.get("/metrics").text


def test_a_service_starts_on_a_machine_that_is_too_slow_for_its_limits(tmp_path: Path) -> None:
    async def use() -> int:
        limits = ServeLimits(short_seconds=1e-6, seconds=PATIENCE)  # no child answers within a microsecond
        settings = ServeSettings(store=Store(tmp_path / "sites.db"), limits=limits, workers=2)
        queue = FairQueue(limits)
        workers = Workers(settings, queue, Metrics())
        await workers.start()
        reply = await queue.put("a", Task("sites"), PATIENCE).reply
        await workers.stop()
        return reply.status

    assert 200 == asyncio.run(use())


def test_a_service_whose_workers_cannot_start_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    settings = ServeSettings(store=Store(tmp_path / "sites.db"), workers=2)
    with pytest.raises(PageKilled, match="cannot be started"):
        asyncio.run(Workers(settings, FairQueue(settings.limits), Metrics()).start())


def test_a_child_that_says_nonsense_or_cannot_be_started_does_not_end_its_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def use() -> list[str]:
        settings = ServeSettings(store=Store(tmp_path / "sites.db"))
        queue = FairQueue(settings.limits)
        workers = Workers(settings, queue, Metrics())
        await workers.start()
        seen = []
        for fault in (b"nonsense", OSError("no more processes"), None):
            with monkeypatch.context() as patch:
                if fault is not None:
                    patch.setattr(Guard, "map", lambda self, jobs, fault=fault: _faulty(jobs, fault))
                try:
                    seen.append(str((await queue.put("a", Task("sites"), 60).reply).status))
                except Refused as refused:
                    seen.append(refused.problem.kind)
        await workers.stop()
        return seen

    assert ["worker-died", "worker-died", "200"] == asyncio.run(use())


def _faulty(jobs: list[Task], fault: bytes | OSError) -> Iterator[tuple[Task, bytes]]:
    if isinstance(fault, OSError):
        raise fault
    for job in jobs:
        yield job, fault


def test_who_hangs_up_while_waiting_is_forgotten(service: Running, source: str) -> None:
    stopped = nicest(service.children())
    os.kill(stopped, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool, service.client(source) as client:
        pool.submit(send, service, LARGE, source)
        service.wait_for_idle(1)
        with pytest.raises(httpx.ReadTimeout):
            client.post("/extract", json={"html": LARGE}, timeout=0.5)
        deadline = time.monotonic() + 2
        while client.get("/health").json()["waiting"] and time.monotonic() < deadline:
            time.sleep(0.02)
        assert 0 == client.get("/health").json()["waiting"]
        os.kill(stopped, signal.SIGCONT)


def test_a_stop_finishes_what_is_under_way_and_takes_nothing_new(service: Running, source: str) -> None:
    children = service.children()
    os.kill(nicest(children), signal.SIGSTOP)
    with ThreadPoolExecutor(2) as pool:
        under_way = pool.submit(send, service, LARGE, source)
        service.wait_for_idle(1)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        with pytest.raises(httpx.ConnectError):
            send(service, TEA, source)
        os.kill(nicest(children), signal.SIGCONT)
        assert 200 == under_way.result().status_code
    assert 0 == service.process.wait(20)
    assert [] == [process for process in children if Path(f"/proc/{process}").exists()]
