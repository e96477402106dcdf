"""The running server: its parts, and what happens to all of them together.

Time and loss come from outside: `tick` when something is due, `disconnected` when a connection is
gone, `drain` and `hang_up` when the server is to stop.
"""

import asyncio
from collections.abc import Callable

from server.bots.pool import BotPool
from server.bots.questions import OpenQuestions
from server.commands.handshake import Handshake
from server.commands.router import CommandRouter
from server.connections.connection import Connection
from server.connections.fair_queue import FairQueue
from server.connections.registry import ConnectionRegistry
from server.connections.slow_readers import SlowReaders
from server.events.service import EventService
from server.games.library import Library
from server.lobby.devices import DeviceService
from server.lobby.feed import LobbyFeed
from server.lobby.service import LobbyService
from server.lobby.table_limits import TableLimits
from server.ops.isolation import isolated
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.store import Store, StoreError
from server.table.clocks import Timing
from server.table.turn_clock import TurnRule
from server.tables.effect_runner import EffectRunner
from server.tables.hints import Hints
from server.tables.live_tables import LiveTables
from server.tables.past_tables import PastTables
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers
from server.tables.warm_up_notices import WarmUpNotices

CLOSE_RESTART = 1012
READY_SECONDS = 2.0


class GameServer:
    """`now` gives server time in seconds; `wake` asks for a call of `tick` at such a time."""

    def __init__(
        self,
        settings: Settings,
        library: Library,
        store: Store,
        pool: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
        events: EventService | None = None,
    ) -> None:
        timing = Timing(
            bot_delay=settings.bot_delay,
            grace=settings.grace_seconds,
            abandon=settings.abandon_seconds,
            lobby=settings.lobby_seconds,
            finished=settings.finished_seconds,
            rule=TurnRule(settings.turn_seconds, settings.reserve_seconds),
        )
        self.connections = ConnectionRegistry(metrics.command, now)
        self.subscribers = Subscribers(self.connections, now, wake)
        self.questions = OpenQuestions(pool)
        self.live = LiveTables(self.subscribers, self.questions, now, wake)
        effects = EffectRunner(
            store,
            self.connections,
            self.live,
            self.subscribers,
            self.questions,
            WarmUpNotices(self.live, self.subscribers, self.connections, pool, self.settle),
            metrics,
            now,
            self.settle,
            None if events is None else events.publisher,
        )
        if events is not None:
            self.live.directory.observer = events.publisher.listed
        self.remark = _nothing if events is None else events.remark
        self.tables = TableRegistry(
            library, store, self.live, effects, self.subscribers, timing, now
        )
        metrics.watch_tables(self.live.phases)
        metrics.watch_seated_bots(self.live.bots)
        limits = TableLimits(settings, self.connections, self.tables, effects, now)
        self.feed = LobbyFeed(self.live.directory.listing, self.connections, now, wake)
        self.lobby = LobbyService(
            settings,
            self.connections,
            self.tables,
            effects,
            self.subscribers,
            limits,
            self.feed,
            now,
        )
        self.hints = Hints(self.connections, self.questions, effects, self.settle)
        self.fair_queue = FairQueue(asyncio.get_running_loop())
        self.slow_readers = SlowReaders(self.connections, self._show_anew, metrics, now, wake)
        devices = DeviceService(store, self.connections, now)
        handshake = Handshake(
            settings, store, self.connections, self.tables, effects, self.subscribers, devices, now
        )
        self.router = CommandRouter(
            store,
            self.connections,
            self.tables,
            effects,
            self.lobby,
            self.hints,
            handshake,
            PastTables(store, library, timing),
            devices,
            self.fair_queue,
            now,
            self.settle,
        )
        self._store = store
        self._effects = effects
        self._now = now

    async def open(self) -> None:
        """Read from the store what has to be known before anybody may come in."""
        for ban in await self._store.bans():
            self.connections.bans.put(ban)
        await self.tables.open()

    def disconnected(self, connection: Connection) -> None:
        """Forget a connection that is closed; its player is away now unless they have another."""
        self.slow_readers.forget(connection)
        self.feed.leave(connection)
        identity = connection.session.identity
        if identity is None:
            return
        last = self.connections.remove(identity.player.id, connection)
        if last:
            self.hints.disconnected(identity.player.id)
            self.connections.guests.disconnected(identity.player.id, self._now())
        self.tables.disconnected(connection, identity.player.id, present=not last)
        self.settle()

    async def tick(self) -> bool:
        """Do what is due at the tables and for slow readers.

        False if something raised: it may still be due, and should not be tried again at once.
        """
        parts = [
            ("tick_failed", self.tables.tick),
            ("look_failed", self.slow_readers.check),
            ("look_failed", self.subscribers.counts.announce),
            ("lobby_failed", self.feed.tell),
        ]
        well = True
        for event, part in parts:
            with isolated(event) as attempt:
                part()
            well = well and not attempt.raised
        self.settle()
        return well

    def _show_anew(self, connection: Connection) -> None:
        """Show a client that has caught up all that it follows."""
        self._effects.send_snapshots(connection)
        self.feed.caught_up(connection)

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        await self.tables.wake_one()
        self.settle()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        counts = self.subscribers.counts
        times = (
            self.live.alarms.next(),
            self.slow_readers.next_check(),
            counts.next_announcement(),
            self.feed.next_news(),
        )
        return min((time for time in times if time is not None), default=None)

    async def ready(self) -> str:
        """Why the server takes no games now; "" if it does."""
        if self.lobby.draining:
            return "draining"
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._store.ping()
        except (StoreError, TimeoutError) as error:
            return f"the store does not answer: {error or 'time is out'}"
        return ""

    def drain(self) -> None:
        """Open no more tables, and tell everybody."""
        self.lobby.draining = True
        for connection in self.connections:
            with isolated("draining_failed"):
                self.connections.put(connection, {"type": "notice", "kind": "draining"})
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


def _nothing() -> str:
    return ""
