"""The live tables: those in memory, their entries in the directory, and their alarms.

They do no work by themselves. `EffectRunner` reports the changes of its effects, and
`TableRegistry` adds tables: new ones, and those that it loads from the store.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Set

import structlog

from server.bots.questions import OpenQuestions
from server.events.publisher import Publisher
from server.sessions.subscribers import Subscribers
from server.table.clocks import RETRY_SECONDS
from server.table.messages import info_of
from server.table.table import Table
from server.tables.alarms import Alarms
from server.tables.directory import TableDirectory
from server.tables.rows import players_of

log = structlog.get_logger()


class LiveTables:
    """The tables in memory; `directory` and `alarms` also have sleeping ones. `now` is server time.

    `wake` requests a call of `TableRegistry.tick` at a time.
    """

    def __init__(
        self,
        subscribers: Subscribers,
        questions: OpenQuestions,
        now: Callable[[], float],
        wake: Callable[[float], None],
        events: Publisher | None = None,
    ) -> None:
        self.directory = TableDirectory(events)
        self.alarms = Alarms(wake)
        self._subscribers = subscribers
        self._questions = questions
        self._now = now
        self._tables: dict[str, Table] = {}
        # The tables at which players who are connected have asked to be let in.
        self._asked_at: defaultdict[str, set[str]] = defaultdict(set)
        # How many answers wait for the disk after which something is told at a table.
        self._untold: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Table]:
        return iter(tuple(self._tables.values()))

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, code: str) -> bool:
        return code in self._tables

    def get(self, code: str) -> Table | None:
        """Return the table if it is in memory, as it is while anybody plays."""
        return self._tables.get(code)

    def add(self, table: Table) -> None:
        """Add a table that is in memory from now on."""
        self._tables[table.code] = table

    def phases(self) -> Counter[str]:
        """Return the number of tables in each phase."""
        return Counter(table.state.phase for table in self._tables.values())

    def bots(self) -> Counter[tuple[str, int]]:
        """Return the number of bots with seats, by game and strength."""
        return Counter(
            (table.state.game, chair.strength)
            for table in self._tables.values()
            for chair in table.state.chairs
            if chair.kind == "bot" and chair.strength is not None
        )

    def update_directory(self, table: Table) -> None:
        """Update the directory with a table that was stored or loaded."""
        if table.state.seq:
            self.directory.update(table.code, info_of(table), players_of(table.state))

    def on_idle(self, table: Table) -> None:
        """Set the alarm of an idle table, or take it out of memory."""
        try:
            self._on_idle(table)
        except Exception:
            log.exception("tick_failed", table=table.code)
            self.alarms.set(table.code, self._now() + RETRY_SECONDS)

    def _on_idle(self, table: Table) -> None:
        """Set the next alarm, or take a table that nobody needs now out of memory."""
        phase = table.state.phase
        # Without entries its first ones could not be stored: there is no such table.
        if phase == "closed" or not table.state.seq:
            self.directory.remove(table.code)
            self.release(table.code)
            return
        due = table.due()
        if due is not None:
            self.alarms.set(table.code, due)
        if phase in ("paused", "finished") and not self._subscribers.of(table.code):
            self._forget(table.code)

    def release(self, code: str) -> None:
        """Remove a table from memory and its alarm; it may remain open."""
        self.alarms.drop(code)
        self._forget(code)
        self._subscribers.chat.forget(code)

    def _forget(self, code: str) -> None:
        self._tables.pop(code, None)
        self._questions.cancel_all(code)
        self._subscribers.forget(code)

    def is_busy(self, code: str) -> bool:
        """Whether a table in memory has a write in progress or waiting."""
        table = self._tables.get(code)
        return table is not None and (table.busy or code in self._untold)

    def await_answer(self, code: str) -> None:
        """Record that a table waits for the answer to a command to be stored."""
        self._untold[code] += 1

    def answered(self, code: str) -> None:
        """Record that such an answer is stored and sent, or could not be stored."""
        self._untold[code] -= 1
        if not self._untold[code]:
            del self._untold[code]

    def note_request(self, player: str, table: Table) -> None:
        """Record that a connected player has asked to join at a table."""
        self._asked_at[player].add(table.code)

    def drop_requests(self, player: str) -> Set[str]:
        """Forget where a player has asked to join; return the tables."""
        return self._asked_at.pop(player, set())

    def count_requests(self, player: str) -> int:
        """Return the number of tables that a player waits to join."""
        tables = map(self.get, self._asked_at.get(player, ()))
        return sum(table is not None and player in table.seat_requests for table in tables)
