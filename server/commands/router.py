"""The hub: takes what connections say, and sees that every command is answered once."""

import asyncio
import json
from collections.abc import Callable
from typing import assert_never

import structlog

from engine.errors import EngineError
from protocol.encode import Plain, error_plain
from protocol.errors import ProtocolError
from protocol.prices import PRICES
from protocol.to_server import (
    Act,
    AddBot,
    Admit,
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
from server.bots.pool import BotPool
from server.commands.handshake import Reception
from server.connections.connection import Connection
from server.connections.fair_queue import Turns
from server.connections.registry import TRANSIENT, People
from server.connections.session import READS, Flooded, Session
from server.connections.slow_readers import SlowReaders
from server.games.library import Library
from server.lobby.service import Desk
from server.lobby.table_limits import TableLimits
from server.ops.isolation import isolated
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.store import AnswerRow, EntryRow, Forgotten, Store, StoreError
from server.table.answers import error_answer, ok_answer
from server.table.clocks import Timing
from server.table.decide import Player
from server.table.entries import Key
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.hints import Hints
from server.tables.registry import Tables

log = structlog.get_logger()

CLOSE_FLOOD = 1008
CLOSE_RESTART = 1012
DEAR = 3
"""The price from which commands wait for their turn where many ask for such."""
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
        self._limits = TableLimits(settings, self.people, self.tables, now)
        self._desk = Desk(settings, self.people, self.tables, self._limits, now)
        self._hints = Hints(self.people, self.tables)
        self._reception = Reception(settings, store, self.people, self.tables, now)
        self._library = library
        self._store = store
        self._slow = SlowReaders(self.people, self.tables.show_again, metrics, now, wake)
        self._now = now
        self.turns = Turns(asyncio.get_running_loop())

    async def receive(self, connection: Connection, raw: bytes | str) -> None:
        """Carry out one message of a connection, or say why not."""
        if connection.closing:
            # If it was replaced, what it says was sent again on the newer one.
            return
        try:
            command = connection.session.receive(raw, self._now())
            price = PRICES[command.type]
            if price >= DEAR and not await self._its_turn(connection, price):
                return
            if isinstance(command, Hello):
                await self._hello(connection, command)
            else:
                await self._command(connection, command)
        except ProtocolError as error:
            self._refuse(connection, error.id, error)
        except Flooded:
            connection.close(CLOSE_FLOOD, "too many messages")
        except Exception as error:
            connection.fail(error)
        self.settle()

    async def _its_turn(self, connection: Connection, price: float) -> bool:
        """Wait until something of this price may be done; False if it is too late for it then."""
        await self.turns.turn(price)
        return not connection.closing

    def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        self._slow.forget(connection)
        identity = connection.session.identity
        if identity is None:
            return
        last = self.people.went(identity.player.id, connection)
        if last:
            self._hints.gone(identity.player.id)
            self.people.guests.went(identity.player.id, self._now())
        self.tables.gone(connection, identity.player.id, present=not last)
        self.settle()

    async def tick(self) -> bool:
        """Do what is due at the tables, and see to those who have fallen behind.

        False if something raised: it may still be due, and is not to be tried again at once.
        """
        parts = [
            ("tick_failed", self.tables.tick),
            ("look_failed", self._slow.look),
            ("look_failed", self.tables.audiences.counts.look),
        ]
        well = True
        for event, part in parts:
            with isolated(event) as attempt:
                part()
            well = well and not attempt.raised
        self.settle()
        return well

    async def wake_one(self) -> None:
        """Load the sleeping table that is first in line, and do what is due there."""
        await self.tables.wake_one()
        self.settle()

    def next_tick(self) -> float | None:
        """When `tick` wants to be called next."""
        counts = self.tables.audiences.counts
        times = (self.tables.next_alarm(), self._slow.next_look(), counts.next_look())
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
            with isolated("draining_failed"):
                self.people.put(connection, {"type": "notice", "kind": "draining"})
        self.settle()

    def hang_up(self) -> None:
        """Close every connection; clients come back by themselves."""
        for connection in self.people:
            with isolated("draining_failed"):
                connection.close(CLOSE_RESTART, "the server restarts")

    def settle(self) -> None:
        """Send what is ready to be sent."""
        for connection in self.people.flush():
            with isolated("look_failed"):
                self._slow.note(connection)

    async def _hello(self, connection: Connection, hello: Hello) -> None:
        try:
            await self._reception.hello(connection, hello)
        except ProtocolError as error:
            self._refuse(connection, hello.id, error)
            connection.close(CLOSE_REFUSED, error.code)
        except StoreError:
            log.exception("hello_failed")
            failure = ProtocolError("try_again", "the store does not answer; try again")
            self._refuse(connection, hello.id, failure)
        except Exception:
            log.exception("hello_failed")
            failure = ProtocolError("internal", "the server made a mistake; try again")
            self._refuse(connection, hello.id, failure)
            connection.close(CLOSE_REFUSED, failure.code)

    async def _command(self, connection: Connection, command: ToServer) -> None:
        session = connection.session
        known = session.recall(command)
        if known is not None:
            self.people.put(connection, known)
            self._say_if_over(connection, known)
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
                    self._say_if_over(connection, stored)
                    return
            await self._carry_out(connection, command, session.identity.player, key)
        except (ProtocolError, EngineError) as error:
            self._not_done(command, key, error_answer(key, error))
        except StoreError:
            log.exception("store_failed")
            reason = "the store does not answer; send this again"
            self._not_done(command, key, error_plain(command.id, "try_again", reason))
        except RulesFailed:
            # The table has reported it, and is being closed if nobody can go on.
            reason = "the rules of this game failed at it"
            self._not_done(command, key, error_plain(command.id, "internal", reason))
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
                | Admit()
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
                    self._limits.may_sit(player)
                self.tables.perform(table, table.command(command, player, key, self._now()))
            case Leave():
                table = await self._table(command.table)
                seat = table.state.seat_of(player.id)
                if seat is None and connection in self.tables.audiences.of(table.code):
                    self.tables.withdraw(table.code, player.id)
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
                await self._limits.make_room()
                self._desk.create(command, player, key, connection.address)
            case Watch():
                table = await self._table(command.table)
                self._desk.watch(command, connection, player, table)
            case Sync():
                self._desk.sync(command, connection, await self._table(command.table))
            case Hint():
                self._hints.ask(player, await self._table(command.table), key)
            case Chat():
                self._desk.chat(command, player, await self._table(command.table), key)
            case Hello():
                raise AssertionError("hello has been seen to")
            case _:
                assert_never(command)

    async def _table(self, code: str) -> Table:
        table = self.tables.live(code) or await self.tables.get(code)
        if table is None and self.tables.is_damaged(code):
            reason = f"table {code!r} cannot be played: {self.tables.why_damaged(code)}"
            raise ProtocolError("table_damaged", reason)
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
        logs = self.tables.with_logs(tables)
        row = await self._store.answer(key.player, key.client, key.command, logs)
        match row:
            case None:
                return None
            case EntryRow():
                return ok_answer(key.command, row.table, row.seq)
            case AnswerRow():
                stored: Plain = json.loads(row.answer)
                return stored
            case Forgotten():
                reason = f"command {key.command} is too old: what came of it is not kept any more"
                return error_plain(key.command, "stale_command", reason)
            case _:
                assert_never(row)

    def _say_if_over(self, connection: Connection, answer: Plain) -> None:
        """After `asked` is repeated: whoever waits for a word that will not come is told so."""
        identity = connection.session.identity
        if answer["type"] != "asked" or identity is None:
            return
        code, player = answer["table"], identity.player.id
        table = self.tables.live(code)
        waits = table is not None and player in table.latecomers
        if not waits and not self.tables.lobby.sits(player, code):
            over = {"table": code, "request": answer["request"], "reason": "over"}
            self.people.put(connection, {"type": "notice", "kind": "refused", **over})

    def _not_done(self, command: ToServer, key: Key, answer: Plain) -> None:
        lasting = not isinstance(command, READS) and answer["code"] not in TRANSIENT
        try:
            self.tables.answer(key, answer, record=lasting)
        except Exception:
            log.exception("command_failed", message_type=command.type)
            reason = "the server made a mistake; nothing has changed, send this again"
            self.people.answer(key, error_plain(command.id, "internal", reason))

    def _refuse(self, connection: Connection, id: int | None, error: ProtocolError) -> None:
        answer = error_plain(id, error.code, error.reason, error.retry_after)
        self.people.put(connection, answer)
