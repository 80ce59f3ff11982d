"""Who is served next: the client that was served least, so that many requests of one do not delay those of others.

Start-time fair queuing over the seconds that workers spent. All of it runs in the event loop, so nothing is locked.
"""

import asyncio
import itertools
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from pagestrata.serve.problems import Refused
from pagestrata.serve.settings import ServeLimits
from pagestrata.serve.tasks import Reply, Task

MOST_CLIENTS: Final = 1_000
"""That are remembered; those who want nothing now are forgotten first."""


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


@dataclass(slots=True)
class _Client:
    spent: float
    """Seconds of workers, from the floor at which it came."""
    slow_until: float = 0.0
    waiting: deque[Ticket] = field(default_factory=deque)
    running: int = 0

    @property
    def is_idle(self) -> bool:
        return not self.waiting and not self.running

    def first(self, only_short: bool, now: float) -> Ticket | None:
        """Its oldest request that the worker may take."""
        if only_short and now < self.slow_until:
            return None
        return next((ticket for ticket in self.waiting if ticket.is_short or not only_short), None)


class FairQueue:
    """Requests of all clients."""

    def __init__(self, limits: ServeLimits) -> None:
        self._limits = limits
        self._clients: dict[str, _Client] = {}
        self._floor = 0.0
        self._news = asyncio.Event()
        self.idle = 0
        """Workers that wait for a request."""

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
        self.idle += 1
        try:
            while (found := self._choose(only_short)) is None:
                self._news.clear()
                await self._news.wait()
        finally:
            self.idle -= 1
        self._remove(found)
        state = self._clients[found.client]
        state.running += 1
        self._floor = max(self._floor, state.spent)
        return found

    def done(self, ticket: Ticket, seconds: float, cost: float) -> None:
        """Write down how long a worker was busy with a request, and what that cost in processor time."""
        state = self._clients[ticket.client]
        state.running -= 1
        state.spent += seconds
        if cost >= self._limits.slow_seconds:
            state.slow_until = time.monotonic() + self._limits.slow_memory

    def put_back(self, ticket: Ticket) -> None:
        """Give a request that was not short to the other workers, before what its client sent later."""
        ticket.is_short = False
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

    def _choose(self, only_short: bool) -> Ticket | None:
        now = time.monotonic()
        least: tuple[float, Ticket] | None = None
        for state in self._clients.values():
            first = state.first(only_short, now) if state.waiting else None
            if first and (least is None or state.spent < least[0]):
                least = state.spent, first
        return least[1] if least else None

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
