"""The workers: each is a thread with a guard, whose child process handles one request at a time and can be killed."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from pagestrata.errors import PageKilled
from pagestrata.serve.child import Child
from pagestrata.serve.metrics import Metrics
from pagestrata.serve.problems import of_failure
from pagestrata.serve.queue import FairQueue, Ticket
from pagestrata.serve.settings import ServeSettings
from pagestrata.serve.tasks import Reply, Setup, Task
from pagestrata.work.guard import Failure, Guard, GuardLimits

NICENESS: Final = 10
"""The niceness of workers for all jobs, so that they do not slow down the workers for short jobs and the server."""
_PARTIAL_RESULT_SHARE = 0.5
"""The share of the time of a worker after which it stops and returns a partial result, which takes time to write."""

log = logging.getLogger("pagestrata.serve")


class Workers:
    """All workers; the first ones are reserved for short jobs."""

    def __init__(self, settings: ServeSettings, queue: FairQueue, metrics: Metrics) -> None:
        short = settings.short_workers
        self._all = [_Worker(settings, queue, metrics, only_short=number < short) for number in range(settings.workers)]
        self._running: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the children, and wait until all of them are ready.

        On a machine with too much other work a child may have started and then not answer within the short time of a
        page. It is killed, and the next request starts another: only a child that cannot start ends the service.
        """
        for outcome in await asyncio.gather(*(worker.wake() for worker in self._all)):
            if isinstance(outcome, Failure) and (outcome.stage == "start" or outcome.reason != "deadline"):
                raise PageKilled(f"a worker cannot be started: {outcome.detail or outcome.limit}")
        self._running = [asyncio.create_task(worker.run()) for worker in self._all]

    async def stop(self) -> None:
        """Kill the children; their current requests get no answer."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._all))


class _Worker:
    def __init__(self, settings: ServeSettings, queue: FairQueue, metrics: Metrics, only_short: bool) -> None:
        limits = settings.limits
        seconds = limits.short_seconds if only_short else limits.seconds
        setup = Setup(
            settings.store,
            fetches=settings.fetch is not None,
            seconds=limits.seconds * _PARTIAL_RESULT_SHARE,
            niceness=0 if only_short else NICENESS,
        )
        self._guard: Guard[Task] = Guard(
            Child(setup),
            limits=GuardLimits(seconds=seconds, memory=limits.memory, answer=limits.answer_bytes),
            name=lambda task: task.verb,
        )
        self._thread = ThreadPoolExecutor(1)  # always the same thread: a child ends with the thread that started it
        self._queue = queue
        self._metrics = metrics
        self._only_short = only_short

    async def run(self) -> None:
        while True:
            ticket = await self._queue.take(self._only_short)
            started = time.monotonic()
            outcome = await self._run_task(ticket.task)
            seconds = time.monotonic() - started
            self._queue.done(ticket, seconds, seconds if isinstance(outcome, Failure) else outcome.cost)
            self._set_reply(ticket, outcome)
            if isinstance(outcome, Failure):
                await self._handle_failure(outcome)

    async def _handle_failure(self, failure: Failure) -> None:
        """Log or count a failure, without text from the page, and start another child if the old one is gone."""
        if failure.reason == "exception":
            log.error("%s raised %s", failure.source, failure.detail.partition(":")[0])
        else:
            self._metrics.killed(failure.reason)
            await self.wake()

    async def wake(self) -> Reply | Failure:
        """Start the child if it is not running."""
        return await self._run_task(Task("wake"))

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._guard.close)
        self._thread.shutdown()

    async def _run_task(self, task: Task) -> Reply | Failure:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run_in_child, task)

    def _run_in_child(self, task: Task) -> Reply | Failure:
        """Send one task to the child; if it cannot be started or its reply cannot be read, return a failure."""
        try:
            ((_, outcome),) = self._guard.map([task])
            return outcome if isinstance(outcome, Failure) else msgspec.msgpack.decode(outcome, type=Reply)
        except (OSError, msgspec.DecodeError) as error:
            self._guard.close()
            return Failure(task.verb, "", "send", "died", "", type(error).__name__)

    def _set_reply(self, ticket: Ticket, outcome: Reply | Failure) -> None:
        if ticket.reply.done():  # the client has disconnected
            return
        if isinstance(outcome, Reply):
            ticket.reply.set_result(outcome)
        elif self._only_short and outcome.reason == "deadline":
            self._queue.put_back(ticket)
        else:
            ticket.reply.set_exception(of_failure(outcome))
