"""The bus as the rest of the server knows it: commands, streams and presence.

`local.py` keeps this interface within one process: payloads are any values, handed on as they are.
Everything here is called in the event loop, returns at once and may call back before it returns.
"""

import asyncio
from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)


class Failure(StrEnum):
    """Why a request has no answer."""

    UNANSWERED = "unanswered"
    """The time is over; whether it was carried out is not known."""
    LOST = "lost"
    """Its receiver was restarted or has forgotten it; whether it was carried out is not known."""
    FAULT = "fault"
    """Its receiver has no handler for it, or the handler raised."""
    FULL = "full"
    """Too many requests to this peer are open; it was not sent."""
    TOO_LARGE = "too_large"
    """It was not sent, or the answer could not be."""


class BusError(Exception):
    """A request failed; `code` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.code = failure


Answered: TypeAlias = Callable[[P | Failure], None]
"""Gets the answer to a request, or why there is none; called exactly once."""
Reply: TypeAlias = Callable[[P], None]
"""Answers a request; may be called later, and only the first call counts."""
Handler: TypeAlias = Callable[[str, P, Callable[[P], None]], None]
"""Carries out what the peer of this name requests."""
PresenceListener: TypeAlias = Callable[[str, bool], None]
"""Gets the name of a peer and whether it is there now."""


class Listener(Protocol[P_contra]):
    """Follows a stream: every number once and in order, except those that it is told it missed."""

    def event(self, number: int, payload: P_contra) -> None:
        """The next event of the stream."""

    def missed(self, last: int) -> None:
        """The events up to `last` are no longer kept: take a snapshot; the next is `last + 1`."""

    def ended(self) -> None:
        """The owner has no such stream (any more); it is not followed any longer."""


class Bus(Protocol[P]):
    """One peer on the bus: a role of the process."""

    @property
    def name(self) -> str:
        """What others call this peer."""

    def handle(self, port: str, handler: Handler[P]) -> None:
        """Carry out the requests that others send to `port` of this peer, each at most once."""

    def send(self, peer: str, port: str, request: P, answered: Answered[P], seconds: float) -> None:
        """Send a request to a peer: it is repeated until it is answered, carried out once."""

    def open_stream(self, stream: str, last: int = 0, reader: str = "") -> None:
        """Own a stream, whose next event has the number `last + 1`.

        With a `reader` nobody but this peer may follow it: for others there is no such stream.
        """

    def publish(self, stream: str, payload: P) -> int:
        """Give an event to everybody who follows a stream of this peer; return its number."""

    def close_stream(self, stream: str) -> None:
        """End a stream of this peer; its followers hear so."""

    def follow(self, peer: str, stream: str, after: int, listener: Listener[P]) -> None:
        """Get the events of a peer's stream from number `after + 1` on."""

    def unfollow(self, peer: str, stream: str) -> None:
        """Get no more events of a peer's stream."""

    @property
    def alive(self) -> Collection[str]:
        """The names of the other peers that are there."""

    def on_presence(self, listener: PresenceListener) -> None:
        """Call `listener` when another peer comes or is gone."""


async def ask(bus: Bus[P], peer: str, port: str, request: P, seconds: float) -> P:
    """The answer of `peer` to a request. `BusError` if there is none."""
    future: asyncio.Future[P | Failure] = asyncio.get_running_loop().create_future()

    def answered(result: P | Failure) -> None:
        if not future.done():
            future.set_result(result)

    bus.send(peer, port, request, answered, seconds)
    result = await future
    if isinstance(result, Failure):
        raise BusError(result)
    return result
