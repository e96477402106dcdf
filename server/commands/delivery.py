"""Brings commands to the nodes that have their tables, however tables move and nodes are lost.

    sent ─▶ done: the answer comes as a parcel
         ─▶ elsewhere: sent there; if nobody has the table just now, asked again a moment later
         ─▶ its node is lost: sent again, as one that may have been carried out already

Meanwhile its connection goes on with commands for other tables; those for one keep their order.
The store knows a command by its name, so what is sent twice is carried out once.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from protocol.to_server import FollowTables, ToServer, UnfollowTables
from server.bus.bus import Failure
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import CLOSE_LOST, TablesNodes
from server.crossing.names import LOBBY, READS, Key
from server.crossing.parcels import Message
from server.crossing.refusals import refusal, refused
from server.crossing.requests import COMMANDS, SECONDS, Asked, Done, Elsewhere, Unknown
from server.ops.isolation import Spawn
from server.ops.tracing import caused_by

Name: TypeAlias = tuple[int, Key]
"""The name of a command; of one that changes nothing with the number of its connection, else 0."""
Line: TypeAlias = tuple[int, str]
"""The commands of a connection for one table, or for none: they are carried out in their order."""
Over: TypeAlias = asyncio.Future[None]
HOPS = 2
"""So often a command is sent on at once; then it waits, as the nodes do not agree just now."""
MOMENT_SECONDS = 0.25
"""So long a connection waits for the end of one command before it goes on with the next."""
MOST_HELD = 16
"""Commands of one connection that may be under way before it waits for the end of each."""
MANY = 4096
"""Commands whose nodes are remembered at least before those that were answered are forgotten."""


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

    async def wait_a_moment(self) -> None:
        """Return when it has ended, or a moment later without an answer."""
        loop = asyncio.get_running_loop()
        self._future = future = loop.create_future()
        timer = loop.call_later(MOMENT_SECONDS, _set, future)
        await future
        timer.cancel()


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
        self._most = MANY
        self._under_way: dict[Name, Sent] = {}
        # The last command of each connection for each table; and how many each has under way.
        self._last: dict[Line, Over] = {}
        self._held: Counter[int] = Counter()
        nodes.listeners.append(self)

    async def deliver(self, asked: Asked, sent: Sent | None = None) -> None:
        """See to it that a command gets its answer; `sent` if it was sent to a node already.

        This returns when that is done, or a moment later: the next command may be for another
        table. Those for the same one wait until this one is done.
        """
        name, line = _name(asked), (asked.link, _table(asked.command))
        if name in self._under_way:
            return
        self._under_way[name] = sent or Sent()
        over: Over = asyncio.get_running_loop().create_future()
        before, self._last[line] = self._last.get(line), over
        self._held[asked.link] += 1
        self._spawn(self._in_line(line, name, asked, before, over))
        many = self._held[asked.link] > MOST_HELD
        await asyncio.wait((over,), timeout=None if many else MOMENT_SECONDS)

    def lost(self, peer: str) -> None:
        """A node is gone: what it was asked is asked again, at others."""
        self._ask_again(peer)
        self._at = {name: at for name, at in self._at.items() if at != peer}

    def _ask_again(self, lost: str) -> None:
        """Send again the commands that were sent to a lost node."""
        for number, key, command in self._connections.waiting():
            asked = Asked(self._nodes.name, number, key, command, fresh=False)
            name = _name(asked)
            sent = self._under_way.get(name)
            if sent is not None and sent.peer == lost:
                sent(Failure.LOST)
            elif sent is None and self._at.get(name, self._nodes.latest_only) == lost:
                self._spawn(self._see_to(asked))

    async def _in_line(
        self, line: Line, name: Name, asked: Asked, before: Over | None, over: Over
    ) -> None:
        """Deliver a command after the one `before` it, and say when that is `over`."""
        try:
            end = self._now() + SECONDS
            if before is not None:
                await asyncio.wait((before,))
            await self._end(name, asked, end)
        finally:
            over.set_result(None)
            self._held[asked.link] -= 1
            if not self._held[asked.link]:
                del self._held[asked.link]
            if self._last[line] is over:
                del self._last[line]

    async def _see_to(self, asked: Asked) -> None:
        """The same at once, for one that was delivered before."""
        name = _name(asked)
        if name not in self._under_way:
            self._under_way[name] = Sent()
            await self._end(name, asked, self._now() + SECONDS)

    async def _end(self, name: Name, asked: Asked, end: float) -> None:
        try:
            with caused_by(asked.key):
                await self._deliver(name, asked, end)
        except Exception:
            self._refuse(asked)
            raise
        finally:
            del self._under_way[name]
            self._settle()

    async def _deliver(self, name: Name, asked: Asked, end: float) -> None:
        nodes, command, table = self._nodes, asked.command, _table(asked.command)
        hops, strange = 0, 0
        sent = self._under_way[name]
        if sent.peer and sent.answer is None:
            await sent.wait()
        answer = sent.answer
        while True:
            at_once = True
            match answer:
                case Done():
                    return
                case Elsewhere(node=node) if table:
                    peer = nodes.learn(table, node)
                    hops += 1
                    at_once = nodes.takes(peer) and hops <= HOPS
                case Unknown() if (self._under_way[name].peer, asked.link) in nodes.untold:
                    at_once = False
                case Unknown():
                    # It hears of the connection yet, or has just forgotten this gateway.
                    strange += 2 if nodes.only else 1
                    at_once = strange > 1
                case Failure.LOST:
                    at_once = False
                case Failure():
                    self._refuse(asked)
                    return
                case _:
                    pass
            if not self._is_wanted(asked):
                return
            if not at_once and nodes.is_ready:
                self._under_way[name] = Sent()
                # It may have been carried out, perhaps by way of another gateway.
                asked = asked._replace(fresh=False)
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
        if len(self._at) > self._most:
            waiting = {_name(Asked("", *each, fresh=True)) for each in self._connections.waiting()}
            self._at = {name: at for name, at in self._at.items() if name in waiting}
            # Those that wait are not looked through again before as many were sent anew.
            self._most = max(MANY, 2 * len(self._at))
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
        error = refusal("try_again", "refused_unreachable")
        answer = refused(asked.command.id, error)
        if type(asked.command) in READS:
            self._connections.answer_read(asked.link, asked.key, answer)
        else:
            self._connections.answer(asked.key, answer)
        connection = self._connections.numbered(asked.link)
        if hang_up and connection is not None and not connection.closing:
            connection.close(CLOSE_LOST, "the tables were lost")


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _name(asked: Asked) -> Name:
    return (asked.link if type(asked.command) in READS else 0, asked.key)


def _table(command: ToServer) -> str:
    """The table that a command is for; "" if it is for none in memory."""
    return "" if isinstance(command, LOBBY) else command.table
