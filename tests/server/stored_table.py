"""A table with its log and results, played at random and written as a server writes it."""

import json
from random import Random

from engine import GAMES, complete_options
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
)
from server.table.fold import advance, open_table, outcome_of
from server.table.settings import from_wire
from server.tables.rows import entry_rows

SEATS = 3


class Recorder:
    """Appends entries to the log of a new table, and notes the result of each match."""

    def __init__(self, code: str, seed: int = 1) -> None:
        self._code = code
        self._rng = Random(seed)
        self._game = GAMES.game("black_queen")
        options = dict(complete_options(self._game, SEATS, {"deals": 1, "columns": 2}))
        settings = from_wire(TableSettings())
        body = Opened("black_queen", self._game.info.version, SEATS, options, settings)
        self._state = open_table(self._game, body)
        self._entries: list[Entry] = []
        self._results: list[ResultRow] = []
        self._add(body)
        self._add(Seated(0, "p1", "Ann"))
        self._add(BotAdded(1, 0, "Bea"))
        self._add(BotAdded(2, 0, "Cid"))

    def start(self) -> None:
        self._add(Started())
        self._add(Dealt(self._rng.randbytes(32).hex()))

    def move(self) -> None:
        seat = self._state.to_act[0]
        choices = self._game.choices(self._state.play, seat)
        self._add(Acted(seat, self._rng.choice(choices.actions)))

    def play_on(self) -> None:
        """Play until the match is over."""
        while self._state.to_act:
            self.move()
        outcome = outcome_of(self._game, self._state)
        assert outcome is not None
        names = [chair.name for chair in self._state.chairs]
        body = {"names": names, "totals": outcome.scores, "ranks": outcome.ranks}
        number = self._state.match
        row = ResultRow(self._code, number, "black_queen", 50.0, json.dumps(body))
        self._results.append(row)

    def rematch(self) -> None:
        self._add(Reopened())
        self.start()

    def close(self) -> None:
        self._add(Closed("finished"))

    def write(self) -> Write:
        state = self._state
        row = TableRow(
            self._code, state.game, state.version, False, state.phase, None, state.seq, 1.0, "{}"
        )
        entries = entry_rows(self._code, self._entries)
        return Write(tables=(row,), entries=entries, results=tuple(self._results))

    def _add(self, body: Body) -> None:
        entry = Entry(self._state.seq + 1, 1.0, body)
        self._entries.append(entry)
        self._state = advance(self._game, self._state, (entry,)).state


def finished(code: str, seed: int = 1) -> Recorder:
    """A table after one match."""
    recorder = Recorder(code, seed)
    recorder.start()
    recorder.play_on()
    return recorder
