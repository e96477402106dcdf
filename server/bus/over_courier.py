"""The bus over a courier: one packet to each peer for what gathers in one tick.

The last level of every topic is the name of the sender, ``ROOT/to/RECEIVER/SENDER``: the broker
lets each process publish under its own name only (`access.py`), and packets that are signed with
another are dropped.

Logic without I/O: time comes by `now` and `tick`, and `soon` runs the sending of what has gathered
once the event loop has done what it is doing. `run` is the thin shell.
"""

import asyncio
import re
from collections.abc import Callable, Collection

from server.bus.bus import Answered, Handler, Listener, PresenceListener
from server.bus.courier import Courier, Letter, Presence
from server.bus.link import Link
from server.bus.packets import (
    HEAD,
    BadPacket,
    Follow,
    Item,
    Leave,
    Packet,
    decode,
    encode,
)
from server.bus.requests import FIRST_PAUSE, OpenRequest
from server.bus.streams import OwnedStreams
from server.ops.isolation import forever, isolated

NAMES = re.compile(r"[A-Za-z0-9_.-]{1,64}")
BEAT = 5.0
"""Seconds between two words of every peer to all that it is there."""
EXPIRY = 4 * BEAT
"""How long a peer is kept of which nothing is heard, while this one can hear anybody at all."""
GRACE = 3.0
"""How long a peer is kept after its last will: its connection may have been lost, no more."""
TICK = 0.05
MOST_WAITING = 65_536
"""While so many items wait for a peer, no more is read of what it asks."""


def presence(root: str, name: str, life: int) -> Presence:
    """What a courier has to say of a peer; nothing is left at the broker when it is gone."""
    topic = f"{root}/alive/{name}"
    return Presence(
        birth=Letter(topic, encode(Packet(name, life, 0, [])), retain=True),
        will=Letter(topic, b"", retain=True),
    )


class CourierBus:
    """One peer, as `name`; `life` has to be larger than that of any earlier process so called.

    `ValueError` if a name does not fit into a topic.
    """

    def __init__(
        self,
        courier: Courier,
        root: str,
        name: str,
        life: int,
        now: Callable[[], float],
        soon: Callable[[Callable[[], None]], object],
        grace: float = GRACE,
    ) -> None:
        self._courier = courier
        self._root = root
        self._name = _checked(name)
        self._life = life
        self._now = now
        self._soon = soon
        self._grace = grace
        self._gathering = False
        self._beat_at = now() + BEAT
        self._ticked_at = now()
        self._tokens = 0
        self._first = 1
        self._links: dict[str, Link] = {}
        self._alive: dict[str, None] = {}
        self._handlers: dict[str, Handler[bytes]] = {}
        self._presence: list[PresenceListener] = []
        self._owned = OwnedStreams(self._put, now)
        self.bad_packets = 0
        self.packets_sent = 0
        courier.subscribe(f"{root}/to/{name}/+", self._received)
        courier.subscribe(f"{root}/alive/+", self._heard_presence)
        courier.on_connect(self._reconnected)

    @property
    def name(self) -> str:
        """What others call this peer."""
        return self._name

    @property
    def alive(self) -> Collection[str]:
        """The names of the other peers that are there."""
        return self._alive.keys()

    @property
    def kept(self) -> int:
        """How much is kept for others: links, and what is in them, and followers."""
        links = sum(1 + link.kept for link in self._links.values())
        return links + self._owned.followers

    @property
    def repeated(self) -> int:
        """How many requests were sent again."""
        return sum(link.sender.repeated for link in self._links.values())

    def handle(self, port: str, handler: Handler[bytes]) -> None:
        """Carry out the requests that others send to `port`, each at most once."""
        self._handlers[port] = handler

    def send(
        self, peer: str, port: str, request: bytes, answered: Answered[bytes], seconds: float
    ) -> None:
        """Send a request until it is answered, `seconds` are over, or the peer is gone."""
        now = self._now()
        opened = OpenRequest(port, request, answered, now + seconds, now, FIRST_PAUSE)
        self._link(peer).sender.send(opened, now)
        self._gather()

    def open_stream(self, stream: str, last: int = 0, reader: str = "") -> None:
        """Own a stream, whose next event has the number `last + 1`; a `reader` has it alone."""
        self._owned.open(stream, last, reader)
        self._gather()

    def publish(self, stream: str, payload: bytes) -> int:
        """Give an event to everybody who follows a stream of this peer; return its number."""
        number = self._owned.publish(stream, payload)
        self._gather()
        return number

    def close_stream(self, stream: str) -> None:
        """End a stream of this peer; its followers hear so."""
        self._owned.close(stream)
        self._gather()

    def follow(self, peer: str, stream: str, after: int, listener: Listener[bytes]) -> None:
        """Get the events of a peer's stream from number `after + 1` on."""
        self._link(peer).followed.follow(stream, after, listener, self._now())
        self._gather()

    def unfollow(self, peer: str, stream: str) -> None:
        """Get no more events of a peer's stream."""
        if peer in self._links:
            self._links[peer].followed.unfollow(stream)
            self._gather()

    def on_presence(self, listener: PresenceListener) -> None:
        """Call `listener` when another peer comes or is gone."""
        self._presence.append(listener)

    async def run(self) -> None:
        """Run the courier and the time until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._courier.run())
            tasks.create_task(forever("bus_tick_failed", self._tick_later))

    async def _tick_later(self) -> None:
        await asyncio.sleep(TICK)
        self.tick()

    def tick(self) -> None:
        """Do what is due: repeat, say last numbers, forget the gone, say that this peer is here."""
        now = self._now()
        if not self._courier.connected or now - self._ticked_at > BEAT:
            # It is this peer that was away, or stood still: the others may be there.
            self._expect_all(now)
        self._ticked_at = now
        for link in tuple(self._links.values()):
            if now >= link.until:
                self._end(link)
            else:
                link.tick(now)
        self._owned.tick(now)
        if now >= self._beat_at:
            self._beat_at = now + BEAT
            here = presence(self._root, self._name, self._life).birth
            self._courier.publish(here.topic, here.payload, retain=True)
        self._gather()

    def _link(self, peer: str) -> Link:
        """The link with a peer, of which perhaps nothing has been heard yet."""
        link = self._links.get(peer)
        if link is None:
            link = self._links[peer] = Link(_checked(peer), self._handlers, self._first)
            link.until = self._now() + EXPIRY
        return link

    def _put(self, peer: str, item: Item) -> None:
        self._link(peer).items.append(item)

    def _gather(self) -> None:
        """Send what has gathered, once everything else that is to be done now is done."""
        if not self._gathering:
            self._gathering = True
            self._soon(self._flush)

    def _flush(self) -> None:
        self._gathering = False
        for link in tuple(self._links.values()):
            if link.items or link.greet:
                for packet in link.packets(self._name, self._life):
                    self.packets_sent += 1
                    topic = f"{self._root}/to/{link.peer}/{self._name}"
                    self._courier.publish(topic, packet)

    def _decoded(self, topic: str, payload: bytes) -> Packet | None:
        """The packet of another peer; None if it is bad, or not for this life, or of a past one.

        A packet whose sender is not the one that its topic names is bad.
        """
        try:
            packet = decode(payload)
            _checked(packet.sender)
        except (BadPacket, ValueError):
            self.bad_packets += 1
            return None
        if packet.sender != _last_level(topic):
            self.bad_packets += 1
            return None
        if packet.sender == self._name:
            return None
        link = self._heard(packet)
        if link is None:
            return None
        if packet.receiver not in (0, self._life):
            link.greet = True
            self._gather()
            return None
        return packet

    def _heard(self, packet: Packet) -> Link | None:
        """The link with the sender of a packet, whose life may be new; None for a past life."""
        now = self._now()
        link = self._link(packet.sender)
        if packet.life < link.life or not packet.life:
            return None
        link.until = now + EXPIRY
        link.is_awaited = False
        if packet.life > link.life:
            known = bool(link.life)
            self._owned.forget(packet.sender)
            link.restart(packet.life, now)
            if known:
                self._tell_presence(packet.sender, here=False)
            self._alive[packet.sender] = None
            self._tell_presence(packet.sender, here=True)
            self._gather()
        return link

    def _received(self, topic: str, payload: bytes) -> None:
        packet = self._decoded(topic, payload)
        if packet is None:
            return
        now = self._now()
        for item in packet.items:
            link = self._link(packet.sender)
            if len(link.items) > MOST_WAITING:
                break
            match item:
                case Follow():
                    self._owned.follow(packet.sender, item)
                case Leave():
                    self._owned.leave(packet.sender, item.stream)
                case _:
                    if link.receiver is None:
                        self._tokens += 1
                    link.receive(item, now, self._tokens)
        self._gather()

    def _heard_presence(self, topic: str, payload: bytes) -> None:
        if len(payload) > HEAD:
            # Everybody hears it, and it is no more than a head.
            self.bad_packets += 1
            return
        if payload:
            self._decoded(topic, payload)
            return
        link = self._links.get(_last_level(topic))
        if link is not None and not link.is_awaited:
            link.until = min(link.until, self._now() + self._grace)

    def _expect_all(self, now: float) -> None:
        """Give every peer time to come back, whatever the broker says of its old connection."""
        for link in self._links.values():
            link.until = now + EXPIRY
            link.is_awaited = True

    def _reconnected(self) -> None:
        now = self._now()
        self._expect_all(now)
        for link in self._links.values():
            link.repeat(now)
        self._gather()

    def _end(self, link: Link) -> None:
        """Keep nothing of a peer that is gone."""
        del self._links[link.peer]
        # The other may still keep answers to the requests of this link.
        self._first = max(self._first, link.sender.next)
        self._owned.forget(link.peer)
        link.end()
        if link.peer in self._alive:
            del self._alive[link.peer]
            self._tell_presence(link.peer, here=False)

    def _tell_presence(self, peer: str, *, here: bool) -> None:
        for listener in self._presence:
            with isolated("listener_failed"):
                listener(peer, here)


def _last_level(topic: str) -> str:
    return topic.rpartition("/")[2]


def _checked(name: str) -> str:
    """A name that is a level of a topic. `ValueError` for any other."""
    if not NAMES.fullmatch(name):
        raise ValueError(f"{name!r} is no name on the bus")
    return name
