"""The running server: connects sockets and store, and handles time, loss and the end.

Time and loss come from outside: `tick` when something is due, `disconnected` when a connection is
gone, `drain` and `hang_up` when the server is to stop.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from server.bots.pool import BotPool
from server.bots.questions import OpenQuestions
from server.commands.dispatch import Dispatcher
from server.commands.handshake import DRAINING, Handshake
from server.commands.resume import Resume
from server.commands.router import CommandRouter
from server.events.service import EventService
from server.games.library import Library
from server.lobby.feed import LobbyFeed
from server.lobby.own_tables import OwnTableFinder
from server.lobby.positions import Positions
from server.lobby.service import LobbyService
from server.lobby.table_limits import TableLimits
from server.nodes.for_administrators import ForAdministrators
from server.nodes.kicks_and_bans import KicksAndBans
from server.nodes.moving import Moving
from server.nodes.node_requests import NodeRequests
from server.nodes.other_nodes import OtherNodes
from server.nodes.player_list import PlayerList
from server.nodes.removals import Removals
from server.ops.collectors import by_phase, by_strength
from server.ops.isolation import BackgroundTasks, isolated
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.players.bans import Bans
from server.players.devices import DeviceService
from server.players.identities import Identities
from server.players.preferences import PreferencesService
from server.review.service import Reviews
from server.sessions.admission import Admission
from server.sessions.connection import Connection
from server.sessions.fair_queue import FairQueue
from server.sessions.outages import Outages
from server.sessions.registry import ConnectionRegistry
from server.sessions.slow_readers import SlowReaders
from server.sessions.subscribers import Subscribers
from server.shares import Places
from server.store import Store, StoreError
from server.table.clocks import Timing
from server.table.turn_clock import TurnRule
from server.tables.effect_runner import EffectRunner
from server.tables.guests import Guests
from server.tables.hints import Hints
from server.tables.live_tables import LiveTables
from server.tables.registry import TableRegistry
from server.tables.table_logs import TableLogs
from server.tables.warm_up_notices import WarmUpNotices

CLOSE_RESTART = 1012
READY_SECONDS = 2.0


class ServerParts(NamedTuple):
    """The parts of a server. `now` returns server time in seconds.

    `wake` requests a call of `tick` at a time, and `fenced` is called when other nodes own the
    tables of this one.
    """

    settings: Settings
    library: Library
    store: Store
    bots: BotPool
    metrics: Metrics
    now: Callable[[], float]
    wake: Callable[[float], None]
    events: EventService | None = None
    fenced: Callable[[], None] = lambda: None


class GameServer:
    """The whole server."""

    moving: Moving | None = None
    """What gives tables to other nodes; None without any."""
    neighbours: OtherNodes | None = None
    """The other nodes; None if this server has its database alone."""

    def __init__(self, parts: ServerParts) -> None:
        settings, library, store, bots, metrics, now, wake, events, _ = parts
        self.store = store
        self.now = now
        self.remark = events.remark if events is not None else lambda: ""
        self.timing = timing = _timing(settings)
        # What was begun for a command and waits for the store.
        self.background = BackgroundTasks("command_failed")
        spawn = self.background.spawn
        self.slow_readers = SlowReaders(self._caught_up, metrics, now, wake)
        self.connections = connections = ConnectionRegistry(self.slow_readers, metrics.command, now)
        places = Places(settings.max_connections, settings.max_connections_per_address)
        self.admission = Admission(places, self.plays, metrics, connections.access_log)
        self.fair_queue = FairQueue(asyncio.get_running_loop())
        self.outages = Outages(connections, now)

        self.subscribers = subscribers = Subscribers(connections, now, wake)
        self.questions = questions = OpenQuestions(bots)
        publisher = None if events is None else events.publisher
        self.live = live = LiveTables(subscribers, questions, now, wake, publisher)
        self.guests = guests = Guests()
        warm_ups = WarmUpNotices(live, subscribers, connections, bots, spawn)
        self.effects = effects = EffectRunner(
            store,
            connections,
            guests,
            live,
            subscribers,
            bots,
            questions,
            warm_ups,
            metrics,
            now,
            spawn,
            publisher,
        )
        self.tables = tables = TableRegistry(
            library, store, live, effects, subscribers, connections, timing, now
        )

        self.bans = Bans()
        self.requests = requests = NodeRequests(store, now, spawn)
        devices = DeviceService(store, connections, guests, now, requests.row)
        requests.handlers |= devices.for_others
        self.players = players = Identities(store, guests, devices, self.bans, now)
        self.feed = LobbyFeed(live.directory.listing, now, wake)
        limits = TableLimits(settings, connections, tables, effects, now)
        own = OwnTableFinder(store, tables, timing.rule)
        logs = TableLogs(store, library, timing)
        positions = Positions(store, logs)
        self.lobby = LobbyService(
            settings, tables, effects, subscribers, limits, self.feed, own, positions, now
        )
        self.hints = Hints(connections, bots, questions, effects, spawn)
        self.reviews = Reviews(store, logs, bots, now)
        self.removals = Removals(store, connections, tables, self.bans, now, spawn)
        player_list = PlayerList(connections, live.directory)
        kicks = KicksAndBans(
            store, connections, tables, self.bans, self.removals, requests, player_list, now
        )
        self.for_administrators = ForAdministrators(
            store, connections, tables, self.removals, requests, kicks, player_list
        )

        self.resume = Resume(store, players, connections, tables, effects, subscribers, now)
        self.handshake = Handshake(
            settings,
            connections,
            self.admission,
            players,
            guests,
            self.resume,
            self.outages,
            live.directory.plays,
            now,
        )
        self.dispatcher = Dispatcher(
            connections,
            players,
            devices,
            PreferencesService(store, guests),
            tables,
            effects,
            self.lobby,
            self.hints,
            logs,
            self.reviews,
            now,
        )
        self.router = CommandRouter(
            connections, self.dispatcher, self.handshake, self.fair_queue, now, spawn
        )
        metrics.watch(lambda: by_phase(live.phases()))
        metrics.watch(lambda: by_strength(live.bots()))

    async def open(self) -> None:
        """Read the values from the store that are needed before the first client connects."""
        self.bans.load(await self.store.bans())
        await self.tables.open()

    def plays(self, player: str) -> bool:
        """Whether a player has a seat in play."""
        return self.live.directory.plays(player)

    def disconnected(self, connection: Connection) -> None:
        """Forget a closed connection; its player is absent now unless they have another one."""
        self.admission.remove(connection)
        self.slow_readers.forget(connection)
        present = self.connections.remove(connection)
        player = connection.player.id
        if player:
            self.feed.leave(connection)
            if not present:
                self.guests.disconnected(player, self.now())
                self.hints.disconnected(player)
            self.tables.disconnected(connection, present)
        self.connections.flush()

    async def tick(self) -> bool:
        """Do what is due at the tables and for slow readers.

        Returns False if something raised: it may still be due, and should not be tried again at
        once.
        """
        well = self._do(
            ("tick_failed", self.tables.tick),
            ("look_failed", self.subscribers.counts.announce),
            ("lobby_failed", self.feed.tell),
        )
        return self.look_at_slow_readers() and well

    def look_at_slow_readers(self) -> bool:
        """Do what is due for slow readers alone; return False if something raised."""
        return self._do(("look_failed", self.slow_readers.check))

    def _do(self, *parts: tuple[str, Callable[[], None]]) -> bool:
        """Call each function whatever the others raise; return False if one raised."""
        well = True
        for event, part in parts:
            with isolated(event) as attempt:
                part()
            well = well and not attempt.raised
        self.connections.flush()
        return well

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        await self.tables.wake_one()
        self.connections.flush()

    def next_tick(self) -> float | None:
        """Return the time at which `tick` is to be called next."""
        times = (
            self.live.alarms.next(),
            self.subscribers.counts.next_announcement(),
            self.feed.next_news(),
            self.slow_readers.next_check(),
        )
        return min((time for time in times if time is not None), default=None)

    async def ready(self) -> str:
        """Return why the server takes no games now; "" if it does."""
        if self.lobby.draining:
            return "draining"
        return await self._trouble()

    async def why_away(self) -> str:
        """Return why no moves can be saved now, as far as is known; "" if they can."""
        return await self._trouble() if self.store.trouble is not None else ""

    async def _trouble(self) -> str:
        """Return what keeps the store from saving anything; "" if it saves."""
        try:
            if self.store.node is not None:
                self.store.node.lease.check()
            async with asyncio.timeout(READY_SECONDS):
                await self.store.ping()
        except (StoreError, TimeoutError) as error:
            return f"the store does not answer: {error or 'time is out'}"
        return ""

    def drain(self) -> None:
        """Open no more tables; tell all clients, and those that connect until the end."""
        self.lobby.draining = self.handshake.draining = True
        for connection in self.connections:
            with isolated("draining_failed"):
                connection.put(DRAINING)
        self.connections.flush()

    def hang_up(self, reason: str = "the server stops") -> None:
        """Close every connection; clients reconnect by themselves."""
        for connection in self.connections:
            with isolated("draining_failed"):
                connection.close(CLOSE_RESTART, reason)

    def _caught_up(self, connection: Connection) -> None:
        """Send a client new snapshots of the tables whose events it was not sent for a while."""
        self.effects.send_snapshots(connection)
        self.feed.caught_up(connection)


def _timing(settings: Settings) -> Timing:
    return Timing(
        bot_delay=settings.bot_delay,
        grace=settings.grace_seconds,
        abandon=settings.abandon_seconds,
        lobby=settings.lobby_seconds,
        finished=settings.finished_seconds,
        rule=TurnRule(settings.turn_seconds, settings.reserve_seconds),
    )
