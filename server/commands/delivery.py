"""Brings commands to the nodes that have their tables, however tables move and nodes are lost.

    sent ─▶ done: the answer comes as a parcel
         ─▶ elsewhere: sent there; if nobody has the table just now, asked again a moment later
         ─▶ its node is lost: sent again, as one that may have been carried out already

The store knows a command by its name, so what is sent twice is carried out once.
"""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from protocol.to_server import FollowTables, ToServer, UnfollowTables
from protocol.wire_form import error_message
from server.bus.bus import Failure
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import CLOSE_LOST, TablesNodes
from server.crossing.encoding import Message
from server.crossing.names import LOBBY, READS, TABLES, Key, peer_name
from server.crossing.requests import COMMANDS, SECONDS, Asked, Done, Elsewhere, Unknown
from server.ops.isolation import Spawn
from server.ops.tracing import caused_by

Name: TypeAlias = tuple[int, Key]
"""The name of a command; of one that changes nothing with the number of its connection, else 0."""
HOPS = 2
"""So often a command is sent on at once; then it waits, as the nodes do not agree just now."""
MANY = 4096
"""Commands whose nodes are remembered before those that were answered are forgotten."""


class Sent:
    """A command that was sent to `peer`, of whose end somebody hears: mostly before `send` returns.

    `peer` is "" while it waits to be sent.
    """

    # Every move makes one of these: it has nothing to begin with.
    peer: str = ""
    answer: Message | Failure | None = None
    _future: asyncio.Future[None] | None = None

    def __call__(self, answer: Message | Failure) -> None:
        """It has ended so."""
        self.answer = answer
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    async def wait(self) -> None:
        """Return when it has ended."""
        self._future = asyncio.get_running_loop().create_future()
        await self._future


class Delivery:
    """`now` gives server time in seconds; `settle` sends what was put into next frames."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        nodes: TablesNodes,
        now: Callable[[], float],
        settle: Callable[[], None],
        spawn: Spawn,
    ) -> None:
        self._connections = connections
        self._nodes = nodes
        self._now = now
        self._settle = settle
        self._spawn = spawn
        # Where commands were sent while there were several nodes: the others, to the only one.
        self._at: dict[Name, str] = {}
        self._under_way: dict[Name, Sent] = {}
        nodes.listeners.append(self)

    async def deliver(self, asked: Asked, answer: Message | Failure | None = None) -> None:
        """See to it that a command gets its answer; `answer` is that of a node that had it."""
        name = _name(asked)
        if name in self._under_way:
            return
        self._under_way[name] = Sent()
        try:
            with caused_by(asked.key):
                await self._deliver(name, asked, answer)
        finally:
            del self._under_way[name]
        self._settle()

    def lost(self, peer: str) -> None:
        """A node is gone: what it was asked is asked again, at others."""
        for number, key, command in self._connections.waiting():
            asked = Asked(self._nodes.name, number, key, command, fresh=False)
            name = _name(asked)
            sent = self._under_way.get(name)
            if sent is not None and sent.peer == peer:
                sent(Failure.LOST)
            elif sent is None and self._at.get(name, self._nodes.latest_only) == peer:
                self._spawn(self.deliver(asked))
        self._at = {name: at for name, at in self._at.items() if at != peer}

    def moved(self, table: str) -> None:
        """A table is at another node: what its former one was asked may be lost with it."""
        route = self._nodes.route(table)
        for number, key, command in self._connections.waiting():
            if _table(command) != table:
                continue
            asked = Asked(self._nodes.name, number, key, command, fresh=False)
            name = _name(asked)
            sent = self._under_way.get(name)
            if sent is not None and sent.peer not in ("", route):
                sent(Failure.LOST)
            elif sent is None and self._at.get(name, self._nodes.latest_only) != route:
                self._spawn(self.deliver(asked))

    async def _deliver(self, name: Name, asked: Asked, answer: Message | Failure | None) -> None:
        nodes, command, table = self._nodes, asked.command, _table(asked.command)
        end, hops, strange = self._now() + SECONDS, 0, 0
        while True:
            at_once = True
            match answer:
                case Done():
                    return
                case Elsewhere(node=node) if table:
                    peer = peer_name(TABLES, node) if node else ""
                    nodes.note(table, peer)
                    hops += 1
                    at_once = nodes.takes(peer) and hops <= HOPS
                case Unknown():
                    # It hears of the connection yet, or has just forgotten this gateway.
                    strange += 2 if nodes.only else 1
                    at_once = strange > 1
                case Failure.LOST:
                    asked, at_once = asked._replace(fresh=False), False
                case Failure():
                    self._refuse(asked)
                    return
                case _:
                    pass
            if not self._is_wanted(asked):
                return
            if not at_once and nodes.is_ready:
                self._under_way[name] = Sent()
                await nodes.pause()
                hops = 0
                if not self._is_wanted(asked):
                    return
            if strange > 1 or not nodes.is_ready or self._now() >= end:
                self._refuse(asked, hang_up=strange > 1)
                return
            peer = nodes.node_for(command, asked.key.player)
            answer = await self._send(name, peer, self._for_now(asked))
            if isinstance(answer, Done):
                if table:
                    nodes.note(table, peer)
                elif isinstance(command, FollowTables | UnfollowTables):
                    nodes.follows(asked.link, peer)

    async def _send(self, name: Name, peer: str, asked: Asked) -> Message | Failure | None:
        sent = self._under_way[name] = Sent()
        sent.peer = peer
        self._at[name] = peer
        if len(self._at) > MANY:
            waiting = {_name(Asked("", *each, fresh=True)) for each in self._connections.waiting()}
            self._at = {name: at for name, at in self._at.items() if name in waiting}
        self._nodes.bus.send(peer, COMMANDS, asked, sent, SECONDS)
        if sent.answer is None:
            await sent.wait()
        return sent.answer

    def _is_wanted(self, asked: Asked) -> bool:
        """Whether somebody still waits for the answer."""
        if not self._connections.waits(asked.link, asked.key, asked.command):
            return False
        if type(asked.command) in READS or self._connections.of_client(asked.key) is not None:
            return True
        self._connections.forget(asked.key)
        return False

    def _for_now(self, asked: Asked) -> Asked:
        """The command, by the connection that its client has now."""
        connection = self._connections.of_client(asked.key)
        if connection is None or type(asked.command) in READS:
            return asked
        return asked._replace(link=connection.number)

    def _refuse(self, asked: Asked, *, hang_up: bool = False) -> None:
        """No node got a command, or nobody knows whether one did."""
        reason = "the tables cannot be reached now; send this again"
        refusal = error_message(asked.command.id, "try_again", reason)
        if type(asked.command) in READS:
            self._connections.answer_read(asked.link, asked.key, refusal)
        else:
            self._connections.answer(asked.key, refusal)
        connection = self._connections.numbered(asked.link)
        if hang_up and connection is not None and not connection.closing:
            connection.close(CLOSE_LOST, "the tables were lost")


def _name(asked: Asked) -> Name:
    return (asked.link if type(asked.command) in READS else 0, asked.key)


def _table(command: ToServer) -> str:
    """The table that a command is for; "" if it is for none in memory."""
    return "" if isinstance(command, LOBBY) else command.table
