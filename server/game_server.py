"""The running server: both of its roles on one bus, and what happens to them together.

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
from server.crossing.names import GATEWAY, TABLES
from server.crossing.parcels import Message
from server.events.service import EventService
from server.games.library import Library
from server.node.moving import Moving
from server.node.other_nodes import OtherNodes
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
    """What one role sends the other is a call."""
    hub: Hub[Message] = Hub()
    tables = hub.join(TABLES)
    return Buses(gateway=hub.join(GATEWAY), tables=tables)


class GameServer:
    """The whole server: `now` gives server time in seconds.

    `wake` asks for a call of `tick` at such a time.
    """

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
        node = TablesRole(buses.tables, settings, library, store, bots, metrics, now, wake, events)
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
        self.remark = _nothing if events is None else events.remark
        self._store = store
        gateway = GatewayRole(buses.gateway, settings, metrics, now, wake)
        self._gateway = gateway
        self.connections = gateway.connections
        self.connections.plays = self.live.directory.plays
        self.outages = gateway.outages
        self.fair_queue = gateway.fair_queue
        self.slow_readers = gateway.slow_readers
        self.router = gateway.router

    async def open(self) -> None:
        """Read from the store what has to be known before anybody may come in."""
        await self._node.open()

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection that is closed; its player is away now unless they have another."""
        self._gateway.disconnected(connection)

    async def tick(self) -> bool:
        """Do what is due at the tables and for slow readers.

        False if something raised: it may still be due, and should not be tried again at once.
        """
        well = self._node.tick()
        return self._gateway.tick() and well

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        await self._node.wake_one()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (self._node.next_tick(), self._gateway.next_tick())
        return min((time for time in times if time is not None), default=None)

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
    def neighbours(self) -> OtherNodes | None:
        """The other nodes; None if this process is none itself."""
        return self._node.neighbours

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
    """A server beside others, which clients reach by addresses of their own."""

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


def _nothing() -> str:
    return ""
