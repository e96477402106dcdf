"""Replays a stored table's log, with pauses for all other work."""

import asyncio
from collections.abc import Sequence
from time import perf_counter

from server.games.library import Library
from server.table.entries import Entry, Opened
from server.table.errors import BadLog
from server.table.fold import open_table, replay
from server.table.history import History
from server.table.state import TableState

AT_ONCE = 0.005
"""Seconds of replay after which everything else has a turn."""


async def replay_log(
    library: Library, entries: Sequence[Entry], *, keep: bool
) -> tuple[TableState, History]:
    """Return a log's final state and its history, which may `keep` facts.

    Raises `BadLog` if the entries are no log, an `EngineError` if a move in it breaks the rules.
    """
    history: History | None = None
    state: TableState | None = None
    pause = perf_counter() + AT_ONCE
    for entry, step in replay(library, entries):
        if perf_counter() > pause:
            # A long log of a slow game must not keep the other tables waiting.
            await asyncio.sleep(0)
            pause = perf_counter() + AT_ONCE
        if history is None or state is None:
            assert isinstance(entry.body, Opened), "replay checks the first entry"
            game = library.game(entry.body.game)
            state = open_table(game, entry.body)
            history = History(game, state, keep=keep)
        history.extend(state, (entry,), step.steps)
        state = step.state
    if history is None or state is None:
        raise BadLog("a log begins with entry 1, 'opened'")
    return state, history
