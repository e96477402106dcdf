"""A fair queue: the work of many clients is done piece by piece, with pauses between.

    a small message of a connection that sends little, a cheap command ─▶ at once
    everything else: bytes to read         ─▶ a lane ─┐
                     an expensive command  ─▶ a lane ─┴─▶ in turns, a slice at a time

A turn is one small piece of what has arrived, or one expensive command. After a slice of turns the
event loop does everything else for as long again. However many wait here, the other clients have at
least half of the time and wait for one slice at most.

In a lane those go first who have used the least of it, on a clock that runs as the lane is used
(start-time fair queuing, Goyal and others, 1996), and of these those who want the least: all counts
that a client has sent and that is unread. So a crowd that asks for as much as it can waits behind a
client with one request after the other; and reading a small message waits for no crowd's expensive
commands.
"""

import asyncio
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from server.ops.isolation import isolated

SLICE_SECONDS = 0.001
SLICE_PRICE = 16
"""The price of one slice, as `price` of a `Command` counts it: about a millisecond of work."""
MOST_AT_ONCE = 256
"""Small messages that are read at once in one moment; when a crowd sends at once, it waits too."""
MOMENT_SECONDS = 0.001


class Share:
    """One client's use of a lane: `used` is a time on the lane's clock."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        self.used = 0.0


class Waiter(Protocol):
    """An item that waits for a turn; `wants_more` if it needs another one afterwards."""

    wants_more: bool
    share: Share

    @property
    def wanted(self) -> float:
        """The approximate price of all that it waits for."""
        ...

    def take_turn(self) -> float:
        """Do one piece of its work; return the price."""
        ...


class Lane:
    """The queue for one kind of work."""

    def __init__(self) -> None:
        self._clock = 0.0
        self._numbers = count()
        self._waiting: list[tuple[float, int, Waiter]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, waiter: Waiter) -> None:
        """Add a waiter behind those that have used less, or want less."""
        self._begin(waiter.share)
        heappush(self._waiting, (waiter.share.used + waiter.wanted, next(self._numbers), waiter))

    def take(self) -> Waiter:
        """Remove and return the first waiter, whose turn it is."""
        waiter = heappop(self._waiting)[2]
        self._clock = max(self._clock, waiter.share.used)
        return waiter

    def pass_by(self, share: Share, price: float) -> None:
        """Account for work that was done at once."""
        self._begin(share)
        self._clock = max(self._clock, share.used)
        share.used += price

    def _begin(self, share: Share) -> None:
        share.used = max(self._clock, share.used)


class FairQueue:
    """The order of turns, on the event loop `loop`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._reading = Lane()
        self._commands = Lane()
        self._under_way = False
        self._moment = 0.0
        self._in_moment = 0

    def __len__(self) -> int:
        return len(self._reading) + len(self._commands)

    def admits_at_once(self, now: float) -> bool:
        """Whether one more small message may be read at once: a number in a millisecond."""
        if now - self._moment >= MOMENT_SECONDS:
            self._moment, self._in_moment = now, 0
        self._in_moment += 1
        return self._in_moment <= MOST_AT_ONCE

    def wait(self, waiting: Waiter) -> None:
        """Call `take_turn` of `waiting`, which reads, in its turns, until it wants no more."""
        self._reading.put(waiting)
        if not self._under_way:
            self._under_way = True
            self._loop.call_soon(self._serve)

    async def wait_turn(self, price: float, share: Share, behind: float = 0.0) -> None:
        """Return when a command of this price may be done: at once, unless others wait.

        Its client has sent about this many more messages `behind` it.
        """
        if self._under_way:
            command = _Command(self._loop.create_future(), price, share, price * (1 + behind))
            self._commands.put(command)
            await command.come
        else:
            self._commands.pass_by(share, price)
            self._under_way = True
            self._loop.call_soon(self._pause, self._loop.time())

    def _serve(self) -> None:
        started = self._loop.time()
        spent = {self._reading: 0.0, self._commands: 0.0}
        while waited := [lane for lane in spent if lane]:
            lane = min(waited, key=spent.__getitem__)
            spent[lane] += self._take(lane)
            if sum(spent.values()) >= SLICE_PRICE or self._loop.time() - started > SLICE_SECONDS:
                break
        # Called after the work that the turns have started: it counts for the pause, too.
        self._loop.call_soon(self._pause, started)

    def _take(self, lane: Lane) -> float:
        """Let the first waiter of a lane have its turn; return the price."""
        waiting, price = lane.take(), 0.0
        # An exception in one turn must not end the turns of others.
        with isolated("turn_failed"):
            price = waiting.take_turn()
            waiting.share.used += price
            if waiting.wants_more:
                lane.put(waiting)
        return price

    def _pause(self, started: float) -> None:
        if len(self):
            self._loop.call_later(self._loop.time() - started, self._serve)
        else:
            self._under_way = False


class _Command:
    """A command whose task continues when its turn has come."""

    __slots__ = ("_price", "come", "share", "wanted", "wants_more")

    def __init__(
        self, come: asyncio.Future[None], price: float, share: Share, wanted: float
    ) -> None:
        self.come = come
        self.share = share
        self.wanted = wanted
        self.wants_more = False
        self._price = price

    def take_turn(self) -> float:
        if self.come.done():
            # The task that waited was cancelled.
            return 0.0
        self.come.set_result(None)
        return self._price
