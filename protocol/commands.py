"""The unanswered commands of a session, and the connection that each takes."""

from collections.abc import Iterator, Set
from itertools import count
from typing import Any

from pydantic import ValidationError

from protocol.client_events import PutOff
from protocol.errors import ProtocolError
from protocol.features import needed
from protocol.node_connection import NodeConnection
from protocol.parse import explain
from protocol.table_places import TablePlaces, place_of
from protocol.to_client import Error
from protocol.to_server import TO_SERVER, ToServer


class Commands:
    """The session's commands: `waiting` are those without an answer, by number.

    The connection `first` leads to the address that the user gave, and `others`, by their places,
    to nodes that have a table of ours; a command about a table takes that of the table's node, but
    for those in `to_first`, which ask where it is.
    """

    def __init__(self, url: str) -> None:
        self.first = NodeConnection(url)
        self.others: dict[str, NodeConnection] = {}
        self.places = TablePlaces(url)
        self.waiting: dict[int, ToServer] = {}
        self.to_first: set[int] = set()
        self._ids = count(1)
        self._put_off: set[int] = set()
        self._sent: dict[int, NodeConnection] = {}

    # The connections

    def __iter__(self) -> Iterator[NodeConnection]:
        return iter((self.first, *self.others.values()))

    def has(self, at: NodeConnection) -> bool:
        """Whether the session still has this connection."""
        return at is self.first or any(at is other for other in self.others.values())

    def node_of(self, table: str | None) -> NodeConnection:
        """The connection to the node that has a table; the first one if `table` is None."""
        if not self.others:
            return self.first
        return self.others.get(self.places.of(table), self.first)

    def of(self, command: ToServer) -> NodeConnection:
        """The connection on which a command is sent."""
        return self.first if command.id in self.to_first else self.node_of(table_of(command))

    def go(self, table: str, url: str, tries: int = 0) -> NodeConnection:
        """The connection to a table that is at this address from now on."""
        place = place_of(url)
        if place == self.first.node:
            place = self.places.entry
        self.places.put(table, place)
        if place != self.places.entry and place not in self.others:
            self.others[place] = NodeConnection(url, tries)
        return self.node_of(table)

    def keep(self, tables: Set[str]) -> None:
        """Drop connections to nodes without any of these tables or unanswered commands."""
        asked = {table_of(command) or "" for command in self.waiting.values()}
        for place in self.others.keys() - self.places.keep(tables | asked):
            del self.others[place]

    def start_afresh(self) -> None:
        """Forget all other nodes, since the session is a new guest whom they do not know."""
        self.others.clear()
        self.places.keep(frozenset())

    def close(self, at: NodeConnection) -> None:
        """Drop a closed connection, and what was to be sent on it."""
        self._put_off.difference_update(command.id for command in self.waiting_at(at))
        self._sent = {id: each for id, each in self._sent.items() if each is not at}
        at.close()

    # The commands

    def new(self, kind: type[ToServer], **fields: Any) -> ToServer:
        """A command with the next number; `ProtocolError` `bad_message` if it holds no `fields`."""
        data = {"type": kind.model_fields["type"].default, "id": next(self._ids), **fields}
        try:
            return TO_SERVER.validate_python(data, strict=True)
        except ValidationError as error:
            raise ProtocolError("bad_message", explain(error)) from None

    def check(self, command: ToServer) -> None:
        """Raise `ProtocolError` `bad_message` if the command's node is too old to know it."""
        known = self.of(command).features
        lacking = [] if known is None else set(needed(command)) - known
        if lacking:
            reason = f"this server is older than {' and '.join(sorted(lacking))}"
            raise ProtocolError("bad_message", reason, command.id)

    def send(self, *commands: ToServer) -> None:
        """Send these commands, and again over each connection until they are answered."""
        for command in commands:
            self.waiting[command.id] = command
            at = self.of(command)
            if at.online:
                self._put_off.discard(command.id)
                at.outbox.append(command)
                self._sent[command.id] = at

    def later(self, command: ToServer, error: Error) -> PutOff:
        """Tell the session's owner to send a command later, because of this error."""
        self.waiting[command.id] = command
        self._put_off.add(command.id)
        return PutOff(command, error)

    def put_off(self, command: ToServer, reason: str, seconds: float) -> PutOff:
        """Tell the session's owner to send a command in the given number of seconds."""
        error = Error(id=command.id, code="try_again", reason=reason, retry_after=seconds)
        return self.later(command, error)

    def again(self, id: int) -> None:
        """Send a postponed command again, unless reconnecting has done so."""
        if id in self._put_off:
            self._put_off.discard(id)
            self.send(self.waiting[id])

    def settle(self, *ids: int) -> None:
        """Mark these commands as answered, so that they do not wait any more."""
        for id in ids:
            self.waiting.pop(id, None)
            self.to_first.discard(id)
            self._put_off.discard(id)
            self._sent.pop(id, None)

    def waiting_at(self, at: NodeConnection) -> list[ToServer]:
        """The unanswered commands of a connection, in order."""
        return [each for each in self.waiting.values() if self.of(each) is at]

    def waiting_for(self, table: str) -> list[ToServer]:
        """The unanswered commands about a table that may be sent now, in order."""
        about = [each for each in self.waiting.values() if table_of(each) == table]
        return [each for each in about if each.id not in self._put_off]

    def were_sent(self, at: NodeConnection) -> bool:
        """Whether any command that was sent on a connection has no answer yet."""
        return any(each is at for each in self._sent.values())

    def was_sent(self, id: int, at: NodeConnection) -> bool:
        """Whether an unanswered command was last sent on this connection."""
        return self._sent.get(id) is at


def table_of(command: ToServer) -> str | None:
    """The table of a command; None if it has none."""
    return getattr(command, "table", None)
