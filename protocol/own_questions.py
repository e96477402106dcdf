"""What a session asks by itself to see its tables: the tables of a `hello`, `sync` and `watch`.

Its owner hears of none of these commands. Each falls with the connection that it was sent on: the
next hello says what was seen of every table.
"""

from typing import Any

from protocol.commands import Commands, table_of
from protocol.followed_tables import FollowedTables
from protocol.node_connection import NodeConnection
from protocol.to_server import ToServer, Watch


class OwnQuestions:
    """A table that is asked about is shown as a whole; what happens there until then is no use."""

    def __init__(self, commands: Commands, followed: FollowedTables) -> None:
        self._commands = commands
        self._followed = followed
        self._asked: dict[int, ToServer] = {}

    def new(self, kind: type[ToServer], **fields: Any) -> ToServer:
        """A command of our own, which is still to be sent."""
        command = self._commands.new(kind, **fields)
        self._asked[command.id] = command
        return command

    def ask(self, kind: type[ToServer], **fields: Any) -> None:
        """Send a command of our own."""
        self._commands.send(self.new(kind, **fields))

    def search(self, table: str, failed: str | None) -> None:
        """Ask the first connection where a table is that cannot be reached at its address."""
        if not any(self.is_search(each) for each in self._about(table)):
            watch = self.new(Watch, table=table, failed=failed)
            self._commands.to_first.add(watch.id)
            self._commands.send(watch)

    def is_own(self, command: ToServer) -> bool:
        """Whether nobody else asked for this."""
        return command.id in self._asked

    def is_search(self, command: ToServer) -> bool:
        """Whether this asks where a table is."""
        return command.id in self._commands.to_first

    def asks(self, table: str) -> bool:
        """Whether a table is to be shown as a whole."""
        return bool(self._asked) and bool(self._about(table))

    def forget(self, *commands: ToServer) -> None:
        """Give commands up, or note that they are answered."""
        for command in commands:
            self._asked.pop(command.id, None)
            self._commands.settle(command.id)

    def forget_table(self, table: str) -> None:
        """A table was shown, is elsewhere, or is gone."""
        if self._asked:
            self.forget(*self._about(table))

    def found(self, at: NodeConnection) -> None:
        """A node has come back before the first connection could say where its tables are."""
        node_of = self._commands.node_of
        searches = [each for each in self._asked.values() if self.is_search(each)]
        self.forget(*[each for each in searches if node_of(table_of(each)) is at])

    def disconnected(self, at: NodeConnection) -> None:
        """What was asked on a connection is answered no more."""
        self.forget(*[each for each in self._asked.values() if self._commands.of(each) is at])

    def hello(self, at: NodeConnection) -> dict[str, Any]:
        """What a hello says of the tables on its connection; the others are `left_out`."""
        mirrors = self._followed.mirrors
        tables = [table for table in mirrors if self._commands.node_of(table) is at]
        resume = self._followed.resumed(tables)
        at.left_out = set(tables) - resume.keys()
        heard, legends = self._followed.heard(resume), self._followed.known_legends()
        return {"resume": resume, "heard": heard, "legends": legends}

    def _about(self, table: str) -> list[ToServer]:
        return [each for each in self._asked.values() if table_of(each) == table]
