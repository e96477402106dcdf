"""The command router: hands each command to its handler, and sees that it is answered once.

a frame ─▶ the session decodes it ─▶ answered before? ─▶ its handler ─▶ one answer
"""

import json
from collections.abc import Callable
from typing import assert_never

import structlog

from protocol.errors import ProtocolError
from protocol.prices import PRICES
from protocol.to_server import (
    Act,
    AddBot,
    AddDevice,
    Admit,
    Back,
    Chat,
    Configure,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hello,
    Hint,
    Join,
    Kick,
    Leave,
    ListTables,
    Log,
    MyTables,
    Ping,
    Ready,
    Rematch,
    RemoveBot,
    RevokeDevice,
    Sit,
    StandIn,
    Start,
    Sync,
    ToServer,
    Undo,
    UnfollowTables,
    Watch,
)
from protocol.version import CLOSE_REFUSED
from protocol.wire_form import WireForm, error_message
from server.commands.failures import FailedCommands
from server.commands.handshake import Handshake
from server.connections.connection import Connection
from server.connections.fair_queue import FairQueue
from server.connections.registry import ConnectionRegistry
from server.connections.session import READS, Session
from server.lobby.devices import DeviceService
from server.lobby.service import LobbyService
from server.store import AnswerRow, EntryRow, Forgotten, Store, StoreError
from server.table.answers import ok_answer
from server.table.decide import Player
from server.table.entries import Key
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.hints import Hints
from server.tables.past_tables import PastTables
from server.tables.registry import TableRegistry

log = structlog.get_logger()

EXPENSIVE = 3
"""The price from which commands wait for their turn in the fair queue."""
TABLE_COMMANDS = (
    Act,
    AddBot,
    Admit,
    Back,
    Configure,
    Kick,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    StandIn,
    Start,
    Undo,
)
"""Commands that a table handles by itself, whoever sends them."""


class CommandRouter:
    """`now` gives server time in seconds; `settle` sends what was put into next frames."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        effects: EffectRunner,
        lobby: LobbyService,
        hints: Hints,
        handshake: Handshake,
        pasts: PastTables,
        devices: DeviceService,
        fair_queue: FairQueue,
        now: Callable[[], float],
        settle: Callable[[], None],
    ) -> None:
        self._store = store
        self._connections = connections
        self._tables = tables
        self._effects = effects
        self._lobby = lobby
        self._hints = hints
        self._handshake = handshake
        self._pasts = pasts
        self._devices = devices
        self._fair_queue = fair_queue
        self._failures = FailedCommands(connections, effects)
        self._now = now
        self._settle = settle

    async def receive(self, connection: Connection, raw: bytes | str) -> None:
        """Carry out one message of a connection and answer it, or say why not.

        Most messages are moves: between one and its table lie as few calls as can be.
        """
        if connection.closing:
            # If it was replaced, what it says was sent again on the newer one.
            return
        session = connection.session
        command: ToServer | None = None
        key: Key | None = None
        arrived = self._now()
        try:
            command = session.receive(raw, arrived)
            price = PRICES[command.type]
            if price >= EXPENSIVE and not await self._its_turn(connection, price):
                return
            if isinstance(command, Hello):
                await self._hello(connection, command, arrived)
            elif (answer := session.recall(command)) is not None:
                self._connections.put(connection, answer)
                self._tell_if_over(connection, answer)
            else:
                identity, named = session.identity, session.key(command)
                assert identity is not None, "the session lets nothing through before hello"
                if isinstance(command, READS) or self._connections.begin_command(
                    named, command, arrived
                ):
                    key = named
                    if self._may_be_old(session, command):
                        answer = await self._answer_in_store(key, command)
                    if answer is not None:
                        self._connections.answer(key, answer)
                        self._tell_if_over(connection, answer)
                    elif isinstance(command, TABLE_COMMANDS):
                        table = self._tables.live.get(command.table) or await self._table(
                            command.table
                        )
                        effects = table.command(command, identity.player, key, self._now())
                        self._effects.perform(table, effects)
                    else:
                        await self._handle(connection, command, identity.player, key, arrived)
                        if isinstance(command, READS) and not isinstance(command, Hint):
                            self._connections.count(
                                command, "ok", arrived, connection, identity.player.id
                            )
        except Exception as error:
            self._failures.answer(connection, command, key, error, arrived)
        self._settle()

    async def _its_turn(self, connection: Connection, price: float) -> bool:
        """Wait until something of this price may be done; False if it is too late for it then."""
        await self._fair_queue.wait_turn(price)
        return not connection.closing

    async def _handle(
        self,
        connection: Connection,
        command: AddDevice
        | Chat
        | CreateTable
        | Devices
        | FollowTables
        | Games
        | Hint
        | Join
        | Leave
        | ListTables
        | Log
        | MyTables
        | Ping
        | RevokeDevice
        | Sync
        | UnfollowTables
        | Watch,
        player: Player,
        key: Key,
        arrived: float,
    ) -> None:
        """Hand a command to its handler, if it is not one of `TABLE_COMMANDS`."""
        match command:
            case Join():
                table = await self._table(command.table)
                self._lobby.may_join(player, table)
                self._effects.perform(table, table.command(command, player, key, self._now()))
            case Leave():
                table = await self._table(command.table)
                if self._lobby.watches(connection, player, table):
                    self._lobby.stop_watching(connection, table, key)
                else:
                    self._effects.perform(table, table.command(command, player, key, self._now()))
            case Ping():
                self._connections.put(connection, {"type": "pong", "id": command.id})
            case Games():
                games = await self._lobby.games(command)
                connection.session.legends.update(
                    card["digest"] for card in games["games"] if "digest" in card
                )
                self._connections.put(connection, games)
            case ListTables():
                self._connections.put(connection, self._lobby.tables(command))
            case FollowTables():
                self._connections.put(connection, self._lobby.follow(command, connection))
            case UnfollowTables():
                self._connections.put(connection, self._lobby.unfollow(command, connection))
            case MyTables():
                self._connections.put(connection, self._lobby.own_tables(command, player))
            case AddDevice():
                self._connections.put(connection, await self._devices.add(command, player))
            case Devices():
                listed = await self._devices.listed(command, player, connection)
                self._connections.put(connection, listed)
            case RevokeDevice():
                self._connections.put(connection, await self._devices.revoke(command, player))
            case Log():
                self._connections.put(
                    connection, await self._pasts.log(command, player, connection.session.features)
                )
            case CreateTable():
                await self._lobby.create(command, player, key, connection.address)
            case Watch():
                table = await self._table(command.table)
                self._lobby.watch(connection, player, table, key)
            case Sync():
                self._lobby.sync(command, connection, await self._table(command.table))
            case Hint():
                self._hints.ask(command, player, await self._table(command.table), key, arrived)
            case Chat():
                self._lobby.chat(command, player, await self._table(command.table), key)
            case _:
                assert_never(command)

    async def _hello(self, connection: Connection, hello: Hello, arrived: float) -> None:
        result = "ok"
        try:
            await self._handshake.hello(connection, hello)
        except ProtocolError as error:
            result = error.code
            self._failures.refuse(connection, hello.id, error)
            # After a field that cannot be used the client may send another hello.
            if error.code != "bad_message":
                connection.close(CLOSE_REFUSED, error.code)
        except StoreError:
            log.exception("hello_failed")
            failure = ProtocolError("try_again", "the store does not answer; try again")
            result = failure.code
            self._failures.refuse(connection, hello.id, failure)
        except Exception:
            log.exception("hello_failed")
            failure = ProtocolError("internal", "the server made a mistake; try again")
            result = failure.code
            self._failures.refuse(connection, hello.id, failure)
            connection.close(CLOSE_REFUSED, failure.code)
        self._connections.count(hello, result, arrived, connection, None)

    async def _table(self, code: str) -> Table:
        """The table, loaded if it sleeps; `ProtocolError` if it cannot be had."""
        table = self._tables.live.get(code) or await self._tables.get(code)
        if table is None and self._tables.is_damaged(code):
            reason = f"table {code!r} cannot be played: {self._tables.why_damaged(code)}"
            raise ProtocolError("table_damaged", reason)
        if table is None:
            raise ProtocolError("unknown_table", f"there is no table {code!r}; it may have closed")
        return table

    # One answer each

    def _may_be_old(self, session: Session, command: ToServer) -> bool:
        """Whether the command may have been answered on an earlier connection.

        A number above all that the handshake found is new, except for a move at a table where the
        player has no seat: the handshake did not read that log.
        """
        if not session.is_new(command):
            return True
        assert session.identity is not None
        player = session.identity.player.id
        return isinstance(command, Act) and not self._tables.directory.sits(player, command.table)

    async def _answer_in_store(self, key: Key, command: ToServer) -> WireForm | None:
        """The answer that an earlier connection of this client got; None if there is none."""
        tables = self._tables.directory.tables_of(key.player)
        if isinstance(command, Act):
            tables |= {command.table}
        logs = self._tables.with_logs(tables)
        row = await self._store.answer(key.player, key.client, key.command, logs)
        match row:
            case None:
                return None
            case EntryRow():
                return ok_answer(key.command, row.table, row.seq)
            case AnswerRow():
                stored: WireForm = json.loads(row.answer)
                return stored
            case Forgotten():
                reason = f"command {key.command} is too old: what came of it is not kept any more"
                return error_message(key.command, "stale_command", reason)
            case _:
                assert_never(row)

    def _tell_if_over(self, connection: Connection, answer: WireForm) -> None:
        """After a repeated `asked`: tell a player whose request is over that no answer comes."""
        identity = connection.session.identity
        if answer["type"] != "asked" or identity is None:
            return
        code, player = answer["table"], identity.player.id
        table = self._tables.live.get(code)
        waits = table is not None and player in table.latecomers
        if not waits and not self._tables.directory.sits(player, code):
            over = {"table": code, "request": answer["request"], "reason": "over"}
            self._connections.put(connection, {"type": "notice", "kind": "refused", **over})
