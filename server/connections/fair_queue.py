"""A fair queue: when many clients want work done, it is done piece by piece, with pauses between.

    a small message of a connection that sends little, a cheap command ─▶ at once
    everything else                                                   ─▶ waits here

A turn is one small piece of what has arrived, or one expensive command. After a slice of turns the
event loop does everything else for as long again. However many wait here, the other clients have at
least half of the time and wait for one slice at most.
"""

import asyncio
from collections import deque
from typing import Protocol

from server.ops.isolation import isolated

SLICE_SECONDS = 0.001
SLICE_PRICE = 16
"""The price of one slice, as `protocol.prices` counts it: about a millisecond of work."""
MOST_AT_ONCE = 256
"""Small messages that are read at once in one moment; when a crowd sends at once, it waits too."""
MOMENT_SECONDS = 0.001


class Waiter(Protocol):
    """Something that waits for a turn; `wants_more` if it needs another one afterwards."""

    wants_more: bool

    def take_turn(self) -> float:
        """Do one piece of it; its price."""


class FairQueue:
    """Whose turn it is, on the event loop `loop`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Waiter] = deque()
        self._under_way = False
        self._moment = 0.0
        self._in_moment = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def admits_at_once(self, now: float) -> bool:
        """Whether one more small message may be read at once: so many in a millisecond."""
        if now - self._moment >= MOMENT_SECONDS:
            self._moment, self._in_moment = now, 0
        self._in_moment += 1
        return self._in_moment <= MOST_AT_ONCE

    def wait(self, waiting: Waiter) -> None:
        """Call `take_turn` of `waiting` when its turn comes, until it wants no more."""
        self._waiting.append(waiting)
        if not self._under_way:
            self._under_way = True
            self._loop.call_soon(self._serve)

    async def wait_turn(self, price: float) -> None:
        """Return when something of this price may be done: at once, unless others wait."""
        if self._under_way:
            command = _Command(self._loop.create_future(), price)
            self._waiting.append(command)
            await command.come
        else:
            self._under_way = True
            self._loop.call_soon(self._pause, self._loop.time())

    def _serve(self) -> None:
        started, price = self._loop.time(), 0.0
        while self._waiting:
            waiting = self._waiting.popleft()
            # An exception in one turn must not end the turns of others.
            with isolated("turn_failed"):
                price += waiting.take_turn()
                if waiting.wants_more:
                    self._waiting.append(waiting)
            if price >= SLICE_PRICE or self._loop.time() - started > SLICE_SECONDS:
                break
        # Called after the work that the turns have started: it counts for the pause, too.
        self._loop.call_soon(self._pause, started)

    def _pause(self, started: float) -> None:
        if self._waiting:
            self._loop.call_later(self._loop.time() - started, self._serve)
        else:
            self._under_way = False


class _Command:
    """A command whose task continues when its turn has come."""

    wants_more = False

    def __init__(self, come: asyncio.Future[None], price: float) -> None:
        self.come = come
        self._price = price

    def take_turn(self) -> float:
        if self.come.done():
            # The task that waited was cancelled.
            return 0.0
        self.come.set_result(None)
        return self._price
