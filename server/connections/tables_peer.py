"""The gateway's end of the bus: what it asks of the tables, and the parcels that come from them."""

from collections.abc import Callable
from functools import partial

import structlog

from protocol.version import CLOSE_REFUSED, CLOSE_REPLACED
from protocol.wire_form import error_message
from server.bus.bus import Bus, Failure
from server.connections.connection import Connection
from server.connections.registry import ConnectionRegistry
from server.crossing.encoding import Message
from server.crossing.names import TABLES, role_of
from server.crossing.parcels import (
    Answered,
    Banned,
    Batch,
    Charged,
    Expelled,
    Failed,
    OtherParcel,
    Replaced,
    Told,
    Unbanned,
    stream_for,
)
from server.crossing.requests import (
    LINKS,
    SECONDS,
    Attach,
    CaughtUp,
    Gone,
)
from server.ops.isolation import isolated
from server.ops.tracing import CAUSE

log = structlog.get_logger()

CLOSE_LOST = 1012
"""As at a restart: the client comes back by itself and resumes its tables."""


class TablesPeer:
    """The peer with all tables, `tables` by its name. `settle` sends every frame that is ready.

    `is_ready` while it is there and sends what is for this gateway.
    """

    def __init__(
        self,
        bus: Bus[Message],
        connections: ConnectionRegistry,
        settle: Callable[[], None],
    ) -> None:
        self.bus = bus
        self.name = bus.name
        self.tables = ""
        self.is_ready = False
        self._connections = connections
        self._settle = settle
        self._turn = 0
        bus.on_presence(self._presence)

    def attach(self) -> None:
        """Begin: no connection of this gateway is known to the tables, or none any more."""
        if self.tables:
            self.bus.unfollow(self.tables, stream_for(self.name, self._turn))
        self.is_ready = False
        self._turn += 1
        self.tables = next((peer for peer in self.bus.alive if role_of(peer) == TABLES), "")
        if self.tables:
            request = Attach(self.name, self._turn)
            self.bus.send(self.tables, LINKS, request, partial(self._follow, self._turn), SECONDS)

    def ask(self, request: Message) -> None:
        """Send a request whose answer nobody waits for."""
        if self.tables:
            self.bus.send(self.tables, LINKS, request, _nobody_waits, SECONDS)

    def gone(self, connection: Connection) -> None:
        """Tell of a connection that is closed, if the tables have heard of it."""
        if connection.announced:
            connection.announced = False
            self.ask(Gone(self.name, connection.number))

    def caught_up(self, connection: Connection) -> None:
        """Ask for fresh snapshots for a connection that was left out of events."""
        self.ask(CaughtUp(self.name, connection.number))

    def replace(self, connection: Connection | None) -> None:
        """Close a connection whose player has come in on a newer one, and say why."""
        if connection is not None and not connection.closing:
            with isolated("closing_failed"):
                self._connections.put(connection, {"type": "notice", "kind": "replaced"})
                connection.close(CLOSE_REPLACED, "replaced")

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
                    self._hand_out(parcel)
            except Exception:
                log.exception("parcel_failed", kind=type(parcel).__name__)
        CAUSE.reset(before)
        self._settle()
        for stranger in strangers:
            # It was closed before, and the tables should have heard so.
            self.ask(Gone(self.name, stranger))

    def missed(self, last: int) -> None:
        """Some parcels are lost: everybody has to come in again."""
        self._lost()
        self.attach()

    def ended(self) -> None:
        """The tables know this gateway no more, or are about to stop."""
        self._lost()
        self.attach()

    def _hand_out(self, parcel: OtherParcel) -> None:
        match parcel:
            case Answered(key=key, message=message, link=number):
                CAUSE.set(key)
                self._connections.answer_read(number, key, message)
            case Charged(player=player, price=price):
                self._connections.charge(player, price)
            case Failed(links=links):
                for number in links:
                    connection = self._connections.numbered(number)
                    if connection is not None:
                        connection.fail()
            case Replaced(links=links):
                for number in links:
                    self.replace(self._connections.numbered(number))
            case Expelled(player=player, links=links, reason=reason):
                for connection in self._connections.everywhere(player):
                    if not links or connection.number in links:
                        with isolated("closing_failed"):
                            refusal = error_message(None, "forbidden", reason)
                            self._connections.put(connection, refusal)
                            connection.close(CLOSE_REFUSED, "forbidden")
            case Banned(bans=bans):
                for ban in bans:
                    self._connections.bans.put(ban)
            case Unbanned(keys=lifted):
                for ban_key in lifted:
                    self._connections.bans.lift(ban_key)

    def _presence(self, peer: str, here: bool) -> None:
        if role_of(peer) != TABLES:
            return
        if not here and peer == self.tables:
            self._lost()
            self.attach()
        elif here and not self.tables:
            self.attach()

    def _follow(self, turn: int, answer: Message | Failure) -> None:
        if turn != self._turn:
            return
        if not isinstance(answer, Failure):
            # They are told anew.
            self._connections.bans.clear()
            self.is_ready = True
            self.bus.follow(self.tables, stream_for(self.name, turn), 0, self)
        elif answer is not Failure.FAULT:
            self.attach()

    def _lost(self) -> None:
        """No answers come to what was asked: all clients have to come in and ask again."""
        for connection in self._connections.lose_all():
            connection.announced = False
            if not connection.closing:
                with isolated("closing_failed"):
                    connection.close(CLOSE_LOST, "the tables were lost")


def _nobody_waits(answer: Message | Failure) -> None:
    pass
