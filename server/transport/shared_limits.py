"""Limits of addresses that hold over all gateways: each counts, and tells the others once a second.

A gateway tells a node with tables, which tells the other gateways. It names the addresses that have
used more than a small share of what they may: what is not told of an address adds up to no more
than a quarter of its limit. What is told is charged at every other gateway, so who was let in too
often within a second owes it everywhere. A message that is lost, or a gateway that hears of nobody,
costs exactness alone: each still keeps the limits by itself.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from heapq import nlargest

from server.bus.bus import Bus, Failure
from server.crossing.encoding import Message
from server.crossing.names import GATEWAY, role_of
from server.crossing.parcels import CountedElsewhere
from server.crossing.requests import LINKS, Counted, Use
from server.transport.address_limits import AddressLimits

BEAT_SECONDS = 1.0
HELD_SECONDS = 5.0
"""After so long without a word, the connections at another gateway count no more."""
PARTS = 4
"""What all gateways together do not tell of an address is at most this part of its limit."""
MOST = 1000
"""Addresses in one message, some 40 KiB."""
LONGEST_SECONDS = 10.0
"""Of one beat, for what an address may use meanwhile; where the process stood still, it is more."""

Used = defaultdict[str, float]


class SharedLimits:
    """Keeps `limits` together with the other gateways on `bus`.

    `home` names the node that tells them, or is "". `shed` closes so many connections of an
    address. `now` is the clock of budgets, `clock` that of arrivals, both in seconds.
    """

    def __init__(
        self,
        limits: AddressLimits,
        bus: Bus[Message],
        home: Callable[[str], str],
        shed: Callable[[str, int], None],
        now: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        self._limits = limits
        self._bus = bus
        self._home = home
        self._shed = shed
        self._now = now
        self._clock = clock
        # With when they were told.
        self._held: dict[str, tuple[float, dict[str, int]]] = {}
        self._arrived, self._pages, self._messages = Used(float), Used(float), Used(float)
        self._beaten = now()
        self._has_told = False
        limits.arrivals.on_take = partial(_add, self._arrived)
        limits.pages.on_take = partial(_add, self._pages)
        limits.messages.on_take = partial(_add, self._messages)
        bus.on_presence(self._presence)

    async def run(self) -> None:
        """Tell the others once."""
        await asyncio.sleep(BEAT_SECONDS)
        self.beat()

    def beat(self) -> None:
        """Tell the other gateways what addresses have used since the last time."""
        now = self._now()
        for gateway in [name for name, (at, _) in self._held.items() if now - at > HELD_SECONDS]:
            self._forget(gateway)
        others = sum(role_of(peer) == GATEWAY for peer in self._bus.alive)
        uses = self._uses(now, others + 1) if others else ()
        self._beaten = now
        for used in (self._arrived, self._pages, self._messages):
            used.clear()
        home = self._home(self._bus.name)
        # That there is nothing to tell any more is told once.
        if home and (uses or self._has_told):
            told = Counted(self._bus.name, uses)
            self._bus.send(home, LINKS, told, _nobody_waits, HELD_SECONDS)
            self._has_told = bool(uses)

    def learn(self, told: CountedElsewhere) -> None:
        """Another gateway has counted so much."""
        if told.gateway == self._bus.name:
            return
        now, limits = self._now(), self._limits
        self._forget(told.gateway)
        # No gateway lets in more than that by itself.
        held = {use.address: min(use.held, limits.most) for use in told.uses if use.held}
        self._held[told.gateway] = now, held
        limits.elsewhere.update(held)
        for use in told.uses:
            limits.arrivals.charge(use.address, use.arrived, self._clock())
            limits.pages.charge(use.address, use.pages, now)
            limits.messages.charge(use.address, use.messages, now)
            if limits.most and use.held:
                self._make_room(use.address)

    def _uses(self, now: float, gateways: int) -> tuple[Use, ...]:
        """What is worth telling: the most that any address has used, if that is too much."""
        limits, seconds = self._limits, min(now - self._beaten, LONGEST_SECONDS)
        of_each: tuple[tuple[Mapping[str, float], float], ...] = (
            (limits.held, limits.most),
            (self._arrived, limits.arrivals.rate * seconds),
            (self._pages, limits.pages.rate * seconds),
            (self._messages, limits.messages.rate * seconds),
        )
        weights: dict[str, float] = {}
        for used, allowed in of_each:
            if allowed:
                least = allowed / (PARTS * gateways)
                for address, amount in used.items():
                    if amount > least:
                        weights[address] = max(amount / allowed, weights.get(address, 0.0))
        heaviest = nlargest(MOST, weights, key=lambda address: weights[address])
        return tuple(
            Use(
                address,
                limits.held[address],
                self._arrived.get(address, 0.0),
                self._pages.get(address, 0.0),
                self._messages.get(address, 0.0),
            )
            for address in heaviest
        )

    def _make_room(self, address: str) -> None:
        """Close what an address has too much: those that have most close so many as are too many.

        So whatever one gateway says, another one keeps what would be its part if all had as many.
        """
        own, left = self._limits.held[address], self._limits.most
        if own + self._limits.elsewhere[address] <= left or not own:
            return
        each = [(held.get(address, 0), name) for name, (_, held) in self._held.items()]
        each = sorted([*each, (own, self._bus.name)])
        for number, (held, name) in enumerate(each):
            # Rounded up, so that whoever has closed some already need not close another one.
            stay = min(held, -(-left // (len(each) - number)))
            left -= stay
            if name == self._bus.name and held > stay:
                self._shed(address, held - stay)

    def _forget(self, gateway: str) -> None:
        """The connections at another gateway count no more."""
        _, held = self._held.pop(gateway, (0.0, {}))
        self._limits.elsewhere -= Counter(held)

    def _presence(self, peer: str, here: bool) -> None:
        if not here:
            self._forget(peer)


def _add(used: Used, address: str, amount: float) -> None:
    used[address] += amount


def _nobody_waits(answer: Message | Failure) -> None:
    pass
