"""What carries messages between processes, as the rest of the server knows it.

A courier may lose, repeat and reorder messages, whatever quality of service it is asked for
(docs/adr/0022). Whoever needs more numbers its messages and asks again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Handler: TypeAlias = Callable[[str, bytes], None]
"""Gets the topic and the payload of a message; runs in the event loop and may not wait."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message for everybody who subscribes to `topic`; with `retain` also those to come."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 0


@dataclass(frozen=True, slots=True)
class Presence:
    """What a courier says of its own process: `birth` after each connect, `will` when it is gone.

    The broker sends the will if it loses the process; the courier sends it itself when it ends.
    """

    birth: Letter
    will: Letter


@dataclass(slots=True)
class Counters:
    """What a courier has done since it was made."""

    published: int = 0
    """Messages handed to the broker."""
    received: int = 0
    """Messages given to handlers."""
    dropped: int = 0
    """Messages thrown away, the oldest first, because too many waited or one was too large."""
    connects: int = 0

    @property
    def reconnects(self) -> int:
        """Connections after the first."""
        return max(0, self.connects - 1)


class Courier(Protocol):
    """Publishes and subscribes; nothing here waits, raises for a fault of the network, or blocks.

    What is published without a connection waits, within bounds.
    """

    @property
    def connected(self) -> bool:
        """Whether the broker has accepted the connection and, so far as known, still holds it."""

    @property
    def counters(self) -> Counters:
        """What it has done so far."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """Send `payload` to everybody who subscribes to `topic`."""

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Give `handler` what arrives for a filter, after every reconnect too.

        Filters are those of MQTT: `+` stands for one level, `#` at the end for all that follow. One
        handler a filter; where filters overlap, a handler may get a message several times.
        """

    def unsubscribe(self, topic_filter: str) -> None:
        """Give nothing more to the handler of a filter."""

    def on_connect(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each connect, once subscriptions and presence stand again.

        A broker that was restarted has forgotten what it retained: publish it again here.
        """

    async def run(self) -> None:
        """Keep the connection until cancelled; then say goodbye, within a limit of time."""
