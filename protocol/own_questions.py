"""The session's own commands to see its tables: the tables of `hello`, `sync` and `watch`.

The session's owner is not told of these commands. Each is dropped with the connection on which it
was sent, since the next hello says what was seen of every table.
"""

from typing import Any

from protocol.commands import Commands, table_of
from protocol.followed_tables import FollowedTables
from protocol.node_connection import NodeConnection
from protocol.to_server import ToServer, Watch


class OwnQuestions:
    """The session's own commands; events of an asked table are dropped until its answer."""

    def __init__(self, commands: Commands, followed: FollowedTables) -> None:
        self._commands = commands
        self._followed = followed
        self._asked: dict[int, ToServer] = {}

    def new(self, kind: type[ToServer], **fields: Any) -> ToServer:
        """A new own command, which is still to be sent."""
        command = self._commands.new(kind, **fields)
        self._asked[command.id] = command
        return command

    def ask(self, kind: type[ToServer], **fields: Any) -> None:
        """Send an own command."""
        self._commands.send(self.new(kind, **fields))

    def search(self, table: str, failed: str | None) -> None:
        """Ask the first connection for a table that cannot be reached at its address."""
        if not any(self.is_search(each) for each in self._about(table)):
            watch = self.new(Watch, table=table, failed=failed)
            self._commands.to_first.add(watch.id)
            self._commands.send(watch)

    def is_own(self, command: ToServer) -> bool:
        """Whether a command is one of the session's own."""
        return command.id in self._asked

    def is_search(self, command: ToServer) -> bool:
        """Whether an own command asks where a table is."""
        return command.id in self._commands.to_first

    def asks(self, table: str) -> bool:
        """Whether an own command asks for a snapshot of the table."""
        return bool(self._asked) and bool(self._about(table))

    def forget(self, *commands: ToServer) -> None:
        """Drop own commands, given up or answered."""
        for command in commands:
            self._asked.pop(command.id, None)
            self._commands.settle(command.id)

    def forget_table(self, table: str) -> None:
        """Drop the commands about a table that was shown, has moved, or is gone."""
        if self._asked:
            self.forget(*self._about(table))

    def found(self, at: NodeConnection) -> None:
        """Drop the searches for tables of a node that has come back."""
        node_of = self._commands.node_of
        searches = [each for each in self._asked.values() if self.is_search(each)]
        self.forget(*[each for each in searches if node_of(table_of(each)) is at])

    def disconnected(self, at: NodeConnection) -> None:
        """Drop the commands that were sent on a closed connection."""
        self.forget(*[each for each in self._asked.values() if self._commands.of(each) is at])

    def hello(self, at: NodeConnection) -> dict[str, Any]:
        """The tables that a hello resumes on its connection; the others are `left_out`."""
        mirrors = self._followed.mirrors
        tables = [table for table in mirrors if self._commands.node_of(table) is at]
        resume = self._followed.resumed(tables)
        at.left_out = set(tables) - resume.keys()
        heard, legends = self._followed.heard(resume), self._followed.known_legends()
        return {"resume": resume, "heard": heard, "legends": legends}

    def _about(self, table: str) -> list[ToServer]:
        return [each for each in self._asked.values() if table_of(each) == table]
