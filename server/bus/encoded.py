"""A bus of values on a bus of bytes: each payload is encoded before it is sent, decoded after."""

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from server.bus.bus import Answered, Bus, Failure, Handler, Listener, PresenceListener

P = TypeVar("P")


class EncodedBus(Generic[P]):
    """The peer that `bus` is, for whom payloads are values that `encode` and `decode` know.

    `decode` raises for what no `encode` made. Such a request is not carried out and fails as one
    whose handler raised; such an answer is a `FAULT`, and such an event is logged and left out.
    """

    def __init__(
        self, bus: Bus[bytes], encode: Callable[[P], bytes], decode: Callable[[bytes], P]
    ) -> None:
        self._bus = bus
        self._encode = encode
        self._decode = decode

    @property
    def name(self) -> str:
        """What others call this peer."""
        return self._bus.name

    @property
    def alive(self) -> Collection[str]:
        """The names of the other peers that are there."""
        return self._bus.alive

    def handle(self, port: str, handler: Handler[P]) -> None:
        """Carry out the requests that others send to `port`."""

        def carry_out(sender: str, request: bytes, reply: Callable[[bytes], None]) -> None:
            handler(sender, self._decode(request), lambda answer: reply(self._encode(answer)))

        self._bus.handle(port, carry_out)

    def send(self, peer: str, port: str, request: P, answered: Answered[P], seconds: float) -> None:
        """Send a request to a peer."""
        self._bus.send(peer, port, self._encode(request), self._answered(answered), seconds)

    def open_stream(self, stream: str, last: int = 0, reader: str = "") -> None:
        """Own a stream, whose next event has the number `last + 1`; a `reader` has it alone."""
        self._bus.open_stream(stream, last, reader)

    def publish(self, stream: str, payload: P) -> int:
        """Give an event to everybody who follows a stream of this peer; return its number."""
        return self._bus.publish(stream, self._encode(payload))

    def close_stream(self, stream: str) -> None:
        """End a stream of this peer."""
        self._bus.close_stream(stream)

    def follow(self, peer: str, stream: str, after: int, listener: Listener[P]) -> None:
        """Get the events of a peer's stream from number `after + 1` on."""
        self._bus.follow(peer, stream, after, _Decoding(listener, self._decode))

    def unfollow(self, peer: str, stream: str) -> None:
        """Get no more events of a peer's stream."""
        self._bus.unfollow(peer, stream)

    def on_presence(self, listener: PresenceListener) -> None:
        """Call `listener` when another peer comes or is gone."""
        self._bus.on_presence(listener)

    def _answered(self, answered: Answered[P]) -> Answered[bytes]:
        def decoded(answer: bytes | Failure) -> None:
            if isinstance(answer, Failure):
                answered(answer)
                return
            try:
                value = self._decode(answer)
            except Exception:
                answered(Failure.FAULT)
                return
            answered(value)

        return decoded


class _Decoding(Generic[P]):
    """Gives a listener what the events of a stream were made from."""

    def __init__(self, listener: Listener[P], decode: Callable[[bytes], P]) -> None:
        self._listener = listener
        self._decode = decode

    def event(self, number: int, payload: bytes) -> None:
        self._listener.event(number, self._decode(payload))

    def missed(self, last: int) -> None:
        self._listener.missed(last)

    def ended(self) -> None:
        self._listener.ended()
