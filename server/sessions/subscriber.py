"""A client as tables and lists of tables use it."""

from collections.abc import Iterable
from typing import Protocol

from protocol.codec import Codec
from protocol.wire_form import WireForm
from server.names import Player
from server.sessions.session import SessionIdentity


class Subscriber(Protocol):
    """The part of a welcomed `Connection` that tables use."""

    words: tuple[int, ...]
    """The numbers of the lists of words that it was told."""
    tables: tuple[str, ...]
    """The tables that it follows."""

    @property
    def player(self) -> Player:
        """The player of the connection."""
        ...

    @property
    def identity(self) -> SessionIdentity:
        """The player's identity with their program."""
        ...

    @property
    def codec(self) -> Codec:
        """The encoding of messages."""
        ...

    @property
    def features(self) -> frozenset[str]:
        """The features that the program has requested."""
        ...

    @property
    def legends(self) -> set[str]:
        """The digests of the legends that the program has."""
        ...

    def tell(self, message: WireForm) -> None:
        """Add a message to the next frame."""
        ...

    def tell_encoded(self, message: bytes, *, passing: bool = True) -> None:
        """Add an encoded message; slow readers do not get a `passing` one."""
        ...

    def put_encoded(self, message: bytes) -> None:
        """Add an encoded message about no table, which is never held back."""
        ...

    def fail(self, error: Exception | None = None) -> None:
        """Hang up, as the client has missed a message; it reconnects for it."""
        ...


def tell_all(subscribers: Iterable[Subscriber], message: WireForm) -> None:
    """Send each of these a message, encoded once for each encoding, but not to slow readers.

    A client that misses it by a fault of the server reconnects.
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
