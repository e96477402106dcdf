"""The lobby service: commands that belong to no single table.

It opens tables, lists games and tables, and handles watching and chat. An answer to a command that
changes nothing is never stored.
"""

from collections.abc import Callable
from functools import partial

from engine import SPECTATOR, complete_options, seed_from_int
from engine.facts import Viewer
from protocol.features import APART, SEEDED
from protocol.to_server import (
    Chat,
    CreateTable,
    FollowTables,
    Games,
    Join,
    ListTables,
    MyTables,
    UnfollowTables,
)
from protocol.wire_form import WireForm
from server.games.option_texts import SETTINGS
from server.lobby.feed import LobbyFeed
from server.lobby.own_tables import OwnTableFinder
from server.lobby.positions import Positions
from server.lobby.table_limits import TableLimits
from server.names import CommandKey, Player, clean
from server.ops.settings import Settings
from server.rate_limit import Allowances
from server.refusals import refusal
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.table import refusals
from server.table.entries import Opened, Seated, entries_after
from server.table.fold import advance, open_table
from server.table.table import Table
from server.tables.directory import new_code
from server.tables.effect_runner import EffectRunner
from server.tables.registry import TableRegistry


class LobbyService:
    """Lists, new tables, spectators and chat. `now` returns server time in seconds."""

    def __init__(
        self,
        settings: Settings,
        tables: TableRegistry,
        effects: EffectRunner,
        subscribers: Subscribers,
        limits: TableLimits,
        feed: LobbyFeed,
        own: OwnTableFinder,
        positions: Positions,
        now: Callable[[], float],
    ) -> None:
        self.draining = False
        self._feed = feed
        self._own = own
        self._positions = positions
        self._limits = limits
        self._settings = settings
        self._tables = tables
        self._effects = effects
        self._subscribers = subscribers
        self._now = now
        self.chatted = Allowances(settings.chat_per_minute / 60, settings.chat_per_minute)
        """What each player may still say, over all their connections, tables and nodes."""

    async def games(self, command: Games) -> WireForm:
        """Return the games on offer, or all details of one of them."""
        library = self._tables.library
        await library.refresh()
        whole = command.game is not None
        ids = [command.game] if command.game else [info.id for info in library]
        cards = [library.card(id, whole) for id in ids]
        answer: WireForm = {"type": "games", "id": command.id, "games": cards}
        return {**answer, "settings": SETTINGS} if whole else answer

    def tables(self, command: ListTables) -> WireForm:
        """Return one page of the public tables."""
        tables, following = self._tables.directory.listing.page(command)
        answer: WireForm = {"type": "tables", "id": command.id, "tables": tables}
        return answer if following is None else {**answer, "next": following}

    def follow(self, command: FollowTables, connection: Subscriber) -> WireForm:
        """Return the matching public tables, and send their changes from now on."""
        return self._feed.follow(connection, command)

    def unfollow(self, command: UnfollowTables, connection: Subscriber) -> WireForm:
        """Send no more changes to the connection."""
        self._feed.leave(connection)
        return {"type": "ok", "id": command.id}

    async def own_tables(self, command: MyTables, player: Player) -> WireForm:
        """Return all nodes' tables with a player's seat, also private and sleeping ones."""
        seats = await self._own.of(player.id)
        tables = [{"seat": seat, "info": info} for seat, info in seats]
        return {"type": "my_tables", "id": command.id, "tables": tables}

    async def create(
        self, command: CreateTable, player: Player, key: CommandKey, address: str
    ) -> int:
        """Open a table with its host at seat 0; return how many entries its log begins with."""
        await self._tables.library.refresh()
        held = await self.held_elsewhere(player)
        # Nothing makes room for a table that may not be opened.
        self._may_open(command, player, address, held)
        code = self._fresh_code(command.settings.private)
        async with self._limits.place_for(code, address):
            self._may_still_open(command)
            if command.position is not None:
                opened, first = await self._positions.opening(
                    command.position, command.settings, player, key, self._now(), address
                )
                self._may_still_open(command)
                self._tables.create(code, opened, first, key)
                return len(first.entries)
            game = self._tables.library.for_new_table(command.game)
            seats = game.info.usual_seats if command.seats is None else command.seats
            options = dict(complete_options(game, seats, command.options))
            seed = None if command.seed is None else seed_from_int(command.seed).hex()
            opened = Opened(game.info.id, game.info.version, seats, options, command.settings, seed)
            seated = Seated(0, player.id, player.name, player.program)
            entries = entries_after(0, [opened, seated], key, self._now())
            first = advance(game, open_table(game, opened), entries)
            self._tables.create(code, opened, first, key)
            return len(entries)

    def watch(self, connection: Subscriber, table: Table, key: CommandKey) -> None:
        """Let a player follow a table: from their seat if they have one, else as a spectator."""
        player = connection.player
        seat = table.state.seat_of(player.id)
        if player.id in table.state.banned:
            raise refusals.of("removed")
        if seat is None and not table.state.settings.watchable:
            raise refusal("forbidden", "refused_not_watchable")
        if seat is None and table.may_be_undone:
            self._effects.perform(table, table.watch(player.id, key, self._now()))
            return
        self._show(connection, table, SPECTATOR if seat is None else seat, key)

    def sync(self, connection: Subscriber, table: Table, key: CommandKey) -> None:
        """Send the table again, as the connection may see it.

        A player at the table may not be told of it yet: a node died before it answered their
        `join`, which another one then found done.
        """
        viewer = self._subscribers.of(table.code).viewer(connection)
        if viewer is None:
            viewer = table.state.seat_of(connection.player.id)
        if viewer is None:
            raise refusal("not_seated", "refused_not_here")
        self._show(connection, table, viewer, key)

    def _show(self, connection: Subscriber, table: Table, viewer: Viewer, key: CommandKey) -> None:
        self._effects.send_snapshot(table, connection, viewer, key)
        if viewer >= 0:
            # Since the table was loaded they may not have been there.
            present = table.player_connected(connection.player.id, self._now())
            self._effects.perform(table, present)

    async def held_elsewhere(self, player: Player) -> int:
        """Return the number of a player's seats at tables of other nodes."""
        return len(await self._own.elsewhere(player.id))

    def may_join(self, command: Join, connection: Subscriber, table: Table, held: int) -> None:
        """Refuse a player at the limit of seats, unless they need no new one.

        The player has `held` seats at tables of other nodes. They may sit at the table already, or
        repeat a request to join. A player whose program can show that a person has chosen the seed
        must know that, too.
        """
        player, state = connection.player, table.state
        if state.seat_of(player.id) is not None or player.id in table.seat_requests:
            return
        self._limits.may_sit(player, held)
        if state.seeded and SEEDED in connection.features and not command.seeded:
            raise refusal("forbidden", "refused_seeded")

    def watches(self, connection: Subscriber, table: Table) -> bool:
        """Whether a player follows a table at which they have no seat."""
        seat = table.state.seat_of(connection.player.id)
        return seat is None and connection in self._subscribers.of(table.code)

    def stop_watching(self, connection: Subscriber, table: Table, key: CommandKey) -> None:
        """Let a spectator leave, which also withdraws a request to join."""
        self._tables.withdraw(table.code, key.player)
        gone = partial(self._tables.unfollow, table, connection)
        self._effects.answers.record_and_tell(table, key, gone)

    def chat(self, command: Chat, connection: Subscriber, table: Table, key: CommandKey) -> None:
        """Send a player's line to all at the table, and a spectator's line to the spectators."""
        player = connection.player
        seat = table.state.seat_of(player.id)
        apart = table.state.settings.spectator_chat and self.watches(connection, table)
        if seat is None and not apart:
            raise refusal("not_seated", "refused_chat_seat")
        limit = self._settings.chat_per_minute
        if not limit:
            raise refusal("forbidden", "refused_no_chat")
        text = clean(command.text)
        if self.chatted.take(player.id, self._now()):
            raise refusal("rate_limited", "refused_chat_fast", {"most": limit})
        said: WireForm = {"type": "chat", "table": table.code, "seat": seat, "name": player.name}
        said["text"] = text
        if command.phrase is not None:
            said["phrase"] = command.phrase
        if seat is None:
            said["apart"] = True
        self._effects.answers.record_and_tell(table, key, partial(self._tell, table, said))

    def _tell(self, table: Table, said: WireForm) -> None:
        """Send a line to those at a table, and keep it for those who come back."""
        if table.state.phase != "closed":
            humans = (chair.player for chair in table.state.chairs if chair.kind == "human")
            said = self._subscribers.chat.keep(table.code, said, frozenset(humans))
        followers = self._subscribers.of(table.code)
        if said.get("apart"):
            followers.tell_spectators(said, APART)
        else:
            followers.broadcast(said)

    def _may_open(self, command: CreateTable, player: Player, address: str, held: int) -> None:
        self._may_still_open(command)
        self._limits.may_open(player, address, held)

    def _may_still_open(self, command: CreateTable) -> None:
        """Refuse to open tables if the server may have begun to stop."""
        if self.draining:
            raise refusal("draining", "refused_stopping")
        if command.seed is not None and not self._settings.allow_seeds:
            raise refusal("forbidden", "refused_seed")

    def _fresh_code(self, private: bool) -> str:
        """Return a code that no table has, nor one that is being opened."""
        code = new_code(private)
        while self._tables.knows(code) or self._limits.is_reserved(code):
            code = new_code(private)
        return code
