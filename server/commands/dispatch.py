"""The dispatcher: each command goes to its handler, and is answered once.

a command ─▶ answered before? ─▶ its table, or the lobby ─▶ its handler ─▶ one answer
"""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from protocol.features import MOVED
from protocol.to_server import (
    Act,
    AddDevice,
    AtTable,
    Chat,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hint,
    Join,
    Leave,
    ListTables,
    Log,
    MyTables,
    Preferences,
    Review,
    RevokeDevice,
    Sync,
    ToServer,
    UnfollowTables,
    Watch,
    WhoseCode,
)
from protocol.wire_form import WireForm
from server.commands.failures import answer_to
from server.lobby.service import LobbyService
from server.names import CommandKey, Player
from server.players.devices import DeviceService
from server.players.identities import Identities
from server.players.preferences import PreferencesService
from server.refusals import elsewhere, moved, refusal
from server.review.service import Reviews
from server.sessions.connection import Connection
from server.sessions.registry import TRANSIENT, ConnectionRegistry
from server.table.decide import TableCommand
from server.table.guarded_game import RulesFailed
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.hints import Hints
from server.tables.registry import TableRegistry
from server.tables.table_logs import TableLogs

PRICE_OF_AN_ENTRY = 0.25
"""What each entry costs that a table goes on with, beside the price of `create_table`."""


class RemoteTables(Protocol):
    """Finds the tables of other nodes."""

    async def find(self, code: str, failed: str | None = None) -> str | None:
        """Return the address at which another node has a table; None if no other node has it.

        Raises `ProtocolError` if that is unknown now; `failed` is an address that was unreachable.
        """

    def check(self) -> None:
        """Raise `ProtocolError` while other nodes may own the tables of this one."""


class TableElsewhere(Exception):
    """The table is at another node, which clients reach by this `address`."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class Dispatcher:
    """Hands commands to their handlers. `now` returns server time in seconds.

    If there are other nodes, `finder` finds their tables.
    """

    def __init__(
        self,
        connections: ConnectionRegistry,
        players: Identities,
        devices: DeviceService,
        preferences: PreferencesService,
        tables: TableRegistry,
        effects: EffectRunner,
        lobby: LobbyService,
        hints: Hints,
        logs: TableLogs,
        reviews: Reviews,
        now: Callable[[], float],
    ) -> None:
        self.finder: RemoteTables | None = None
        self._connections = connections
        self._players = players
        self._devices = devices
        self._preferences = preferences
        self._tables = tables
        self._effects = effects
        self._lobby = lobby
        self._hints = hints
        self._logs = logs
        self._reviews = reviews
        self._now = now

    def carry_out(
        self, connection: Connection, key: CommandKey, command: ToServer, fresh: bool
    ) -> Coroutine[Any, Any, None] | None:
        """Carry out one command of a player, which is answered now or later.

        If that may take long, the rest is returned and has to be awaited. `fresh` says that the
        command cannot have been answered before, as far as the connection knows.
        """
        table = None
        try:
            if self.finder is not None:
                self.finder.check()
            if isinstance(command, AtTable):
                table = self._tables.live.get(command.table)
            look_up = not fresh or self._is_strange(key, command)
            joins_others = self.finder is not None and isinstance(command, Join)
            if table is None or look_up or joins_others:
                return self._carry_out_slowly(connection, key, command, look_up)
            self._handle(connection, key, command, table)
        except Exception as error:
            self._failed(command, key, error)
        return None

    async def _carry_out_slowly(
        self, connection: Connection, key: CommandKey, command: ToServer, look_up: bool
    ) -> None:
        """Carry out a command that may have to wait for the store.

        With `look_up` it may have been answered before.
        """
        try:
            answer = None
            if look_up:
                answer = await self._answer_in_store(key, command)
            if answer is not None:
                self._connections.answer(key, answer)
                self._tell_if_over(connection, answer)
            elif not isinstance(command, AtTable):
                if not self._connections.is_in_vain(command, connection):
                    answer = await self._answer_in_lobby(connection, key, command)
                    if answer is not None:
                        self._connections.answer(key, answer)
            else:
                held = 0
                if self.finder is not None and isinstance(command, Join):
                    held = await self._lobby.held_elsewhere(connection.player)
                failed = command.failed if isinstance(command, Watch) else None
                table = await self._table(command.table, failed)
                # They may have been banned meanwhile, and lost the seats that they had.
                player, token = connection.player.id, connection.identity.token
                self._players.check(player, token, connection.address)
                if not self._connections.is_in_vain(command, connection):
                    self._handle(connection, key, command, table, held)
        except TableElsewhere as moved_to:
            await self._moved(connection, key, command, moved_to.address)
        except Exception as error:
            self._failed(command, key, error)

    def _handle(
        self,
        connection: Connection,
        key: CommandKey,
        command: ToServer,
        table: Table,
        held: int = 0,
    ) -> None:
        """Hand a command to its handler, by default the table.

        A joining player has `held` seats at tables of other nodes.
        """
        player = connection.player
        match command:
            # As below, but most commands are moves.
            case Act():
                self._to_table(command, player, key, table)
            case Join():
                self._lobby.may_join(command, connection, table, held)
                self._to_table(command, player, key, table)
            case Leave() if self._lobby.watches(connection, table):
                self._lobby.stop_watching(connection, table, key)
            case Watch():
                self._lobby.watch(connection, table, key)
            case Sync():
                self._lobby.sync(connection, table, key)
            case Hint():
                self._hints.ask(player, table, key)
            case Chat():
                self._lobby.chat(command, connection, table, key)
            case _:
                assert isinstance(command, AtTable)
                self._to_table(command, player, key, table)

    def _to_table(
        self, command: TableCommand, player: Player, key: CommandKey, table: Table
    ) -> None:
        self._effects.perform(table, table.command(command, player, key, self._now()))

    async def _answer_in_lobby(
        self, connection: Connection, key: CommandKey, command: ToServer
    ) -> WireForm | None:
        """Return the answer to a command that needs no table; None if it is answered later."""
        player, address = connection.player, connection.address
        match command:
            case Games():
                games = await self._lobby.games(command)
                connection.legends.update(
                    card["digest"] for card in games["games"] if "digest" in card
                )
                return games
            case ListTables():
                return self._lobby.tables(command)
            case FollowTables():
                return self._lobby.follow(command, connection)
            case UnfollowTables():
                return self._lobby.unfollow(command, connection)
            case AddDevice():
                return await self._devices.add(command, connection)
            case WhoseCode():
                return await self._devices.whose(command, connection)
            case Devices():
                return await self._devices.listed(command, connection)
            case RevokeDevice():
                return await self._devices.revoke(command, connection)
            case Preferences():
                return await self._preferences.answer(command, connection)
            case MyTables():
                return await self._lobby.own_tables(command, player)
            case Log():
                return await self._logs.log(command, player, connection.features, address)
            case Review():
                return await self._reviews.review(command, player, address)
            case CreateTable():
                written = await self._lobby.create(command, player, key, address)
                if command.position is not None:
                    self._connections.charge(player.id, written * PRICE_OF_AN_ENTRY)
                return None
            case _:
                raise ValueError(f"{command.type} is answered before it comes here")

    async def _table(self, code: str, failed: str | None = None) -> Table:
        """Return the table, loaded if it sleeps; raise `ProtocolError` if that is impossible.

        Raises `TableElsewhere` if another node has it; `failed` is as in `RemoteTables`.
        """
        table = self._tables.live.get(code) or await self._tables.get(code)
        if table is None:
            await self._look_elsewhere(code, failed)
        # Another node's may have become this one's while the database was asked whose it is.
        table = table or await self._tables.get(code)
        if table is None and self._tables.is_damaged(code):
            args = {"table": code, "why": self._tables.why_damaged(code)}
            raise refusal("table_damaged", "refused_table_damaged", args)
        if table is None:
            raise refusal("unknown_table", "refused_no_table", {"table": code})
        return table

    async def _look_elsewhere(self, code: str, failed: str | None) -> None:
        if self.finder is not None:
            address = await self.finder.find(code, failed)
            if address is not None:
                raise TableElsewhere(address)

    # One answer each

    async def _moved(
        self, connection: Connection, key: CommandKey, command: ToServer, address: str
    ) -> None:
        """Tell a client the node of its command's table, or refuse it if it cannot go there."""
        try:
            if MOVED not in connection.features:
                raise elsewhere(address)
            await self._players.store(connection.player.id)
            assert isinstance(command, AtTable)
            self._connections.answer(key, {**moved(command.table, address), "id": key.command})
        except Exception as error:
            self._failed(command, key, error)

    def _failed(self, command: ToServer, key: CommandKey, error: Exception) -> None:
        """Answer a command that raised."""
        if isinstance(error, RulesFailed):
            # The table has reported it, and is being closed if nobody can go on.
            error = refusal("internal", "refused_rules_failed")
        answer = answer_to(command, error)
        try:
            if command.reads or answer["code"] in TRANSIENT:
                self._connections.answer(key, answer)
            else:
                self._effects.answers.record(key, answer)
        except Exception as another:
            self._connections.answer(key, answer_to(command, another))

    def _is_strange(self, key: CommandKey, command: ToServer) -> bool:
        """Whether a fresh command may have been answered on an earlier connection all the same.

        A number above all that were found when the client connected is new, except for a move at a
        table where the player has no seat: that log was not read then. And another node may have
        answered it since, at a table that it owned until a moment ago.
        """
        taken = self._tables.taken
        if taken and getattr(command, "table", None) in taken:
            return True
        return isinstance(command, Act) and not self._tables.directory.sits(key[0], command.table)

    async def _answer_in_store(self, key: CommandKey, command: ToServer) -> WireForm | None:
        """Return the answer that an earlier connection of this client got, or None."""
        tables = self._tables.directory.tables_of(key.player)
        if isinstance(command, Act):
            tables |= {command.table}
        return await self._effects.answers.stored(key, self._tables.with_logs(tables))

    def _tell_if_over(self, connection: Connection, answer: WireForm) -> None:
        """After a repeated `asked`, tell a player whose request has ended that no answer comes."""
        if answer["type"] != "asked":
            return
        code, player = answer["table"], connection.player.id
        table = self._tables.live.get(code)
        waits = table is not None and player in table.seat_requests
        if not waits and not self._tables.directory.sits(player, code):
            over = {"table": code, "request": answer["request"], "reason": "over"}
            connection.tell({"type": "notice", "kind": "refused", **over})
