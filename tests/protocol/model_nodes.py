"""A model of a server with several nodes: their shared state, and which node has which table."""

from collections import deque
from dataclasses import dataclass, field

from protocol.features import FEATURES
from protocol.to_client import Error, Notice, Pong, TableMoved, ToClient
from protocol.to_server import Hello, Sync, ToServer
from tests.protocol.model_server import ModelServer, welcome

ENTRY = "wss://cards.example"
"""Behind it is any of the nodes that are up."""
NODES = ("a", "b", "c")
TABLES = ("PLUM", "PEAR")


@dataclass(eq=False)
class Link:
    """An open connection to a node, with the frames under way on it."""

    node: str
    up: deque[bytes | str] = field(default_factory=deque)
    down: deque[list[ToClient]] = field(default_factory=deque)
    ending: bool = False
    welcomed: bool = False


@dataclass
class ModelNodes:
    """The nodes of the model: the database never fails; a node that is not `up` does nothing."""

    urls: dict[str, str] = field(
        default_factory=lambda: {node: f"{ENTRY}/n/{node}/" for node in NODES}
    )
    tables: dict[str, ModelServer] = field(
        default_factory=lambda: {code: ModelServer(code) for code in TABLES}
    )
    owners: dict[str, str] = field(default_factory=lambda: dict.fromkeys(TABLES, NODES[0]))
    up: set[str] = field(default_factory=lambda: set(NODES))
    followers: dict[str, Link] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)

    def hear(self, link: Link, command: ToServer) -> None:
        """Receive one command at a node that is up."""
        if isinstance(command, Hello):
            frame = self._hello(link, command)
        else:
            table: str | None = getattr(command, "table", None)
            frame = [Pong(id=command.id)] if table is None else self._at(link, table, command)
        link.down.append(frame)

    def gone(self, link: Link) -> None:
        """Drop a connection."""
        self.links.remove(link)
        for table in [table for table, each in self.followers.items() if each is link]:
            self._follow(table, None)

    def happens(self, table: str) -> None:
        """Let another player act, and tell everybody that follows the table."""
        model = self.tables[table]
        model.happens()
        if self.owners[table] in self.up and table in self.followers:
            self.followers[table].down.append(model.events(len(model.log) - 1))

    def give(self, table: str, node: str) -> None:
        """Move a table to another node, and tell everybody that follows it."""
        self.owners[table] = node
        link = self.followers.get(table)
        self._follow(table, None)
        if link is not None:
            link.down.append([TableMoved(table=table, url=self.urls[node])])

    def _hello(self, link: Link, hello: Hello) -> list[ToClient]:
        for older in self.links:
            if older.node == link.node and older is not link and not older.ending:
                # The same client has come back.
                older.ending = True
                older.down.append([Notice(kind="replaced")])
                for table in [table for table, each in self.followers.items() if each is older]:
                    self._follow(table, None)
        told = {"features": FEATURES, "node": self.urls[link.node]}
        frame: list[ToClient] = [welcome(hello.id).model_copy(update=told)]
        for table, model in self.tables.items():
            model.client = hello.client
            seen = hello.resume.get(table)
            if seen is None and model.seat is None:
                continue
            if self._elsewhere(table, link.node):
                frame.append(TableMoved(table=table, url=self.urls[self.owners[table]]))
            else:
                self._follow(table, link)
                frame += model.resumed(seen)
        return frame

    def _at(self, link: Link, table: str, command: ToServer) -> list[ToClient]:
        if self._elsewhere(table, link.node):
            return [TableMoved(id=command.id, table=table, url=self.urls[self.owners[table]])]
        model = self.tables[table]
        follows = self.followers.get(table) is link
        if isinstance(command, Sync) and not follows and model.seat is None:
            return [Error(id=command.id, code="not_seated", reason="you do not follow it")]
        # One model sends to one connection: who asks, hears what happens.
        model.subscribed, before = follows, len(model.log)
        frame = model.receive(command)
        if model.subscribed:
            self._follow(table, link)
        elif table in self.followers:
            model.subscribed = True
            self.followers[table].down.append(model.events(before))
        return frame

    def _elsewhere(self, table: str, node: str) -> bool:
        """Whether another living node has the table; if not, this node takes it."""
        owner = self.owners[table]
        if owner != node and owner in self.up:
            return True
        if owner != node:
            self.owners[table] = node
            self._follow(table, None)
        return False

    def _follow(self, table: str, link: Link | None) -> None:
        self.tables[table].subscribed = link is not None
        if link is None:
            self.followers.pop(table, None)
        else:
            self.followers[table] = link
