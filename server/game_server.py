"""The running server: its role, or both of them on one bus, and what happens to them together.

Time and loss come from outside: `tick` when something is due, `disconnected` when a connection is
gone, `drain` and `hang_up` when the server is to stop.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from server.bots.pool import BotPool
from server.bus.bus import Bus
from server.bus.local import Hub
from server.commands.role import GatewayRole
from server.connections.connection import Connection
from server.crossing.encoding import Message
from server.crossing.names import GATEWAY, TABLES
from server.events.service import EventService
from server.games.library import Library
from server.node.moving import Moving
from server.node.others import Others
from server.node.role import TablesRole
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.store import Store, StoreError

READY_SECONDS = 2.0


class Buses(NamedTuple):
    """The bus as each role has it."""

    gateway: Bus[Message]
    tables: Bus[Message]


def one_process() -> Buses:
    """Both roles in this process: what one sends the other is a call."""
    hub: Hub[Message] = Hub(kept=0)
    tables = hub.join(TABLES)
    return Buses(gateway=hub.join(GATEWAY), tables=tables)


class TablesServer:
    """A process that has tables: `now` gives server time in seconds.

    `wake` asks for a call of `tick` at such a time.
    """

    def __init__(
        self,
        bus: Bus[Message],
        settings: Settings,
        library: Library,
        store: Store,
        bots: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
        events: EventService | None = None,
    ) -> None:
        self._have(TablesRole(bus, settings, library, store, bots, metrics, now, wake, events))
        self.remark = _nothing if events is None else events.remark
        self._store = store

    def _have(self, node: TablesRole) -> None:
        """Have the tables of this role."""
        self._node = node
        self.links = node.links
        self.guests = node.guests
        self.bans = node.bans
        self.subscribers = node.subscribers
        self.questions = node.questions
        self.live = node.live
        self.tables = node.tables
        self.feed = node.feed
        self.lobby = node.lobby
        self.hints = node.hints
        self.reviews = node.reviews
        self.for_administrators = node.for_administrators

    async def open(self) -> None:
        """Read from the store what has to be known before anybody may come in."""
        await self._node.open()

    async def tick(self) -> bool:
        """Do what is due at the tables.

        False if something raised: it may still be due, and should not be tried again at once.
        """
        return self._node.tick()

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        await self._node.wake_one()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        return self._node.next_tick()

    async def ready(self) -> str:
        """Why the server takes no games now; "" if it does."""
        if self.lobby.draining:
            return "draining"
        return await self._trouble()

    async def _trouble(self) -> str:
        """What keeps the store from saving anything; "" if it saves."""
        try:
            if self._store.node is not None:
                self._store.node.check()
            async with asyncio.timeout(READY_SECONDS):
                await self._store.ping()
        except (StoreError, TimeoutError) as error:
            return f"the store does not answer: {error or 'time is out'}"
        return ""

    async def why_away(self) -> str:
        """Why no moves can be saved now; "" if they can, as far as is known without a look."""
        return await self._trouble() if self._store.trouble is not None else ""

    def on_fenced(self, call: Callable[[], None]) -> None:
        """Call `call` when other nodes own the tables of this one."""
        if self._node.lease is not None:
            self._node.lease.on_end = call

    @property
    def moving(self) -> Moving | None:
        """What gives tables to other nodes; None if this process has no such node."""
        return self._node.moving

    @property
    def neighbours(self) -> Others | None:
        """The other nodes; None if this process is none itself."""
        return self._node.neighbours

    def drain(self) -> None:
        """Open no more tables, and tell everybody."""
        self._node.drain()

    def hang_up(self) -> None:
        """Have every connection closed; clients reconnect by themselves."""
        self._node.close()

    def settle(self) -> None:
        """Send every message that waits."""
        self._node.settle()


class GatewayServer:
    """A process that has connections alone; its tables are on the bus."""

    def __init__(
        self,
        bus: Bus[Message],
        settings: Settings,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._role = GatewayRole(bus, settings, metrics, now, wake)
        self.connections = self._role.connections
        self.outages = self._role.outages
        self.nodes = self._role.nodes
        self.fair_queue = self._role.fair_queue
        self.router = self._role.router
        self._draining = False

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._role.disconnected(connection)

    async def tick(self) -> bool:
        """Do what is due for slow readers; False if something raised, and may still be due."""
        return self._role.tick()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        return self._role.next_tick()

    async def ready(self) -> str:
        """Why no games can be played by this gateway now; "" if they can."""
        if self._draining:
            return "draining"
        return self._role.nodes.why_away()

    async def why_away(self) -> str:
        """Why no moves can be made by way of this gateway now; "" if they can."""
        return self._role.nodes.why_away()

    def remark(self) -> str:
        """What is broken beside the games: nothing that a gateway knows of."""
        return ""

    def drain(self) -> None:
        """Tell everybody that this gateway is about to stop."""
        self._draining = True
        self._role.drain()

    def hang_up(self) -> None:
        """Close every connection; clients reconnect by themselves."""
        self._role.hang_up()


class GameServer(TablesServer):
    """Both roles in one process. `now` and `wake` are as for `TablesServer`."""

    def __init__(
        self,
        settings: Settings,
        library: Library,
        store: Store,
        bots: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
        events: EventService | None = None,
        buses: Buses | None = None,
    ) -> None:
        buses = buses or one_process()
        super().__init__(buses.tables, settings, library, store, bots, metrics, now, wake, events)
        self._open_to(GatewayRole(buses.gateway, settings, metrics, now, wake))

    def _open_to(self, gateway: GatewayRole) -> None:
        """Have the connections of this role."""
        self._gateway = gateway
        self.connections = gateway.connections
        self.connections.plays = self.live.directory.plays
        self.outages = gateway.outages
        self.fair_queue = gateway.fair_queue
        self.slow_readers = gateway.slow_readers
        self.router = gateway.router

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection that is closed; its player is away now unless they have another."""
        self._gateway.disconnected(connection)

    async def tick(self) -> bool:
        """Do what is due at the tables and for slow readers.

        False if something raised: it may still be due, and should not be tried again at once.
        """
        well = self._node.tick()
        return self._gateway.tick() and well

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (self._node.next_tick(), self._gateway.next_tick())
        return min((time for time in times if time is not None), default=None)

    def drain(self) -> None:
        """Open no more tables, and tell everybody."""
        self.lobby.draining = True
        self._gateway.drain()

    def hang_up(self) -> None:
        """Close every connection; clients reconnect by themselves."""
        self._gateway.hang_up()

    def settle(self) -> None:
        """Send every message that waits."""
        self._node.settle()
        self._gateway.settle()


class NodeServer(GameServer):
    """Both roles in one process, beside others that clients reach by addresses of their own."""

    async def ready(self) -> str:
        """Why no games can be played here now; "" if they can."""
        moving = self.moving
        if moving is not None and moving.drains:
            return "draining"
        return await super().ready()

    def drain(self) -> None:
        """Open no more tables; tell everybody, unless others are there, with whom they go on."""
        if self.neighbours is not None and self.neighbours.staying():
            self.lobby.draining = True
        else:
            super().drain()


class MemberServer(GameServer):
    """Both roles in one process, each a peer of `buses` among those of other processes."""

    def __init__(
        self,
        buses: Buses,
        settings: Settings,
        library: Library,
        store: Store,
        bots: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
        events: EventService | None = None,
    ) -> None:
        super().__init__(settings, library, store, bots, metrics, now, wake, events, buses)
        self.nodes = self._gateway.nodes
        self._own_gateway = buses.gateway.name

    async def ready(self) -> str:
        """Why no games can be played by this gateway, or at these tables, now; "" if they can."""
        return await super().ready() or self._gateway.nodes.why_away()

    async def why_away(self) -> str:
        """Why no moves can be made by way of this gateway now, at any node; "" if they can."""
        return self._gateway.nodes.why_away()

    def drain(self) -> None:
        """Open no more tables; tell those who are connected here, and others who lose theirs."""
        self._gateway.drain()
        self._node.drain(told=self._own_gateway)

    def hang_up(self) -> None:
        """Close every connection, and let other gateways go on without these tables."""
        self._gateway.hang_up()
        self._node.close()


def _nothing() -> str:
    return ""
