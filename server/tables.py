"""The live tables, and the hands that carry out what they want done.

Tables decide (`server.table`), this writes, sends, asks bots and sets alarms. A table that
nobody looks at and that waits for nothing but its end sleeps in the store until it is touched.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from secrets import token_bytes
from typing import TypeAlias, assert_never

import structlog

from bots import Decision
from protocol.encode import Plain
from protocol.errors import ProtocolError
from server.alarms import Alarms
from server.audiences import Audiences
from server.bot_pool import BotPool
from server.bot_questions import request_for
from server.connection import Connection
from server.descriptions import Described
from server.library import Library
from server.lobby import Lobby
from server.metrics import Metrics
from server.people import People
from server.playing_again import played_again
from server.records import entry_of, players_of, write_of
from server.store import AnswerRow, Store, StoreClosed, StoreError, Write
from server.table.answers import error_answer
from server.table.clocks import RETRY_SECONDS, Timing
from server.table.decide import Clerk
from server.table.effects import Answer, Ask, Dismiss, Effect, Persist, Publish, Report, Show, Tell
from server.table.entries import Acted, Body, Key, Opened
from server.table.fold import open_table
from server.table.history import History
from server.table.plain import info_of
from server.table.state import TableState
from server.table.table import Table

log = structlog.get_logger()

Work: TypeAlias = Callable[[], None]


class Tables:
    """`now` gives server time; `wake` asks for a call of `tick` at a time.

    `settle` is called when something may have been put into people's next frames.
    """

    def __init__(
        self,
        library: Library,
        store: Store,
        pool: BotPool,
        people: People,
        metrics: Metrics,
        timing: Timing,
        now: Callable[[], float],
        wake: Callable[[float], None],
        settle: Callable[[], None],
    ) -> None:
        self.lobby = Lobby()
        self.library = library
        self.people = people
        self.audiences = Audiences(people, now)
        self._store = store
        self._pool = pool
        self._metrics = metrics
        # Bound once: every move passes by here, mostly to be filtered out.
        self._log = log.bind()
        self._timing = timing
        self._now = now
        self._wake = wake
        self.settle = settle
        self._live: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Event] = {}
        self._alarms = Alarms()

    def __iter__(self) -> Iterator[Table]:
        return iter(tuple(self._live.values()))

    def phases(self) -> Counter[str]:
        """How many tables are in which phase."""
        return Counter(table.state.phase for table in self._live.values())

    async def open(self) -> None:
        """Put every stored table that is not closed into the lobby; load none of them yet."""
        for row in await self._store.open_tables():
            summary = json.loads(row.summary)
            self.lobby.note(row.code, summary["info"], summary["players"])
            # Those who sat here get time to come back before anything is closed.
            self._set_alarm(row.code, max(row.due or 0.0, self._now() + self._timing.grace))

    async def get(self, code: str) -> Table | None:
        """The table, loaded if it sleeps; None if there is none or its log cannot be played.

        Raises `StoreError` if the store cannot tell.
        """
        while self.sleeps(code):
            if code in self._loading:
                # Whatever becomes of that attempt, it was somebody else's.
                await self._loading[code].wait()
                continue
            over = self._loading[code] = asyncio.Event()
            try:
                await self._load(code)
            finally:
                del self._loading[code]
                over.set()
        return self._live.get(code)

    def knows(self, code: str) -> bool:
        """Whether a table has this code, or will have when it is written."""
        return code in self.lobby or code in self._live

    def sleeps(self, code: str) -> bool:
        """Whether there is such a table, but not in memory."""
        return code in self.lobby and code not in self._live

    def live(self, code: str) -> Table | None:
        """The table if it is in memory, as it is while anybody plays."""
        return self._live.get(code)

    def create(self, code: str, opened: Opened, first: list[Body], key: Key) -> None:
        """Open a table with its first entries; the answer comes when they are stored."""
        game, described = self.library.game(opened.game), self.library.described(opened.game)
        state = open_table(game, opened)
        history = History(game, state, keep=described is not None)
        table = self._stand(code, state, history, described)
        self.perform(table, table.create([opened, *first], key, self._now()))

    def gone(self, connection: Connection, player: str, present: bool) -> None:
        """A connection is closed; unless its player is `present` on another, he is away now."""
        for code, _ in self.audiences.seen_by(connection):
            self.audiences.of(code).remove(connection)
            table = self._live.get(code)
            if table is not None and not present:
                self.perform(table, table.went_away(player, self._now()))

    def unfollow(self, table: Table, connection: Connection) -> None:
        """The connection no longer watches the table."""
        self.audiences.part(table.code, connection, "left")
        self.perform(table, ())

    def show_again(self, connection: Connection) -> None:
        """One fresh snapshot of every table a connection follows."""
        for code, viewer in self.audiences.seen_by(connection):
            if code in self._live:
                self.audiences.show(self._live[code], connection, viewer)

    async def tick(self) -> None:
        """Wake the tables whose time has come."""
        for code in tuple(self._alarms.ring(self._now())):
            try:
                table = await self.get(code)
                if table is not None:
                    self.perform(table, table.tick(self._now()))
            except Exception:
                # One table's trouble, or a moment's trouble of the disk, is not the others'.
                log.exception("tick_failed", table=code)
                self._set_alarm(code, self._now() + RETRY_SECONDS)

    def next_alarm(self) -> float | None:
        return self._alarms.next()

    # Carrying out

    def perform(self, table: Table, effects: Sequence[Effect]) -> None:
        """Do what a table wants done, in order, and see to its next alarm."""
        for effect in effects:
            match effect:
                case Persist():
                    self._persist(table, effect)
                case Answer():
                    self.answer(effect.key, effect.message, effect.record)
                case Publish():
                    self.audiences.publish(table, effect)
                case Show():
                    self._show(table, effect)
                case Tell():
                    self.audiences.tell(table.code, effect.message)
                    # Who is here is no entry, but the lobby tells it.
                    self._note(table)
                case Dismiss():
                    self.audiences.dismiss(table.code, effect.player, effect.reason)
                case Ask():
                    self.ask(table, effect, partial(self._chosen, table, effect))
                case Report(error):
                    game = table.state.game
                    log.error("game_failed", table=table.code, game=game, exc_info=error)
                case _:
                    assert_never(effect)
        if not table.busy:
            self._rest(table)

    def answer(self, key: Key, message: Plain, record: bool, then: Work | None = None) -> None:
        """Answer a command; what is to be recorded is stored first, and only `then` done."""
        if not record:
            self.people.answer(key, message)
            return
        row = AnswerRow(key.player, key.client, key.command, json.dumps(message), self._now())
        self._store.commit(Write(answers=(row,)), partial(self._recorded, key, message, then))

    def ask(self, table: Table, ask: Ask, done: Callable[[Decision], None]) -> None:
        """Have a bot choose for a seat, from what that seat knows and nothing else."""
        needs_facts = self._pool.needs_facts(table.state.game, ask.strength)
        self._pool.ask(request_for(table, ask, needs_facts), done)

    def _persist(self, table: Table, effect: Persist) -> None:
        write = write_of(table, effect, self._now())
        self._store.commit(write, partial(self._committed, table, effect))

    def _committed(self, table: Table, written: Persist, error: Exception | None) -> None:
        if error is None:
            self._count(table, written)
        elif not isinstance(error, StoreClosed):
            # A bot may still move while the server stops: nothing that was promised is lost.
            log.error("commit_failed", table=table.code, reason=str(error))
        effects = table.committed(error, self._now())
        if written.info:
            self._note(table)
        self.perform(table, effects)
        self.settle()

    def _count(self, table: Table, written: Persist) -> None:
        self._metrics.events.inc(len(written.entries))
        for entry in written.entries:
            if not isinstance(entry.body, Acted):
                log.info(entry.body.kind, table=table.code, seq=entry.seq)
                continue
            self._log.debug("act", table=table.code, seq=entry.seq, seat=entry.body.seat)
            by_person = entry.body.by == "player"
            (self._metrics.moves if by_person else self._metrics.bot_moves).inc()

    def _recorded(
        self, key: Key, message: Plain, then: Work | None, error: Exception | None
    ) -> None:
        if error is not None:
            log.error("commit_failed", reason=str(error))
            reason = "the server could not store its answer; send this again"
            message = error_answer(key, ProtocolError("try_again", reason))
        self.people.answer(key, message)
        if then is not None and error is None:
            then()
        self.settle()

    def _show(self, table: Table, effect: Show) -> None:
        connection = self.people.connection(effect.player)
        if connection is not None:
            self.audiences.show(table, connection, effect.viewer)
        else:
            self.perform(table, table.went_away(effect.player, self._now()))

    def _chosen(self, table: Table, ask: Ask, decision: Decision) -> None:
        # While a bot in another process thought, the table may have gone to sleep.
        if self._live.get(table.code) is not table:
            return
        self.perform(table, table.chosen(ask, decision.action, self._now()))
        self.settle()

    # Coming and going

    def _stand(
        self, code: str, state: TableState, history: History, described: Described | None
    ) -> Table:
        game = self.library.game(state.game)
        clerk = Clerk(game, fresh_seed=partial(token_bytes, 32))
        table = Table(code, clerk, state, history, self._timing, described)
        self._live[code] = table
        return table

    async def _load(self, code: str) -> None:
        """Bring a table into memory; if that cannot be, there is no such table any more."""
        stored = await self._store.load(code)
        try:
            entries = [] if stored is None else [entry_of(row) for row in stored[1]]
            described = await self.library.bring("" if stored is None else stored[0].game)
            state, history = await played_again(self.library, entries, keep=described is not None)
        except StoreError:
            raise
        except Exception as error:
            # A log that was damaged can go wrong in any way, and is this one table's trouble.
            log.error("table_unplayable", table=code, exc_info=error)
            self.lobby.forget(code)
            self._alarms.drop(code)
            return
        table = self._stand(code, state, history, described)
        table.clocks.loaded(state, entries[-1].at, self._now())
        self._note(table)

    def _note(self, table: Table) -> None:
        """Bring the lobby up to date with a table that has been written or loaded."""
        if table.state.seq:
            self.lobby.note(table.code, info_of(table), players_of(table.state))

    def _rest(self, table: Table) -> None:
        """Set the next alarm; send to sleep or take away what nobody needs any more."""
        phase = table.state.phase
        # Without entries its first ones could not be stored: there is no such table.
        if phase == "closed" or not table.state.seq:
            self.lobby.forget(table.code)
            self._alarms.drop(table.code)
            self._forget(table.code)
            return
        due = table.due()
        if due is not None:
            self._set_alarm(table.code, due)
        if phase in ("paused", "finished") and not self.audiences.of(table.code):
            self._forget(table.code)

    def _forget(self, code: str) -> None:
        self._live.pop(code, None)
        self.audiences.forget(code)

    def _set_alarm(self, code: str, due: float) -> None:
        if self._alarms.set(code, due):
            self._wake(due)
