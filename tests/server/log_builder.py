"""The log of a table, built entry by entry and stored as a server does."""

import json
from collections.abc import Mapping, Sequence
from random import Random

from bots.random_bot import random_action
from engine import GAMES, AnyGame, complete_options
from engine.game import OptionValue
from protocol.to_server import TableSettings
from server.store import ResultRow, TableRow, Write
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    Closed,
    Dealt,
    Entry,
    Opened,
    Reopened,
    Seated,
    Started,
    Undone,
)
from server.table.fold import advance, open_table, outcome_of
from server.table.state import TableState
from server.table.undo import turns_of
from server.tables.rows import entry_rows


class LogBuilder:
    """Appends `entries` to the log of a new table; `states` are the table after each of them.

    `people` and `bots` are the names of those in the seats, in order. All play at random.
    """

    def __init__(
        self,
        game: AnyGame,
        people: Sequence[str],
        bots: Sequence[str],
        options: Mapping[str, OptionValue],
        rng: Random,
        settings: TableSettings | None = None,
    ) -> None:
        self.game = game
        self.entries: list[Entry] = []
        self.states: list[TableState] = []
        self._results: list[tuple[int, str]] = []
        self._rng = rng
        seats = len(people) + len(bots)
        complete = dict(complete_options(game, seats, options))
        chosen = settings or TableSettings()
        opened = Opened(game.info.id, game.info.version, seats, complete, chosen)
        self._empty = open_table(game, opened)
        self._add(opened)
        for seat, name in enumerate(people):
            self._add(Seated(seat, f"p{seat + 1}", name))
        for seat, name in enumerate(bots, start=len(people)):
            self._add(BotAdded(seat, 0, name))

    @property
    def state(self) -> TableState:
        """The table after the last entry."""
        return self.states[-1] if self.states else self._empty

    def start(self) -> None:
        """Start a match."""
        self._add(Started())
        self._add(Dealt(self._rng.randbytes(32).hex()))

    def move(self) -> None:
        """Make a random move."""
        state = self.state
        seat = self._rng.choice(state.to_act)
        self._add(Acted(seat, random_action(self.game.choices(state.play, seat), self._rng)))

    def take_back(self) -> None:
        """Take the last move of the only person back."""
        while not (turns := turns_of(self.state.undo_points or (), 0)):
            self.move()
        self._add(Undone(0, turns[-1]))

    def finish(self) -> None:
        """Play until the match is over, and record its result unless it is practice."""
        while self.state.to_act:
            self.move()
        state = self.state
        outcome = outcome_of(self.game, state)
        assert outcome is not None
        if state.practice:
            return
        names = [chair.name for chair in state.chairs]
        body = {"names": names, "totals": outcome.scores, "ranks": outcome.ranks}
        self._results.append((state.match, json.dumps(body)))

    def rematch(self) -> None:
        """Reopen the table and start another match."""
        self._add(Reopened())
        self.start()

    def close(self) -> None:
        """Close the table."""
        self._add(Closed("finished"))

    def write(self, code: str) -> Write:
        """Store the table `code` with its whole log and its results."""
        state, game = self.state, self.game.info.id
        row = TableRow(code, game, state.version, False, state.phase, None, state.seq, 1.0, "{}")
        results = tuple(ResultRow(code, number, game, 50.0, body) for number, body in self._results)
        return Write(tables=(row,), entries=entry_rows(code, self.entries), results=results)

    def _add(self, body: Body) -> None:
        entry = Entry(self.state.seq + 1, 1.0, body)
        self.entries.append(entry)
        self.states.append(advance(self.game, self.state, (entry,)).state)


def black_queen_log(seed: int = 1) -> LogBuilder:
    """A table of Black Queen with one human and two bots, before its match."""
    options = {"deals": 1, "columns": 2}
    return LogBuilder(GAMES.game("black_queen"), ["Ann"], ["Bea", "Cid"], options, Random(seed))


def finished_log(seed: int = 1) -> LogBuilder:
    """A log of a table after one match."""
    log = black_queen_log(seed)
    log.start()
    log.finish()
    return log
