"""All that one peer has with one other: requests both ways, and the streams that it follows.

When the other is gone the link is thrown away, and with it everything that was kept for it.
"""

from collections.abc import Mapping

from server.bus.bus import Handler
from server.bus.packets import (
    HEAD,
    LARGEST,
    Answer,
    Ask,
    Cut,
    Event,
    Item,
    Last,
    NoStream,
    Packet,
    Renew,
    Still,
    encode,
    size_of,
)
from server.bus.requests import Receiver, Sender
from server.bus.streams import FollowedStreams

AT_ONCE = 12
"""Packets to a peer at once: what it asked for beyond that is left out, as a courier may lose it.

They are less than may wait to be sent, and more than the requests that a peer may have open.
"""


class Link:
    """What this peer knows of `peer`; `life` is 0 until something has been heard of it.

    The requests to it are numbered from `first`.
    """

    def __init__(self, peer: str, handlers: Mapping[str, Handler[bytes]], first: int) -> None:
        self.peer = peer
        self.life = 0
        self.until = 0.0
        self.is_awaited = False
        """Whether it was not heard since this peer itself was away."""
        self.greet = False
        """Whether to send a packet even if there is nothing to say: it tells our life."""
        self.items: list[Item] = []
        self.sender = Sender(self.items.append, first)
        self.followed = FollowedStreams(self.items.append)
        self.receiver: Receiver | None = None
        self._handlers = handlers

    @property
    def kept(self) -> int:
        """How many requests, answers and followed streams are kept."""
        answers = 0 if self.receiver is None else len(self.receiver)
        return len(self.sender) + len(self.followed) + answers

    def restart(self, life: int, now: float) -> None:
        """Begin anew: the peer has begun a life, its first or another."""
        first, self.life = not self.life, life
        self.receiver = None
        if not first:
            self.sender.restart(now)
            self.followed.repeat(now)

    def repeat(self, now: float) -> None:
        """Send again what has no answer: the courier may have lost everything."""
        self.sender.repeat(now)
        self.followed.repeat(now)

    def tick(self, now: float) -> None:
        """Send again what is due."""
        self.sender.tick(now)
        self.followed.tick(now)

    def end(self) -> None:
        """Give everything up: the peer is gone."""
        self.sender.end()
        self.followed.end()
        self.items.clear()

    def receive(self, item: Item, now: float, token: int) -> None:
        """Take an item that is not about a stream of this peer; `token` is for a new receiver."""
        match item:
            case Ask():
                if self.receiver is None:
                    self.receiver = Receiver(self.peer, self.items.append, token, self._handlers)
                self.receiver.ask(item)
            case Still():
                if self.receiver is not None:
                    self.receiver.forget_but(item)
            case Answer():
                self.sender.answer(item)
            case Renew():
                self.sender.renew(item.token, now)
            case Event():
                self.followed.event(item, now)
            case Last():
                self.followed.last(item, now)
            case Cut():
                self.followed.cut(item, now)
            case NoStream():
                self.followed.ended(item.stream)
            case _:
                pass

    def packets(self, name: str, life: int) -> list[bytes]:
        """What waits, as few packets as it fits into."""
        items = self.items.copy()
        self.items.clear()
        packets: list[list[Item]] = [[]] if items or self.greet else []
        self.greet = False
        size = HEAD
        for item in items:
            size += (more := size_of(item))
            if size > LARGEST:
                if len(packets) == AT_ONCE:
                    break
                packets.append([])
                size = HEAD + more
            packets[-1].append(item)
        return [encode(Packet(name, life, self.life, part)) for part in packets]
