"""The role *gateway*: everything that has connections, put together before the bus."""

import asyncio
from collections.abc import Callable

from server.bus.bus import Bus
from server.commands.delivery import Delivery
from server.commands.handshake import DRAINING, Handshake
from server.commands.join_requests import JoinRequests
from server.commands.router import CommandRouter
from server.commands.watching import Watching
from server.connections.connection import Connection
from server.connections.fair_queue import FairQueue
from server.connections.outages import Outages
from server.connections.registry import ConnectionRegistry
from server.connections.slow_readers import SlowReaders
from server.connections.tables_nodes import TablesNodes
from server.crossing.parcels import Message
from server.ops.isolation import Beside, isolated
from server.ops.metrics import Metrics
from server.ops.settings import Settings

CLOSE_RESTART = 1012


class GatewayRole:
    """`now` gives server time in seconds; `wake` asks for a call of `tick` at such a time."""

    def __init__(
        self,
        bus: Bus[Message],
        settings: Settings,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self.connections = ConnectionRegistry(metrics.command, now)
        # What goes on while nodes come and go.
        self.beside = Beside("nodes_failed")
        spawn = self.beside.spawn
        self.nodes = TablesNodes(bus, self.connections, self.settle, now, wake, spawn)
        self.fair_queue = FairQueue(asyncio.get_running_loop())
        self.slow_readers = SlowReaders(self.connections, self.nodes.caught_up, metrics, now, wake)
        delivery = Delivery(self.connections, self.nodes, now, self.settle, spawn)
        watching = Watching(self.connections, self.nodes, now, spawn)
        JoinRequests(self.connections, self.nodes, now, spawn)
        self.outages = Outages(self.connections, self.settle, now)
        self._handshake = Handshake(
            settings, self.connections, self.nodes, watching, self.outages, now
        )
        self.router = CommandRouter(
            self.connections,
            self.nodes,
            delivery,
            self._handshake,
            self.fair_queue,
            now,
            self.settle,
        )
        self.nodes.attach()

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection that is closed, and tell the tables so."""
        self.slow_readers.forget(connection)
        identity = connection.session.identity
        if identity is not None:
            self.connections.remove(identity.player.id, connection)
        self.nodes.gone(connection)
        self.settle()

    def tick(self) -> bool:
        """Do what is due for slow readers; False if something raised, and may still be due."""
        with isolated("look_failed") as attempt:
            self.slow_readers.check()
        self.nodes.tick()
        self.settle()
        return not attempt.raised

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (self.slow_readers.next_check(), self.nodes.next_tick())
        return min((time for time in times if time is not None), default=None)

    def drain(self) -> None:
        """Tell everybody that the server is about to stop, and whoever comes in until then."""
        self._handshake.draining = True
        for connection in self.connections:
            with isolated("draining_failed"):
                self.connections.put(connection, DRAINING)
        self.settle()

    def hang_up(self) -> None:
        """Close every connection; clients reconnect by themselves."""
        for connection in self.connections:
            with isolated("draining_failed"):
                connection.close(CLOSE_RESTART, "the server stops")

    def settle(self) -> None:
        """Send every frame that is ready."""
        for connection in self.connections.flush():
            with isolated("look_failed"):
                self.slow_readers.add(connection)
