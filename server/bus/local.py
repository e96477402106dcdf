"""The bus within one process: calls, and nothing in between. Payloads are handed on as they are."""

from collections.abc import Collection
from typing import Generic, TypeVar

import structlog

from server.bus.bus import Answered, Failure, Handler, Listener, PresenceListener
from server.ops.isolation import isolated

P = TypeVar("P")
log = structlog.get_logger()


class Hub(Generic[P]):
    """Where the peers of one process find each other."""

    def __init__(self) -> None:
        self.peers: dict[str, LocalBus[P]] = {}

    def join(self, name: str) -> "LocalBus[P]":
        """A new peer; the others are told. One of the same name is gone."""
        self.leave(name)
        bus = LocalBus(self, name)
        for other in self.peers.values():
            other.tell(name, here=True)
        self.peers[name] = bus
        return bus

    def leave(self, name: str) -> None:
        """Let a peer be gone; nothing is kept of it."""
        gone = self.peers.pop(name, None)
        if gone is None:
            return
        gone.take_down()
        for other in self.peers.values():
            other.forget(name)
            other.tell(name, here=False)


class LocalBus(Generic[P]):
    """One peer on a `Hub`. Requests are answered, and events heard, before the call returns."""

    def __init__(self, hub: Hub[P], name: str) -> None:
        self._hub = hub
        self._name = name
        self._handlers: dict[str, Handler[P]] = {}
        # The number of the last event of each stream.
        self._streams: dict[str, int] = {}
        self._readers: dict[str, str] = {}
        self._followers: dict[str, dict[str, Listener[P]]] = {}
        self._presence: list[PresenceListener] = []

    @property
    def name(self) -> str:
        """What others call this peer."""
        return self._name

    @property
    def alive(self) -> Collection[str]:
        """The names of the other peers that are there."""
        return frozenset(self._hub.peers) - {self._name}

    @property
    def kept(self) -> int:
        """How many followers are kept for others."""
        return sum(len(followers) for followers in self._followers.values())

    def handle(self, port: str, handler: Handler[P]) -> None:
        """Carry out the requests that others send to `port`."""
        self._handlers[port] = handler

    def send(self, peer: str, port: str, request: P, answered: Answered[P], seconds: float) -> None:
        """Let `peer` carry a request out now. `LOST` if it is not there."""
        other = self._hub.peers.get(peer)
        if other is None:
            answered(Failure.LOST)
            return
        handler = other._handlers.get(port)
        if handler is None:
            answered(Failure.FAULT)
            return
        # Every move passes by here: no call lies between this one and the handler.
        reply = _Reply(answered)
        try:
            handler(self._name, request, reply)
        except Exception:
            log.exception("request_failed")
            reply(Failure.FAULT)

    def open_stream(self, stream: str, last: int = 0, reader: str = "") -> None:
        """Own a stream, whose next event has the number `last + 1`; a `reader` has it alone."""
        self._streams[stream] = last
        self._readers[stream] = reader

    def publish(self, stream: str, payload: P) -> int:
        """Give an event to everybody who follows a stream; return its number."""
        number = self._streams[stream] = self._streams[stream] + 1
        for listener in tuple(self._followers.get(stream, {}).values()):
            try:
                listener.event(number, payload)
            except Exception:
                log.exception("listener_failed")
        return number

    def close_stream(self, stream: str) -> None:
        """End a stream; its followers hear so."""
        self._streams.pop(stream, None)
        self._readers.pop(stream, None)
        for listener in self._followers.pop(stream, {}).values():
            with isolated("listener_failed"):
                listener.ended()

    def follow(self, peer: str, stream: str, after: int, listener: Listener[P]) -> None:
        """Get the events of a peer's stream from number `after + 1` on."""
        owner = self._hub.peers.get(peer)
        last = None if owner is None else owner._streams.get(stream)
        if owner is None or last is None or owner._readers[stream] not in ("", self._name):
            listener.ended()
            return
        owner._followers.setdefault(stream, {})[self._name] = listener
        if after != last:
            listener.missed(last)

    def unfollow(self, peer: str, stream: str) -> None:
        """Get no more events of a peer's stream."""
        owner = self._hub.peers.get(peer)
        if owner is not None:
            owner._followers.get(stream, {}).pop(self._name, None)

    def on_presence(self, listener: PresenceListener) -> None:
        """Call `listener` when another peer comes or is gone."""
        self._presence.append(listener)

    def tell(self, peer: str, *, here: bool) -> None:
        """Tell the listeners of this peer that another one comes or is gone."""
        for listener in self._presence:
            with isolated("listener_failed"):
                listener(peer, here)

    def forget(self, peer: str) -> None:
        """Keep nothing for a peer that is gone."""
        for followers in self._followers.values():
            followers.pop(peer, None)

    def take_down(self) -> None:
        """End the streams of this peer."""
        for stream in tuple(self._streams):
            self.close_stream(stream)


class _Reply(Generic[P]):
    """Answers a request: the first call counts."""

    __slots__ = ("_answered",)

    def __init__(self, answered: Answered[P]) -> None:
        self._answered: Answered[P] | None = answered

    def __call__(self, answer: P | Failure) -> None:
        answered, self._answered = self._answered, None
        if answered is not None:
            answered(answer)
