"""A gateway's end of what it has with one node: it attaches itself, and hands out what comes.

attach ─▶ the node opens a stream ─▶ batches ─▶ missed or ended: attach again, a moment later
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

import structlog

from server.bus.bus import Bus, Failure
from server.connections.registry import ConnectionRegistry
from server.crossing.parcels import Answered, Batch, Message, OtherParcel, Told, stream_for
from server.crossing.requests import LINKS, SECONDS, Attach, Banning, CaughtUp, Gone
from server.ops.tracing import CAUSE

log = structlog.get_logger()

REPEATABLE = (Gone, CaughtUp, Banning)
"""Requests that may be carried out late, or twice."""


class Nodes(Protocol):
    """What a peer tells of itself."""

    def attached(self, peer: "TablesPeer") -> None:
        """The node is about to send what is for this gateway."""

    def lost(self, peer: "TablesPeer") -> None:
        """The node is gone, or nobody can say what it has sent: nothing may be expected of it."""

    def hand_out(self, peer: "TablesPeer", parcel: OtherParcel) -> None:
        """A parcel has come that is no event, and no answer to a move."""

    def attach_later(self, peer: "TablesPeer") -> None:
        """Call `attach` of the peer in a moment."""

    def later(self, act: Callable[[], None]) -> None:
        """Do something in a moment."""


class TablesPeer:
    """One node with tables, `peer` by its name on the bus. `settle` sends frames that are ready."""

    def __init__(
        self,
        bus: Bus[Message],
        peer: str,
        connections: ConnectionRegistry,
        nodes: Nodes,
        settle: Callable[[], None],
        turns: Iterator[int],
    ) -> None:
        self.bus = bus
        self.peer = peer
        self._connections = connections
        self._nodes = nodes
        self._settle = settle
        self._turns = turns
        self.turn = 0
        self._follows = False
        self._gone = False

    def attach(self) -> None:
        """Begin anew: no connection of this gateway is known to the node, or none any more."""
        if self._gone:
            return
        # No stream for this gateway is ever called as an earlier one.
        self.turn = next(self._turns)
        request = Attach(self.bus.name, self.turn)
        self.bus.send(self.peer, LINKS, request, partial(self._attached, self.turn), SECONDS)

    def leave(self) -> None:
        """The node is gone; ask nothing more of it."""
        self._gone = True
        self._lose()

    def ask(self, request: Message) -> None:
        """Send a request whose answer nobody waits for.

        Those of `REPEATABLE` are sent until they are carried out, or the node is lost.
        """
        asked = partial(self._asked, self.turn, request)
        self.bus.send(self.peer, LINKS, request, asked, SECONDS)

    # What comes

    def event(self, number: int, batch: Message) -> None:
        """Hand out the parcels of a batch; a fault in one concerns that one only."""
        assert isinstance(batch, Batch)
        strangers: list[int] = []
        before = CAUSE.set(CAUSE.get())
        for parcel in batch.parcels:
            try:
                # Most parcels are events, and then answers to moves.
                if isinstance(parcel, Told):
                    links, message, passing = parcel
                    strangers += self._connections.tell(links, message, passing=passing)
                elif isinstance(parcel, Answered) and not parcel.link:
                    CAUSE.set(parcel.key)
                    self._connections.answer(parcel.key, parcel.message)
                else:
                    self._nodes.hand_out(self, parcel)
            except Exception:
                log.exception("parcel_failed", kind=type(parcel).__name__)
        CAUSE.reset(before)
        self._settle()
        for stranger in strangers:
            # It was closed before, and the node should have heard so.
            self.ask(Gone(self.bus.name, stranger))

    def missed(self, last: int) -> None:
        """Some parcels are lost: nobody knows what its connections have seen."""
        self.ended()

    def ended(self) -> None:
        """The node knows this gateway no more, or is about to stop."""
        self._lose()
        self.attach()

    def _attached(self, turn: int, answer: Message | Failure) -> None:
        if turn != self.turn or self._gone:
            return
        if isinstance(answer, Failure):
            self._nodes.attach_later(self)
            return
        self._follows = True
        self._nodes.attached(self)
        self.bus.follow(self.peer, stream_for(self.bus.name, turn), 0, self)
        # Only now, as they may be more than the node keeps for somebody who follows it later.
        self.ask(Banning(self.bus.name))

    def _asked(self, turn: int, request: Message, answer: Message | Failure) -> None:
        failed = isinstance(answer, Failure) and answer is not Failure.FAULT
        if failed and isinstance(request, REPEATABLE):
            self._nodes.later(partial(self._ask_again, turn, request))

    def _ask_again(self, turn: int, request: Message) -> None:
        if turn == self.turn and self._follows:
            self.ask(request)

    def _lose(self) -> None:
        if self._follows:
            self._follows = False
            self.bus.unfollow(self.peer, stream_for(self.bus.name, self.turn))
            self._nodes.lost(self)
