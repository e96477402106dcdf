"""The logs of random finished matches as a server tells them, for every seat."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import AnyGame
from engine.facts import Seat, seen_by
from engine.game import Step
from protocol.wire_form import WireForm, facts_form, legend_form, question_form
from tests.client_web.pictures import info_of, options_of, steps_of, table_of

CODE = "K7QX"
"""The table at which all of them were played."""


@cache
def logs_of(subject: str, seed: int = 7) -> Mapping[str, WireForm]:
    """The answers to `log`, as `WholePage.answer` expects them: one's own log, and each seat's.

    The page's player sat at seat 0; the match could be watched, and is over.
    """
    game, seats = table_of(subject)
    steps = [*steps_of(game, seats, seed)]
    logs = {f"log {seat}": _log(game, seats, steps, seat) for seat in range(seats)}
    return {"log": logs["log 0"], **logs}


def _log(game: AnyGame, seats: int, steps: list[Step[Any]], viewer: Seat) -> WireForm:
    options = options_of(game, seats)
    info: dict[str, Any] = info_of(game, seats, options, 0, over=False)
    entries: list[WireForm] = []
    for seq, step in enumerate(steps, 1):
        asked = game.to_act(step.state)
        entry: WireForm = {
            "seq": seq,
            "time": 1.7e9 + seq,
            "facts": facts_form(seen_by(step.facts, viewer)),
            "question": question_form(seq, asked),
        }
        if seq == 1 or not asked:
            entry["info"] = {**info, "phase": "playing" if asked else "finished"}
        entries.append(entry)
    return {
        "type": "log",
        "table": CODE,
        "seat": viewer,
        "last": len(entries),
        "info": {**info, "phase": "lobby"},
        "entries": entries,
        **legend_form(game.info.legend, game.info.labels, game.info.layout),
    }
