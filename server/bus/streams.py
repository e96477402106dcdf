"""Streams over a courier: the owner keeps the last events, a follower asks for what is missing.

A follower hears of a lost event by the number of the next one; of the last one, because an idle
stream says its last number now and then, at first soon and then seldom.
"""

from collections.abc import Callable
from heapq import heappop, heappush

from server.bus.bus import Listener
from server.bus.packets import (
    HEAD,
    LARGEST,
    Cut,
    Event,
    Follow,
    Item,
    Last,
    Leave,
    NoStream,
)
from server.bus.stream_log import KEPT_BYTES, StreamLog
from server.ops.isolation import isolated

FIRST_SAID = 0.25
SELDOM = 5.0
"""Seconds until an idle stream says its last number again; they double."""
SILENCE = 12.0
"""After so many seconds a follower asks whether a stream still knows it."""
AHEAD = 256
"""How many events a follower keeps that came before an earlier one."""
AHEAD_BYTES = KEPT_BYTES
"""How much of them: their owner keeps no more either."""
ASK_AGAIN = 0.2
LONGEST_ASK = 5.0

PutTo = Callable[[str, Item], None]
"""Lets an item wait for the next packet to a peer."""


class OwnedStream:
    """A stream of this peer, and who follows it."""

    __slots__ = ("armed", "followers", "log", "pause", "reader", "say_at")

    def __init__(self, last: int, reader: str) -> None:
        self.reader = reader
        """Who alone may follow it; "" if anybody may."""
        self.log: StreamLog[bytes] = StreamLog(last)
        self.followers: dict[str, None] = {}
        self.pause = FIRST_SAID
        self.say_at = 0.0
        """When to say the last number."""
        self.armed = 0.0
        """When to look whether it is time; 0 if nobody will."""


class OwnedStreams:
    """Every stream of this peer."""

    def __init__(self, put: PutTo, now: Callable[[], float]) -> None:
        self._put = put
        self._now = now
        self._streams: dict[str, OwnedStream] = {}
        self._due: list[tuple[float, str]] = []

    @property
    def followers(self) -> int:
        """How many followers are kept."""
        return sum(len(stream.followers) for stream in self._streams.values())

    def open(self, name: str, last: int, reader: str = "") -> None:
        """Begin a stream, or begin it again after number `last`."""
        self.close(name)
        self._streams[name] = OwnedStream(last, reader)

    def publish(self, name: str, payload: bytes) -> int:
        """Number an event and send it to the followers. `ValueError` if it is too large."""
        if len(payload) > LARGEST - HEAD:
            raise ValueError(f"an event of {len(payload)} bytes")
        stream = self._streams[name]
        number = stream.log.append(payload, len(payload))
        if stream.followers:
            event = Event(name, number, payload)
            for peer in stream.followers:
                self._put(peer, event)
            self._say_soon(name, stream)
        return number

    def close(self, name: str) -> None:
        """End a stream, and say so."""
        stream = self._streams.pop(name, None)
        if stream is not None:
            for peer in stream.followers:
                self._put(peer, NoStream(name))

    def follow(self, peer: str, item: Follow) -> None:
        """Send a peer what it has not got, and from now on what comes."""
        stream = self._streams.get(item.stream)
        if stream is None or stream.reader not in ("", peer):
            self._put(peer, NoStream(item.stream))
            return
        stream.followers[peer] = None
        events = stream.log.after(item.after)
        if events is None:
            self._put(peer, Cut(item.stream, stream.log.last, item.after))
        for number, payload in events or ():
            self._put(peer, Event(item.stream, number, payload))
        if not events:
            self._put(peer, Last(item.stream, stream.log.last))
        self._say_soon(item.stream, stream)

    def leave(self, peer: str, name: str) -> None:
        """Send a peer nothing more."""
        stream = self._streams.get(name)
        if stream is not None:
            stream.followers.pop(peer, None)

    def forget(self, peer: str) -> None:
        """Keep nothing for a peer that is gone."""
        for stream in self._streams.values():
            stream.followers.pop(peer, None)

    def tick(self, now: float) -> None:
        """Say the last numbers of streams that have been idle."""
        while self._due and self._due[0][0] <= now:
            due, name = heappop(self._due)
            stream = self._streams.get(name)
            if stream is None or due != stream.armed:
                continue
            if not stream.followers:
                stream.armed = 0.0
                continue
            if now >= stream.say_at:
                for peer in stream.followers:
                    self._put(peer, Last(name, stream.log.last))
                stream.pause = min(SELDOM, 2 * stream.pause)
                stream.say_at = now + stream.pause
            self._arm(name, stream)

    def _say_soon(self, name: str, stream: OwnedStream) -> None:
        stream.pause = FIRST_SAID
        stream.say_at = self._now() + FIRST_SAID
        if not stream.armed or stream.armed > stream.say_at:
            self._arm(name, stream)

    def _arm(self, name: str, stream: OwnedStream) -> None:
        stream.armed = stream.say_at
        heappush(self._due, (stream.armed, name))


class Followed:
    """A stream of another peer, as far as it has been heard."""

    __slots__ = ("ahead", "due", "listener", "pause", "position")

    def __init__(self, after: int, listener: Listener[bytes]) -> None:
        self.position = after
        self.listener = listener
        self.ahead: dict[int, bytes] = {}
        self.due = 0.0
        self.pause = ASK_AGAIN


class FollowedStreams:
    """The streams of one other peer that this one follows."""

    def __init__(self, put: Callable[[Item], None]) -> None:
        self._put = put
        self._followed: dict[str, Followed] = {}

    def __len__(self) -> int:
        return len(self._followed)

    def follow(self, name: str, after: int, listener: Listener[bytes], now: float) -> None:
        """Ask for the events of a stream after a number."""
        self._followed[name] = Followed(after, listener)
        self._ask(name, self._followed[name], now)

    def unfollow(self, name: str) -> None:
        """Want no more events of a stream."""
        if self._followed.pop(name, None) is not None:
            self._put(Leave(name))

    def event(self, item: Event, now: float) -> None:
        """Hand an event on, or keep it until those before it have come."""
        followed = self._heard(item.stream, now)
        if followed is None or item.number <= followed.position:
            return
        if item.number == followed.position + 1 or _has_room(followed.ahead, len(item.payload)):
            followed.ahead[item.number] = item.payload
        self._hand_on(item.stream, followed, now)

    def last(self, item: Last, now: float) -> None:
        """Ask for what is missing up to a number."""
        followed = self._heard(item.stream, now)
        if followed is not None and item.number > followed.position:
            self._ask_soon(item.stream, followed, now)

    def cut(self, item: Cut, now: float) -> None:
        """Go on after a number; what was before is not kept any more.

        A cut that answers an earlier question says nothing about what is missing now.
        """
        followed = self._heard(item.stream, now)
        if followed is None or not item.after == followed.position < item.number:
            return
        followed.position = item.number
        with isolated("listener_failed"):
            followed.listener.missed(item.number)
        self._hand_on(item.stream, followed, now)

    def ended(self, name: str) -> None:
        """Forget a stream that is no more."""
        followed = self._followed.pop(name, None)
        if followed is not None:
            with isolated("listener_failed"):
                followed.listener.ended()

    def end(self) -> None:
        """Forget every stream: the owner is gone."""
        for name in tuple(self._followed):
            self.ended(name)

    def repeat(self, now: float) -> None:
        """Ask for every stream again."""
        for name, followed in self._followed.items():
            followed.pause = ASK_AGAIN
            self._ask(name, followed, now)

    def tick(self, now: float) -> None:
        """Ask again where no word has come."""
        for name, followed in self._followed.items():
            if now >= followed.due:
                self._ask(name, followed, now)

    def _heard(self, name: str, now: float) -> Followed | None:
        followed = self._followed.get(name)
        if followed is None:
            self._put(Leave(name))
            return None
        if not followed.ahead:
            followed.due = now + SILENCE
            followed.pause = ASK_AGAIN
        return followed

    def _hand_on(self, name: str, followed: Followed, now: float) -> None:
        ahead = followed.ahead
        while (payload := ahead.pop(followed.position + 1, None)) is not None:
            followed.position += 1
            with isolated("listener_failed"):
                followed.listener.event(followed.position, payload)
            if self._followed.get(name) is not followed:
                return  # the listener has had enough
        for number in [number for number in ahead if number <= followed.position]:
            del ahead[number]
        if ahead:
            self._ask_soon(name, followed, now)
        else:
            followed.due = now + SILENCE

    def _ask_soon(self, name: str, followed: Followed, now: float) -> None:
        """Ask now, unless that was done a moment ago."""
        if followed.due - now > LONGEST_ASK or now >= followed.due:
            self._ask(name, followed, now)

    def _ask(self, name: str, followed: Followed, now: float) -> None:
        followed.due = now + followed.pause
        followed.pause = min(LONGEST_ASK, 2 * followed.pause)
        self._put(Follow(name, followed.position))


def _has_room(ahead: dict[int, bytes], more: int) -> bool:
    return len(ahead) < AHEAD and sum(map(len, ahead.values())) + more <= AHEAD_BYTES
