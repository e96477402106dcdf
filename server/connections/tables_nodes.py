"""The nodes that have tables, as a gateway knows them: which are there, and which has what.

A player's *home* answers what is about no table in memory, and new tables are opened there. Where
a table is, the nodes tell, and the gateway remembers it. Every connection is known to every node.
"""

import asyncio
from collections.abc import Callable
from itertools import count
from math import inf
from typing import Protocol

import structlog

from protocol.to_server import ToServer, WhoseCode
from server.bus.bus import Bus, BusError, ask
from server.connections.connection import Connection
from server.connections.handing_out import hand_out
from server.connections.registry import ConnectionRegistry
from server.connections.tables_peer import TablesPeer
from server.crossing.names import LOBBY, TABLES, hashed, node_of, peer_name, role_of
from server.crossing.parcels import Leaving, Message, OtherParcel, Pausing
from server.crossing.requests import (
    ARRIVALS,
    LINKS,
    SECONDS,
    Arriving,
    Banning,
    CaughtUp,
    Follows,
    Gone,
    Known,
    Refused,
    Unknown,
)
from server.ops.isolation import Spawn, isolated
from server.rendezvous import heir

log = structlog.get_logger()

CLOSE_LOST = 1012
"""As at a restart: the client comes back by itself and resumes its tables."""
AGAIN_SECONDS = 0.25
"""After so long something is tried again that could not be done at a node."""
MOST_ROUTES = 65_536
"""Tables of which a gateway remembers where they are; the least lately used is forgotten."""
AT_ONCE = 64
"""Connections that a node is told of at once."""


class Listener(Protocol):
    """Hears of changes among the nodes."""

    def lost(self, peer: str) -> None:
        """A node is gone, and others are there: what it was asked has to be asked again."""


class TablesNodes:
    """All nodes. `settle` sends frames that are ready, `wake` asks for a call of `tick`.

    While exactly one is ready, `only` is its peer's name, else "". `latest_only` is the last that
    was the only one.
    """

    def __init__(
        self,
        bus: Bus[Message],
        connections: ConnectionRegistry,
        settle: Callable[[], None],
        now: Callable[[], float],
        wake: Callable[[float], None],
        spawn: Spawn,
    ) -> None:
        self.bus = bus
        self.name = bus.name
        self.only = self.latest_only = ""
        # Nodes that have not heard of a connection yet, while others have; by its number.
        self.untold: set[tuple[str, int]] = set()
        self.listeners: list[Listener] = []
        self._connections = connections
        self._settle = settle
        self._now = now
        self._wake = wake
        self.spawn = spawn
        self._turns = count(1)
        self._peers: dict[str, TablesPeer] = {}
        self._attached: dict[str, TablesPeer] = {}
        # Those of them that know every connection; and those that open no tables any more.
        self._ready: dict[str, TablesPeer] = {}
        self._leaving: set[str] = set()
        # Those whose database does not answer.
        self._pausing: set[str] = set()
        self._routes: dict[str, str] = {}
        self._later: list[tuple[float, Callable[[], None]]] = []
        self._lost_at = -inf
        # Nodes that have lost track of this gateway while no other was ready.
        self._interrupted: set[str] = set()
        bus.on_presence(self._presence)

    def attach(self) -> None:
        """Begin: attach to all nodes that are there."""
        for peer in tuple(self.bus.alive):
            self._presence(peer, here=True)

    # Which there are

    @property
    def is_ready(self) -> bool:
        """Whether there is any node that commands can be sent to."""
        return bool(self._ready)

    def why_away(self) -> str:
        """Why no table can go on now; "" if some can, as far as is known."""
        if not self._ready:
            return "no tables can be reached"
        if self._ready.keys() <= self._pausing:
            return "no node with tables reaches its database"
        return ""

    @property
    def attachments(self) -> dict[str, int]:
        """The nodes that hear of connections, each with the turn in which it does."""
        return {name: peer.turn for name, peer in self._attached.items()}

    @property
    def lost_lately(self) -> bool:
        """Whether a node was lost a moment ago, so that some tables may be nowhere just now."""
        return self._now() - self._lost_at < SECONDS

    def takes(self, peer: str) -> bool:
        """Whether commands can be sent to a node."""
        return peer in self._ready

    def home(self, of: str) -> str:
        """The home of a player by id, of a token or a code by its hash; "" if no node is ready."""
        staying = self._ready.keys() - self._leaving or self._ready.keys()
        return heir(of, staying) if staying else ""

    def homes(self, of: str) -> list[str]:
        """All nodes that are ready, the home first."""
        home = self.home(of)
        return [home, *(peer for peer in self._ready if peer != home)] if home else []

    # Where tables are

    def node_for(self, command: ToServer, player: str) -> str:
        """The node for a command of a player: that of its table, or their home; "" if none."""
        if isinstance(command, WhoseCode):
            return self.home(hashed(command.code))
        if isinstance(command, LOBBY):
            return self.home(player)
        return self.node_of_table(command.table, player)

    def node_of_table(self, table: str, player: str) -> str:
        """The node of a table, or that which can tell a player where it is; "" if none is ready."""
        route = self._routes.get(table)
        if route not in self._ready:
            return self.home(player)
        # Now it is the latest.
        self._routes[table] = self._routes.pop(table)
        return route

    def route(self, table: str) -> str | None:
        """The node of a table, as far as that is known."""
        return self._routes.get(table)

    def learn(self, table: str, node: str) -> str:
        """A node says that a table is at `node`, or "" for nobody's; that node as a peer."""
        peer = peer_name(TABLES, node) if node else ""
        self.note(table, peer)
        return peer

    def note(self, table: str, peer: str) -> None:
        """A table is at this node; "": nobody has it just now, or nobody knows."""
        self._routes.pop(table, None)
        if peer:
            self._routes[table] = peer
            if len(self._routes) > MOST_ROUTES:
                del self._routes[next(iter(self._routes))]

    # What nodes are asked

    def ask_all(self, request: Message) -> None:
        """Send every node a request whose answer nobody waits for."""
        for peer in self._attached.values():
            peer.ask(request)

    def gone(self, connection: Connection) -> None:
        """Tell of a connection that is closed, if the nodes have heard of it."""
        if connection.announced:
            connection.announced = False
            self.ask_all(Gone(self.name, connection.number))

    def caught_up(self, connection: Connection) -> None:
        """Ask for fresh snapshots for a connection that was left out of events."""
        self.ask_all(CaughtUp(self.name, connection.number))

    def follows(self, number: int, told_by: str) -> None:
        """Tell all other nodes which list of tables a connection follows, or that it does not."""
        command = self._connections.watched.list_of(number)
        for peer in self._attached.values():
            if peer.peer != told_by:
                peer.ask(Follows(self.name, number, command))

    async def introduce(
        self, peer: str, connection: Connection, resume: dict[str, int] | None = None
    ) -> int | None:
        """Tell a node of a connection that was welcomed before; None if that was in vain.

        With `resume` the node has not shown the tables yet that the client resumes. Returns the
        highest number of a command that it then has an answer for.
        """
        come = connection.come
        if come is None or connection.closing:
            return 0
        arriving = Arriving(
            self.name,
            connection.number,
            come.player.id,
            come.client,
            come.token,
            come.address,
            (*(resume or ()),),
            known=resume is not None,
        )
        try:
            answer = await ask(self.bus, peer, ARRIVALS, arriving, SECONDS)
            if isinstance(answer, Refused):
                # Others than these two have it closed.
                return None if answer.code in ("try_again", "internal") else 0
            highest = answer.highest if isinstance(answer, Known) else 0
            answer = await ask(self.bus, peer, LINKS, come._replace(resume=resume or {}), SECONDS)
            if isinstance(answer, Unknown):
                return None
        except BusError:
            return None
        command = self._connections.watched.list_of(connection.number)
        if command is not None and peer in self._attached:
            self._attached[peer].ask(Follows(self.name, connection.number, command))
        return highest

    # Time

    def later(self, act: Callable[[], None]) -> None:
        """Do something in a moment."""
        at = self._now() + AGAIN_SECONDS
        self._later.append((at, act))
        self._wake(at)

    async def pause(self) -> None:
        """Return in a moment."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.later(lambda: None if over.done() else over.set_result(None))
        await over

    def tick(self) -> None:
        """Do what is due."""
        now, waiting = self._now(), self._later
        self._later = [each for each in waiting if each[0] > now]
        for at, act in waiting:
            if at <= now:
                with isolated("nodes_failed"):
                    act()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        return self._later[0][0] if self._later else None

    # What peers tell

    def attached(self, peer: TablesPeer) -> None:
        """A node is about to send what is for this gateway: it has to hear of all connections."""
        if not self._attached:
            # They are told anew.
            self._connections.bans.clear()
        self._attached[peer.peer] = peer
        known = [each for each in self._connections.welcomed() if not each.closing]
        if known:
            self.spawn(self._introduce_all(peer, known))
        else:
            self._is_ready(peer)

    def lost(self, peer: TablesPeer) -> None:
        """A node is gone, or what it has sent is lost."""
        name = peer.peer
        self._attached.pop(name, None)
        comes_back = self._peers.keys() - self._leaving
        self._leaving.discard(name)
        self._pausing.discard(name)
        was_ready = self._ready.pop(name, None) is not None
        if not was_ready:
            return
        if not self._ready:
            self.only = ""
            self._routes.clear()
            if not comes_back:
                self._lose_all()
                return
        log.warning("node_lost", node=node_of(name))
        if not self._ready:
            # The next that is ready has been told of all connections, and shown them their tables.
            self._interrupted.add(name)
            return
        self._tell_lost(name)
        # What it has lifted may not have been told here, and never will be.
        self._connections.bans.clear()
        next(iter(self._ready.values())).ask(Banning(self.name))
        self._look_for_only()
        self._routes = {table: at for table, at in self._routes.items() if at != name}

    def attach_later(self, peer: TablesPeer) -> None:
        """Attach to a node in a moment."""
        self.later(peer.attach)

    def hand_out(self, peer: TablesPeer, parcel: OtherParcel) -> None:
        """Note what a node says of itself; the rest is about connections."""
        match parcel:
            case Leaving(leaves=leaves):
                (self._leaving.add if leaves else self._leaving.discard)(peer.peer)
            case Pausing(pauses=pauses):
                (self._pausing.add if pauses else self._pausing.discard)(peer.peer)
            case _:
                hand_out(self._connections, parcel)

    def _presence(self, peer: str, here: bool) -> None:
        if role_of(peer) != TABLES:
            return
        known = self._peers.get(peer)
        if here and known is None:
            self._peers[peer] = new = TablesPeer(
                self.bus, peer, self._connections, self, self._settle, self._turns
            )
            new.attach()
        elif not here and known is not None:
            del self._peers[peer]
            known.leave()
            if not self._peers:
                self._lose_all()

    async def _introduce_all(self, peer: TablesPeer, waiting: list[Connection]) -> None:
        turn = peer.turn
        while waiting:
            some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            well = await asyncio.gather(*(self.introduce(peer.peer, each) for each in some))
            if peer.turn != turn or self._attached.get(peer.peer) is not peer:
                return
            if None in well:
                waiting += [one for one, known in zip(some, well, strict=True) if known is None]
                await self.pause()
        self._is_ready(peer)

    def _is_ready(self, peer: TablesPeer) -> None:
        """Commands can be sent to a node: it knows every connection."""
        self._ready[peer.peer] = peer
        self._look_for_only()
        if self._interrupted:
            self._go_on()

    def _go_on(self) -> None:
        """A node is ready after a time without any: see to what came to nothing meanwhile."""
        interrupted, self._interrupted = self._interrupted, set()
        for name in interrupted:
            self._tell_lost(name)
        for connection in self._connections.welcomed():
            if self._connections.watched.list_of(connection.number) is not None:
                self.caught_up(connection)

    def _tell_lost(self, name: str) -> None:
        self._lost_at = self._now()
        for listener in self.listeners:
            with isolated("nodes_failed"):
                listener.lost(name)

    def _look_for_only(self) -> None:
        self.only = next(iter(self._ready)) if len(self._ready) == 1 else ""
        self.latest_only = self.only or self.latest_only

    def _lose_all(self) -> None:
        """No answers come to what was asked: all clients have to come in and ask again."""
        self._interrupted.clear()
        for connection in self._connections.lose_all():
            connection.announced = False
            if not connection.closing:
                with isolated("closing_failed"):
                    connection.close(CLOSE_LOST, "the tables were lost")
