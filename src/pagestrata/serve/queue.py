"""A fair queue: the client that has used the least worker time is next, so that no client can delay the others.

It implements start-time fair queuing over the seconds of workers. Everything runs in the event loop, without locks.
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

MAX_CLIENTS: Final = 1_000
"""Clients whose state is kept; idle ones are removed first."""
TRUSTED_AFTER: Final = 50
"""Fast requests in a row after which one slow request has no effect: the machine may have been slow."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A request in the queue."""

    client: str
    task: Task
    reply: "asyncio.Future[Reply]"
    is_short: bool
    expires: float
    """The time, on the clock of the event loop, at which it is refused."""
    expiry: asyncio.TimerHandle | None = None
    """The timer that refuses it; None unless it waits."""
    in_short_worker: bool = False
    """Whether a worker for short jobs has taken it."""
    was_put_back: bool = False
    """Whether it was too long for a worker for short jobs."""


@dataclass(slots=True)
class _Client:
    spent: float
    """Seconds of workers that it has used, plus the floor at the time of its first request."""
    fast_requests: int = 0
    """Requests since the last slow one."""
    slow_until: float = 0.0
    waiting: deque[Ticket] = field(default_factory=deque)
    running: int = 0
    running_short: int = 0
    """Running requests in workers for short jobs."""

    @property
    def is_idle(self) -> bool:
        return not self.waiting and not self.running


class FairQueue:
    """The waiting requests of all clients."""

    def __init__(self, limits: ServeLimits, short_workers: int = 1) -> None:
        self._limits = limits
        self._max_running_short = max(1, short_workers - 1)  # one client never uses all of them
        self._clients: dict[str, _Client] = {}
        self._floor = 0.0
        self._changed = asyncio.Event()
        self.idle = 0
        """Workers that wait for a request."""
        self._idle_short = 0

    def __len__(self) -> int:
        return sum(len(client.waiting) for client in self._clients.values())

    def put(self, client: str, task: Task, patience: float) -> Ticket:
        """Add a request that may wait for `patience` seconds; raise `Refused` if the queue is full."""
        if len(self) >= self._limits.queue:
            raise Refused("busy")
        state = self._state(client)
        loop = asyncio.get_running_loop()
        size = len(task.body) + (len(task.page.markup) if task.page else 0)
        expires = loop.time() + patience
        ticket = Ticket(client, task, loop.create_future(), size <= self._limits.short_bytes, expires)
        state.waiting.append(ticket)
        self._announce(ticket)
        return ticket

    def drop(self, ticket: Ticket) -> None:
        """Remove a request whose client has disconnected; a request that a worker has taken is not stopped."""
        if ticket.expiry is not None:
            self._remove(ticket)

    async def take(self, only_short: bool) -> Ticket:
        """Wait for the next request that a worker may take."""
        with self._idling(only_short):
            while (ticket := self._choose(only_short)) is None:
                self._changed.clear()
                await self._changed.wait()
        self._remove(ticket)
        ticket.in_short_worker = only_short
        state = self._clients[ticket.client]
        state.running += 1
        state.running_short += only_short
        self._floor = max(self._floor, state.spent)
        self._changed.set()  # requests that were left to this worker may now be taken by others
        return ticket

    def done(self, ticket: Ticket, seconds: float, cost: float) -> None:
        """Record how long a worker was busy with a request, and its processor time."""
        state = self._clients[ticket.client]
        state.running -= 1
        state.running_short -= ticket.in_short_worker
        state.spent += seconds
        if cost < self._limits.slow_seconds:
            state.fast_requests += 1
            if ticket.was_put_back:  # it was slow only in its first worker: the machine was slow
                state.slow_until = 0.0
            return
        if state.fast_requests < TRUSTED_AFTER:
            state.slow_until = time.monotonic() + self._limits.slow_client_seconds
        state.fast_requests = 0

    def put_back(self, ticket: Ticket) -> None:
        """Return a request that was not short to the queue, for the other workers and before later requests."""
        ticket.is_short, ticket.was_put_back = False, True
        self._clients[ticket.client].waiting.appendleft(ticket)
        self._announce(ticket)

    def _announce(self, ticket: Ticket) -> None:
        ticket.expiry = asyncio.get_running_loop().call_at(ticket.expires, self._expire, ticket)
        self._changed.set()

    def _remove(self, ticket: Ticket) -> None:
        if ticket.expiry is not None:  # a running timer keeps the body in memory
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
        best: tuple[float, Ticket] | None = None
        for state in self._clients.values():
            first = self._first(state, only_short, now) if state.waiting else None
            if first and (best is None or state.spent < best[0]):
                best = state.spent, first
        return best[1] if best else None

    def _first(self, state: _Client, only_short: bool, now: float) -> Ticket | None:
        """The oldest request that the worker may take; short ones are left to an idle worker for short jobs."""
        may_run_short = now >= state.slow_until and state.running_short < self._max_running_short
        if only_short:
            return next((ticket for ticket in state.waiting if ticket.is_short), None) if may_run_short else None
        is_left = may_run_short and self._idle_short > 0
        return next((ticket for ticket in state.waiting if not (ticket.is_short and is_left)), None)

    def _state(self, client: str) -> _Client:
        """The state of a client; a client that was idle has no more credit than a new one."""
        if client not in self._clients:
            self._remove_idle()
            self._clients[client] = _Client(self._floor)
        state = self._clients[client]
        if state.is_idle:
            state.spent = max(state.spent, self._floor)
        return state

    def _remove_idle(self) -> None:
        if len(self._clients) < MAX_CLIENTS:
            return
        idle = (name for name, state in self._clients.items() if state.is_idle)
        for name in list(itertools.islice(idle, MAX_CLIENTS // 2)):
            del self._clients[name]
