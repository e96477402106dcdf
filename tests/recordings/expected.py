"""What a recorded database comes to: results, and digests of what everybody at a table saw.

The forms that are digested here are this file's own and stay as they are, whatever becomes of the
program's messages and classes: a digest that has changed means that an old table has changed.
"""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

from engine import GAMES, SPECTATOR, AnyGame, View, Viewer
from engine.facts import AddressedFact, Change, Lay, Move, Set, Show, seen_by
from server.games.descriptions import StoredGames
from server.replay import add_arguments, run
from server.store import EntryRow, Store
from server.store.database import database_url, open_engine
from server.store.reader import Reader
from server.table.fold import Advance, replay
from server.table.state import TableState
from server.tables.rows import entry_of
from tests.recordings.stored import DATABASE

# JSON, kept in a file.
Json: TypeAlias = dict[str, Any]

STEP_DIGITS = 8
DIGITS = 32


@dataclass(frozen=True)
class Digests:
    """Digests of what was seen, without the values whose names begin as in `left_out`."""

    left_out: tuple[str, ...] = ()

    def view(self, view: View | None) -> str:
        """The digest of a view."""
        return _digest(self._view_form(view))

    def facts(self, steps: Iterable[Advance], viewer: Viewer) -> str:
        """The digest of all that a viewer was told."""
        return _digest([[step.state.seq, self._seen(step.facts, viewer)] for step in steps])

    def step(self, game: AnyGame, step: Advance, viewers: Iterable[Viewer]) -> str:
        """A few digits of the digest of what each viewer was told and sees after an entry."""
        forms = [
            [self._seen(step.facts, viewer), self._view_form(_view(game, step, viewer))]
            for viewer in viewers
        ]
        return _digest(forms)[:STEP_DIGITS]

    def _seen(self, facts: tuple[AddressedFact, ...], viewer: Viewer) -> list[object]:
        return [
            [
                fact.verb,
                dict(fact.args),
                [_change(each) for each in fact.changes if self._kept(each)],
            ]
            for fact in seen_by(facts, viewer)
        ]

    def _kept(self, change: Change) -> bool:
        return not (isinstance(change, Set) and change.key.startswith(self.left_out))

    def _view_form(self, view: View | None) -> object:
        if view is None:
            return None
        zones = {name: [zone.cards, zone.backs] for name, zone in view.zones.items()}
        values = {k: value for k, value in view.values.items() if not k.startswith(self.left_out)}
        return [zones, values]


def expected_of(data: Path, digests: Digests) -> dict[str, Json]:
    """Each table of the database in `data`, which is brought up to date first."""
    bring_up_to_date(data)
    printed = _printed(data)
    with closing(_reader(data)) as reader:
        codes = [row.code for row in reader.tables(closed=True)]
        return {code: {**_table(reader, code, digests), "replay": printed[code]} for code in codes}


def bring_up_to_date(data: Path) -> None:
    """Open and close the database as a server does."""

    async def once() -> None:
        await (await Store.open(_url(data))).close()

    asyncio.run(once())


def entries_of(data: Path) -> Iterator[EntryRow]:
    """Every entry of every table, as it is stored."""
    with closing(_reader(data)) as reader:
        for table in reader.tables(closed=True):
            loaded = reader.load(table.code)
            assert loaded is not None
            yield from loaded[1]


def _url(data: Path) -> str:
    return f"sqlite:///{data / DATABASE}"


def _reader(data: Path) -> Reader:
    return Reader(open_engine(database_url(_url(data)), writes=False))


def _printed(data: Path) -> dict[str, Json]:
    """What `blackqueen replay --all --json` prints, by table."""
    parser = ArgumentParser()
    add_arguments(parser)
    with redirect_stdout(StringIO()) as out:
        code = run(parser.parse_args(["--all", "--json", "--data", str(data)]))
    assert code == 0, out.getvalue()
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    return {each["table"]: each for each in told}


def _table(reader: Reader, code: str, digests: Digests) -> Json:
    loaded = reader.load_with_results(code)
    assert loaded is not None
    row, rows, results = loaded
    games = StoredGames(GAMES, reader.description)
    game = games.game(row.game)
    steps = [step for _, step in replay(games, map(entry_of, rows))]
    last = steps[-1].state
    viewers = [SPECTATOR, *range(len(last.chairs))]
    return {
        "game": row.game,
        "version": last.version,
        "phase": last.phase,
        "seq": last.seq,
        "names": [chair.name for chair in last.chairs],
        "results": [json.loads(result.body) for result in results],
        "state": _state(last),
        "facts": {str(viewer): digests.facts(steps, viewer) for viewer in viewers},
        "views": {str(viewer): digests.view(_view(game, steps[-1], viewer)) for viewer in viewers},
        # Of every entry a few digits, so that the first one that differs is found.
        "steps": " ".join(digests.step(game, step, viewers) for step in steps),
    }


def _state(state: TableState) -> Json:
    """What nobody is shown, or not at once: who may come back, how the table is run."""
    names = ("private", "turn_seconds", "hints", "watchable", "bot_delay")
    return {
        "chairs": [
            [chair.kind, chair.player, chair.name, chair.ready, chair.strength, chair.stand_in]
            for chair in state.chairs
        ],
        "host": state.host_seat,
        "banned": sorted(state.banned),
        "seen": [list(pair) for pair in state.seen],
        "options": dict(state.options),
        "settings": {name: getattr(state.settings, name) for name in names},
        "match": state.match,
        "turn": state.turn,
        "asked": list(state.asked),
        "to_act": list(state.to_act),
        "opened_at": state.opened_at,
    }


def _view(game: AnyGame, step: Advance, viewer: Viewer) -> View | None:
    """The match as a viewer sees it; None where none has been dealt."""
    return None if step.state.play is None else game.view(step.state.play, viewer)


def _change(change: Change) -> list[object]:
    match change:
        case Lay(zones):
            return ["lay", dict(zones)]
        case Move(source, target, cards, hidden):
            return ["move", source, target, cards, hidden]
        case Show(zone, cards):
            return ["show", zone, cards]
        case Set(key, value):
            return ["set", key, value]


def _digest(form: object) -> str:
    text = json.dumps(form, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]
