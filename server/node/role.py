"""The role *tables*: everything that has tables, put together behind the bus."""

from collections.abc import Callable

from server.bots.pool import BotPool
from server.bots.questions import OpenQuestions
from server.bus.bus import Bus
from server.crossing.parcels import Message
from server.events.service import EventService
from server.games.library import Library
from server.lobby.feed import LobbyFeed
from server.lobby.own_tables import OwnTables
from server.lobby.service import LobbyService
from server.lobby.table_limits import TableLimits
from server.node.arrivals import Arrivals
from server.node.commands import TableCommands
from server.node.followers import Connected
from server.node.for_administrators import ForAdministrators
from server.node.lease_duties import LeaseDuties
from server.node.leased_bus import LeasedBus
from server.node.moving import Moving
from server.node.node_requests import NodeRequests
from server.node.other_nodes import OtherNodes
from server.node.ports import Ports
from server.node.removals import Removals
from server.node.shared_rows import SharedRows
from server.node.table_finder import TableFinder
from server.ops.isolation import Beside, isolated
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.players.devices import DeviceService
from server.players.identities import Players
from server.players.shared_bans import SharedBans
from server.review.service import Reviews
from server.store import LeaseState, Store
from server.table.clocks import Timing
from server.table.turn_clock import TurnRule
from server.tables.effect_runner import EffectRunner
from server.tables.guests import Guests
from server.tables.hints import Hints
from server.tables.links import Links
from server.tables.live_tables import LiveTables
from server.tables.past_tables import PastTables
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers
from server.tables.taken_tables import TakenTables
from server.tables.warm_up_notices import WarmUpNotices


class TablesRole:
    """`now` gives server time in seconds; `wake` asks for a call of `tick` at such a time."""

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
        timing = Timing(
            bot_delay=settings.bot_delay,
            grace=settings.grace_seconds,
            abandon=settings.abandon_seconds,
            lobby=settings.lobby_seconds,
            finished=settings.finished_seconds,
            rule=TurnRule(settings.turn_seconds, settings.reserve_seconds),
        )
        self._store = store
        self.links = Links()
        leased = None if store.node is None else LeasedBus(bus, store.node, self.links)
        # Called after everything, so it is not called by way of this object.
        settle = self.links.flush
        self.guests = Guests()
        self.bans = SharedBans(self.links)
        self.subscribers = Subscribers(self.links, now, wake)
        self.questions = OpenQuestions(bots)
        self.live = LiveTables(self.subscribers, self.questions, now, wake)
        # What was begun for a command and waits for the store.
        self.beside = Beside("command_failed")
        effects = EffectRunner(
            store,
            self.links,
            self.guests,
            self.live,
            self.subscribers,
            self.questions,
            WarmUpNotices(self.live, self.subscribers, self.links, bots, settle),
            metrics,
            now,
            settle,
            self.beside.spawn,
            None if events is None else events.publisher,
        )
        if events is not None:
            self.live.directory.observer = events.publisher.listed
        self.tables = TableRegistry(
            library, store, self.live, effects, self.subscribers, self.links, timing, now
        )
        self.lease: LeaseDuties | None = None
        self.neighbours: OtherNodes | None = None
        self.moving: Moving | None = None
        spawn = self.beside.spawn
        devices = DeviceService(store, self.links, self.guests, now)
        players = Players(store, self.guests, devices, self.bans, now)
        arrivals = Arrivals(store, players, self.links, self.tables, effects, self.subscribers, now)
        requests = NodeRequests(store, now, spawn)
        devices.ask_others = requests.row
        requests.handlers |= devices.for_others
        removals = Removals(store, self.tables, self.bans, now, settle, spawn)
        self.for_administrators = ForAdministrators(
            store, self.links, self.tables, self.subscribers, self.bans, removals, requests, now
        )
        if leased is not None and (node := store.node) is not None:
            directory = self.live.directory
            taken = TakenTables(store, self.links, self.tables, effects, now)
            self.lease = LeaseDuties(node, leased, taken, Beside("takeover_failed"))
            if events is not None:
                directory.on_hand_over = events.publisher.handed_over
                taken.on_show.append(events.publisher.taken)
            taken.on_take.append(removals.taken)
            taken.on_show.append(removals.look_at)
            admin = self.for_administrators
            rows = SharedRows(store, directory, timing.rule, admin, self.lease.given, spawn)
            if events is not None:
                events.publisher.share(lambda: node.state is LeaseState.HELD, rows.tables)
            self.neighbours = requests.others = others = OtherNodes(node, rows.look)
            arrivals.finder = admin.finder = TableFinder(
                node, store, self.tables, taken, others, now
            )
            followers = Connected(
                node.name, others, players, self.subscribers, arrivals, settle, spawn
            )
            self.moving = admin.moving = Moving(
                node, store, self.tables, taken, self.neighbours, followers, self.links, settle
            )
        metrics.watch_tables(self.live.phases)
        metrics.watch_seated_bots(self.live.bots)
        self.feed = LobbyFeed(self.live.directory.listing, now, wake)
        own = OwnTables(store, self.tables, timing.rule)
        limits = TableLimits(settings, self.links, self.tables, effects, now)
        self.lobby = LobbyService(
            settings, self.tables, effects, self.subscribers, limits, self.feed, own, now
        )
        self.hints = Hints(self.links, self.questions, effects, settle)
        pasts = PastTables(store, library, timing)
        self.reviews = Reviews(store, pasts, bots, now)
        commands = TableCommands(
            store,
            self.links,
            players,
            devices,
            self.tables,
            effects,
            self.lobby,
            self.hints,
            pasts,
            self.reviews,
            now,
            settle,
            spawn,
            arrivals.finder,
        )
        self._ports = Ports(
            leased or bus,
            self.links,
            self.guests,
            players,
            self.bans,
            self.tables,
            effects,
            self.hints,
            self.feed,
            commands,
            arrivals,
            now,
            settle,
            spawn,
        )
        if (lease := self.lease) is not None:
            self.tables.on_own = lambda code: lease.given([code])
            lease.ports, lease.neighbours = self._ports, self.neighbours

    async def open(self) -> None:
        """Read from the store what has to be known before anybody may come in."""
        self.bans.load(await self._store.bans())
        self.settle()
        node = self._store.node
        if node is not None:
            await node.settled()
        await self.tables.open()
        if node is not None and self.lease is not None:
            node.listen(self.lease)

    def tick(self) -> bool:
        """Do what is due at the tables; False if it may still be due.

        That is if something raised, or while others may own the tables.
        """
        if self.lease is not None and not self.lease.is_sure:
            return False
        well = True
        for event, part in (
            ("tick_failed", self.tables.tick),
            ("look_failed", self.subscribers.counts.announce),
            ("lobby_failed", self.feed.tell),
        ):
            with isolated(event) as attempt:
                part()
            well = well and not attempt.raised
        self.settle()
        return well

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (
            self.live.alarms.next(),
            self.subscribers.counts.next_announcement(),
            self.feed.next_news(),
        )
        return min((time for time in times if time is not None), default=None)

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        if self.lease is not None:
            await self.lease.sure()
        await self.tables.wake_one()
        self.settle()

    def settle(self) -> None:
        """Send what waits for gateways."""
        self.links.flush()
