"""Who is served next: the client that was served least, so that many requests of one do not delay those of others.

Start-time fair queuing over the seconds that workers spent. All of it runs in the event loop, so nothing is locked.
"""

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeLimits
from pagestrata.serve.tasks import Reply, Task

MOST_CLIENTS: Final = 1_000
"""That are remembered; those who want nothing now are forgotten first."""
TRUSTED_AFTER: Final = 50
"""Quick requests in a row after which a slow one is forgiven: the machine may have been slow."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A request in the queue."""

    client: str
    task: Task
    reply: "asyncio.Future[Reply]"
    is_short: bool
    expires: float
    """By the clock of the event loop."""
    expiry: asyncio.TimerHandle | None = None
    """While it waits."""
    is_kept: bool = False
    """Whether a worker for short jobs has it."""
    was_put_back: bool = False


@dataclass(slots=True)
class _Client:
    spent: float
    """Seconds of workers, from the floor at which it came."""
    quick: int = 0
    """Requests since the last slow one."""
    slow_until: float = 0.0
    waiting: deque[Ticket] = field(default_factory=deque)
    running: int = 0
    kept: int = 0
    """Of those that run, the ones that workers for short jobs have."""

    @property
    def is_idle(self) -> bool:
        return not self.waiting and not self.running


class FairQueue:
    """Requests of all clients."""

    def __init__(self, limits: ServeLimits, short_workers: int = 1) -> None:
        self._limits = limits
        self._most_kept = max(1, short_workers - 1)  # one client never has them all
        self._clients: dict[str, _Client] = {}
        self._floor = 0.0
        self._news = asyncio.Event()
        self.idle = 0
        """Workers that wait for a request."""
        self._idle_short = 0

    def __len__(self) -> int:
        return sum(len(client.waiting) for client in self._clients.values())

    def put(self, client: str, task: Task, patience: float) -> Ticket:
        """Add a request that may wait so many seconds; refused if too many are there."""
        if len(self) >= self._limits.queue:
            raise Refused("busy")
        state = self._state(client)
        loop = asyncio.get_running_loop()
        size = len(task.body) + (len(task.page.markup) if task.page else 0)
        expires = loop.time() + patience
        ticket = Ticket(client, task, loop.create_future(), size <= self._limits.short_bytes, expires)
        state.waiting.append(ticket)
        self._tell(ticket)
        return ticket

    def drop(self, ticket: Ticket) -> None:
        """Forget a request that nobody waits for any more; one that a worker has is not stopped."""
        if ticket.expiry is not None:
            self._remove(ticket)

    async def take(self, only_short: bool) -> Ticket:
        """The next request for a worker."""
        with self._idling(only_short):
            while (found := self._choose(only_short)) is None:
                self._news.clear()
                await self._news.wait()
        self._remove(found)
        found.is_kept = only_short
        state = self._clients[found.client]
        state.running += 1
        state.kept += only_short
        self._floor = max(self._floor, state.spent)
        self._news.set()  # what was left to this worker others may take now
        return found

    def done(self, ticket: Ticket, seconds: float, cost: float) -> None:
        """Write down how long a worker was busy with a request, and what that cost in processor time."""
        state = self._clients[ticket.client]
        state.running -= 1
        state.kept -= ticket.is_kept
        state.spent += seconds
        if cost < self._limits.slow_seconds:
            state.quick += 1
            if ticket.was_put_back:  # its first worker took long, and this one little: the machine was slow
                state.slow_until = 0.0
            return
        if state.quick < TRUSTED_AFTER:
            state.slow_until = time.monotonic() + self._limits.slow_memory
        state.quick = 0

    def put_back(self, ticket: Ticket) -> None:
        """Give a request that was not short to the other workers, before what its client sent later."""
        ticket.is_short, ticket.was_put_back = False, True
        self._clients[ticket.client].waiting.appendleft(ticket)
        self._tell(ticket)

    def _tell(self, ticket: Ticket) -> None:
        ticket.expiry = asyncio.get_running_loop().call_at(ticket.expires, self._expire, ticket)
        self._news.set()

    def _remove(self, ticket: Ticket) -> None:
        if ticket.expiry is not None:  # it holds the body for as long as it ticks
            ticket.expiry.cancel()
            ticket.expiry = None
        self._clients[ticket.client].waiting.remove(ticket)

    def _expire(self, ticket: Ticket) -> None:
        self._remove(ticket)
        if not ticket.reply.done():
            ticket.reply.set_exception(Refused("busy", "it waited too long"))

    @contextmanager
    def _idling(self, only_short: bool) -> Iterator[None]:
        self.idle += 1
        self._idle_short += only_short
        try:
            yield
        finally:
            self.idle -= 1
            self._idle_short -= only_short

    def _choose(self, only_short: bool) -> Ticket | None:
        now = time.monotonic()
        least: tuple[float, Ticket] | None = None
        for state in self._clients.values():
            first = self._first(state, only_short, now) if state.waiting else None
            if first and (least is None or state.spent < least[0]):
                least = state.spent, first
        return least[1] if least else None

    def _first(self, state: _Client, only_short: bool, now: float) -> Ticket | None:
        """Its oldest request that the worker may take; short ones are left to a kept worker that is idle."""
        may_be_kept = now >= state.slow_until and state.kept < self._most_kept
        if only_short:
            return next((ticket for ticket in state.waiting if ticket.is_short), None) if may_be_kept else None
        are_left = may_be_kept and self._idle_short > 0
        return next((ticket for ticket in state.waiting if not (ticket.is_short and are_left)), None)

    def _state(self, client: str) -> _Client:
        """What is known of a client; one who comes back has no more credit than one who is new."""
        if client not in self._clients:
            self._forget_some()
            self._clients[client] = _Client(self._floor)
        state = self._clients[client]
        if state.is_idle:
            state.spent = max(state.spent, self._floor)
        return state

    def _forget_some(self) -> None:
        if len(self._clients) < MOST_CLIENTS:
            return
        idle = (name for name, state in self._clients.items() if state.is_idle)
        for name in list(itertools.islice(idle, MOST_CLIENTS // 2)):
            del self._clients[name]
