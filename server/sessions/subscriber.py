"""A client as tables and lists of tables know it: what it reads, and how it is told something."""

from collections.abc import Iterable
from typing import Protocol

from protocol.codec import Codec
from protocol.wire_form import WireForm
from server.names import Player
from server.sessions.session import SessionIdentity


class Subscriber(Protocol):
    """What tables use of a `Connection` whose player was welcomed."""

    words: tuple[int, ...]
    """The numbers of the lists of words that it was told."""

    @property
    def player(self) -> Player:
        """Who reads it."""
        ...

    @property
    def identity(self) -> SessionIdentity:
        """The program that they read it with."""
        ...

    @property
    def codec(self) -> Codec:
        """What messages are encoded with."""
        ...

    @property
    def features(self) -> frozenset[str]:
        """What the program has asked to be sent."""
        ...

    @property
    def legends(self) -> set[str]:
        """The digests of the legends that it has."""
        ...

    def tell(self, message: WireForm) -> None:
        """Add a message to the frame that is sent next."""
        ...

    def tell_encoded(self, message: bytes, *, passing: bool = True) -> None:
        """Add an encoded one; slow readers are left out of one that is `passing`."""
        ...

    def put_encoded(self, message: bytes) -> None:
        """Add an encoded one that tells nothing of any table, so that nothing holds it back."""
        ...

    def fail(self, error: Exception | None = None) -> None:
        """Hang up, as the client has missed a message; it reconnects for it."""
        ...


def tell_all(subscribers: Iterable[Subscriber], message: WireForm) -> None:
    """Tell each of these a message, encoded once for each encoding; slow readers are left out.

    One that a fault of ours keeps it from has missed it, and reconnects.
    """
    encoded: dict[str, bytes] = {}
    for subscriber in subscribers:
        try:
            codec = subscriber.codec
            if codec.subprotocol not in encoded:
                encoded[codec.subprotocol] = codec.encode_message(message)
            subscriber.tell_encoded(encoded[codec.subprotocol])
        except Exception as error:
            subscriber.fail(error)
