"""Who looks at which table, and what they are sent beside the answers to their commands."""

from collections.abc import Callable, Iterator

from engine.facts import Viewer
from protocol.encode import Plain
from server.audience import Audience
from server.connection import Connection
from server.people import People
from server.table.effects import Publish
from server.table.plain import snapshot_for
from server.table.table import Table


class Audiences:
    """The audience of every table that anybody has looked at, by the table's code."""

    def __init__(self, people: People, now: Callable[[], float]) -> None:
        self._people = people
        self._now = now
        self._of: dict[str, Audience] = {}

    def __len__(self) -> int:
        return len(self._of)

    def of(self, code: str) -> Audience:
        return self._of.setdefault(code, Audience())

    def seen_by(self, connection: Connection) -> Iterator[tuple[str, Viewer]]:
        """The tables that a connection follows, and as whom it sees each."""
        for code, audience in tuple(self._of.items()):
            viewer = audience.viewer(connection)
            if viewer is not None:
                yield code, viewer

    def publish(self, table: Table, publish: Publish) -> None:
        """New entries for everybody at the table."""
        audience = self.of(table.code)
        audience.publish(table, publish, self._now())
        self._people.touch(audience.connections)

    def tell(self, code: str, message: Plain) -> None:
        """Send everybody at a table something that stands outside its sequence."""
        audience = self.of(code)
        audience.tell(message)
        self._people.touch(audience.connections)

    def show(self, table: Table, connection: Connection, viewer: Viewer) -> None:
        """From now on the connection follows the table, starting with a snapshot."""
        self.of(table.code).add(connection, viewer)
        self._people.put(connection, snapshot_for(table, viewer, self._now()))

    def part(self, code: str, connection: Connection, reason: str) -> None:
        """The connection no longer follows the table, and is told why."""
        self.of(code).remove(connection)
        self._people.put(connection, {"type": "closed", "table": code, "reason": reason})

    def dismiss(self, code: str, player: str | None, reason: str) -> None:
        """A player has no place at the table any more; None means nobody has."""
        for connection, _ in self.of(code):
            identity = connection.session.identity
            if player is None or (identity and identity.player.id == player):
                self.part(code, connection, reason)

    def forget(self, code: str) -> None:
        """The table is not in memory any more."""
        self._of.pop(code, None)
