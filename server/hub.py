"""The hub: takes what connections say, and sees that every command is answered once."""

import asyncio
import json
from collections.abc import Callable
from typing import assert_never

import structlog

from engine.errors import EngineError
from protocol.encode import Plain, error_plain
from protocol.errors import ErrorCode, ProtocolError
from protocol.to_server import (
    Act,
    AddBot,
    Chat,
    Configure,
    CreateTable,
    Games,
    Hello,
    Hint,
    Join,
    Kick,
    Leave,
    ListTables,
    Ping,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    Start,
    Sync,
    ToServer,
    Watch,
)
from protocol.version import CLOSE_REFUSED
from server.bot_pool import BotPool
from server.connection import Connection
from server.desk import Desk
from server.library import Library
from server.metrics import Metrics
from server.people import TRANSIENT, People
from server.reception import Reception
from server.session.session import READS, Flooded, Session
from server.settings import Settings
from server.slow_readers import SlowReaders
from server.store import AnswerRow, EntryRow, Store, StoreError
from server.table.answers import error_answer, ok_answer
from server.table.clocks import Timing
from server.table.decide import Player
from server.table.entries import Key
from server.table.table import Table
from server.tables import Tables

log = structlog.get_logger()

CLOSE_FLOOD = 1008
CLOSE_RESTART = 1012
READY_SECONDS = 2.0


class Hub:
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
    ) -> None:
        timing = Timing(
            bot_delay=settings.bot_delay,
            grace=settings.grace_seconds,
            abandon=settings.abandon_seconds,
            lobby=settings.lobby_seconds,
            finished=settings.finished_seconds,
        )
        self.people = People(metrics.command)
        self.tables = Tables(
            library, store, pool, self.people, metrics, timing, now, wake, self.settle
        )
        metrics.watch_tables(self.tables.phases)
        self._desk = Desk(settings, self.people, self.tables, now)
        self._reception = Reception(settings, store, self.people, self.tables, now)
        self._library = library
        self._store = store
        self._slow = SlowReaders(self.people, self.tables, metrics, now, wake)
        self._now = now

    async def receive(self, connection: Connection, raw: bytes | str) -> None:
        """Carry out one message of a connection, or say why not."""
        if connection.closing:
            # If it was replaced, what it says was sent again on the newer one.
            return
        try:
            command = connection.session.receive(raw, self._now())
            if isinstance(command, Hello):
                await self._hello(connection, command)
            else:
                await self._command(connection, command)
        except ProtocolError as error:
            self._refuse(connection, error.id, error.code, error.reason)
        except Flooded:
            connection.close(CLOSE_FLOOD, "too many messages")
        self.settle()

    def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        self._slow.forget(connection)
        identity = connection.session.identity
        if identity is None:
            return
        last = self.people.went(identity.player.id, connection)
        self.tables.gone(connection, identity.player.id, present=not last)
        self.settle()

    async def tick(self) -> None:
        """Do what is due at the tables, and see to those who have fallen behind."""
        await self.tables.tick()
        self._slow.look()
        self.settle()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (self.tables.next_alarm(), self._slow.next_look())
        return min((time for time in times if time is not None), default=None)

    async def ready(self) -> str:
        """Why the server takes no games now; nothing if it does."""
        if self._desk.draining:
            return "draining"
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._store.ping()
        except (StoreError, TimeoutError) as error:
            return f"the store does not answer: {error or 'time is out'}"
        return ""

    def drain(self) -> None:
        """Open no more tables, and tell everybody."""
        self._desk.draining = True
        for connection in self.people:
            self.people.put(connection, {"type": "notice", "kind": "draining"})
        self.settle()

    def hang_up(self) -> None:
        """Close every connection; clients come back by themselves."""
        for connection in self.people:
            connection.close(CLOSE_RESTART, "the server restarts")

    def settle(self) -> None:
        """Send what is ready to be sent."""
        for connection in self.people.flush():
            self._slow.note(connection)

    async def _hello(self, connection: Connection, hello: Hello) -> None:
        try:
            await self._reception.hello(connection, hello)
        except ProtocolError as error:
            self._refuse(connection, hello.id, error.code, error.reason)
            connection.close(CLOSE_REFUSED, error.code)
        except StoreError:
            log.exception("hello_failed")
            self._refuse(connection, hello.id, "try_again", "the store does not answer; try again")

    async def _command(self, connection: Connection, command: ToServer) -> None:
        session = connection.session
        known = session.recall(command)
        if known is not None:
            self.people.put(connection, known)
            return
        key = session.key(command)
        assert session.identity is not None, "the session lets nothing through before hello"
        changes = not isinstance(command, READS)
        if changes and not self.people.expect(key, command.type):
            return
        try:
            if changes and self._may_be_old(session, command):
                stored = await self._answer_in_store(key, command)
                if stored is not None:
                    self.people.answer(key, stored)
                    return
            await self._carry_out(connection, command, session.identity.player, key)
        except (ProtocolError, EngineError) as error:
            self._not_done(command, key, error_answer(key, error))
        except StoreError:
            log.exception("store_failed")
            reason = "the store does not answer; send this again"
            self._not_done(command, key, error_plain(command.id, "try_again", reason))
        except Exception:
            # Our own fault: the player gets a clear answer, the log gets the traceback.
            log.exception("command_failed", message_type=command.type)
            reason = "the server made a mistake; nothing has changed, send this again"
            self._not_done(command, key, error_plain(command.id, "internal", reason))

    async def _carry_out(
        self, connection: Connection, command: ToServer, player: Player, key: Key
    ) -> None:
        match command:
            case (
                Act()
                | AddBot()
                | Configure()
                | Kick()
                | Ready()
                | Rematch()
                | RemoveBot()
                | Sit()
                | Start()
            ):
                table = await self._table(command.table)
                self.tables.perform(table, table.command(command, player, key, self._now()))
            case Join():
                table = await self._table(command.table)
                if table.state.seat_of(player.id) is None:
                    self._desk.may_sit(player)
                self.tables.perform(table, table.command(command, player, key, self._now()))
            case Leave():
                table = await self._table(command.table)
                seat = table.state.seat_of(player.id)
                if seat is None and connection in self.tables.audiences.of(table.code):
                    self._desk.stop_watching(connection, table, key)
                else:
                    self.tables.perform(table, table.command(command, player, key, self._now()))
            case Ping():
                self.people.put(connection, {"type": "pong", "id": command.id})
            case Games():
                await self._library.refresh()
                self.people.put(connection, self._desk.games(command))
            case ListTables():
                self.people.put(connection, self._desk.tables(command))
            case CreateTable():
                await self._library.refresh()
                self._desk.create(command, player, key)
            case Watch():
                table = await self._table(command.table)
                self._desk.watch(command, connection, player, table)
            case Sync():
                self._desk.sync(command, connection, await self._table(command.table))
            case Hint():
                self._desk.hint(command, player, await self._table(command.table), key)
            case Chat():
                self._desk.chat(command, player, await self._table(command.table), key)
            case Hello():
                raise AssertionError("hello has been seen to")
            case _:
                assert_never(command)

    async def _table(self, code: str) -> Table:
        table = self.tables.live(code) or await self.tables.get(code)
        if table is None:
            raise ProtocolError("unknown_table", f"there is no table {code!r}; it may have closed")
        return table

    def _may_be_old(self, session: Session, command: ToServer) -> bool:
        """Whether the command may have been answered on an earlier connection.

        A number above all that `hello` found is new; but it only looked for moves in the logs of
        the tables where the player sat.
        """
        if not session.is_new(command):
            return True
        assert session.identity is not None
        player = session.identity.player.id
        return isinstance(command, Act) and not self.tables.lobby.sits(player, command.table)

    async def _answer_in_store(self, key: Key, command: ToServer) -> Plain | None:
        """What an earlier connection of this client was answered."""
        tables = self.tables.lobby.tables_of(key.player)
        if isinstance(command, Act):
            tables |= {command.table}
        row = await self._store.answer(key.player, key.client, key.command, tables)
        match row:
            case None:
                return None
            case EntryRow():
                return ok_answer(key.command, row.table, row.seq)
            case AnswerRow():
                stored: Plain = json.loads(row.answer)
                return stored
            case _:
                assert_never(row)

    def _not_done(self, command: ToServer, key: Key, answer: Plain) -> None:
        lasting = not isinstance(command, READS) and answer["code"] not in TRANSIENT
        self.tables.answer(key, answer, record=lasting)

    def _refuse(self, connection: Connection, id: int | None, code: ErrorCode, reason: str) -> None:
        self.people.put(connection, error_plain(id, code, reason))
