"""Tables of random matches as a page sees them: every game at its start, fullest and end.

``python -m tests.client_web.pictures FOLDER`` writes them as JSON, to look at.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from engine import GAMES, AnyGame
from engine.choices import random_action
from engine.facts import Seat, seen_by
from engine.game import Setup, Step, complete_options
from engine.recycle.games import description, names
from engine.shuffle import Shuffler, seed_from_int
from protocol.wire_form import (
    WireForm,
    facts_form,
    legend_form,
    question_form,
    snapshot_message,
)
from server.games.descriptions import GameSource, make_game
from server.table.choices_told import choices_told

NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil", "Fay", "Gus", "Hedwig")
DEALS = 2
"""No match of these is longer."""
MOST_MOVES = 4000
WANTED = {"choices.parts", "pick.way", "choices.prompt"}
"""What the page asks for in its `hello`."""


@cache
def pictures_of(subject: str, seed: int = 7) -> Sequence[WireForm]:
    """What seat 0 sees in a match of a game: ``whist-5``, or a description such as ``Golf4``."""
    return list(match(*table_of(subject), seed))


@cache
def table_of(subject: str) -> tuple[AnyGame, int]:
    """The game of a subject, and the number of its players."""
    id, _, seats = subject.partition("-")
    if seats:
        return GAMES.game(id), int(seats)
    game = make_game(GameSource(f"{id}.rcy", description(id)))
    return game, game.info.usual_seats


def moments_of(subject: str, seed: int = 7) -> tuple[WireForm, ...]:
    """The first question to seat 0, the fullest table, the one with most choices, and the end."""
    pictures = pictures_of(subject, seed)
    asked = [each for each in pictures if "choices" in each["question"]] or pictures
    choosy = max(asked, key=lambda each: len(str(each["question"])))
    return asked[0], max(asked, key=_fullness), choosy, pictures[-1]


def start_of(subject: str, seed: int = 7) -> WireForm:
    """The first question to seat 0, without playing a whole match."""
    return next(each for each in match(*table_of(subject), seed) if "choices" in each["question"])


def match(game: AnyGame, seats: int, seed: int, viewer: Seat = 0) -> Iterator[WireForm]:
    """Every snapshot that `viewer` could get in a random match."""
    options = options_of(game, seats)
    facts: list[WireForm] = []
    legend = legend_form(game.info.legend, game.info.labels, game.info.layout)
    for turn, step in enumerate(steps_of(game, seats, seed), 1):
        new = seen_by(step.facts, viewer)
        starts = [at for at, fact in enumerate(new) if fact.verb == "deal_started"]
        told = facts_form(new[starts[-1] :] if starts else new)
        facts = told if starts else [*facts, *told]
        asked = game.to_act(step.state)
        choices = choices_told(game, step.state, viewer, WANTED) if viewer in asked else None
        yield snapshot_message(
            table="K7QX",
            seq=turn,
            seat=viewer if viewer >= 0 else None,
            info=info_of(game, seats, options, viewer, over=not asked),
            view=game.view(step.state, viewer),
            facts=facts,
            question=question_form(turn, asked, choices),
            legend=legend,
        )


def options_of(game: AnyGame, seats: int) -> dict[str, Any]:
    """The options of a random match of a game."""
    options = complete_options(game, seats, {})
    return {**options, "deals": DEALS} if "deals" in options else dict(options)


def steps_of(game: AnyGame, seats: int, seed: int) -> Iterator[Step[Any]]:
    """The steps of a random match from its start; cut off if it is too long."""
    rng = Random(seed)
    step = game.start(Setup(seats, options_of(game, seats), Shuffler(seed_from_int(seed))))
    for _ in range(MOST_MOVES + 1):
        yield step
        asked = game.to_act(step.state)
        if not asked:
            return
        seat = rng.choice(asked)
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))


def info_of(
    game: AnyGame, seats: int, options: dict[str, Any], viewer: Seat, *, over: bool
) -> WireForm:
    """The table info of this match, with `viewer` as a person and bots in all other seats."""
    chairs = [
        {"kind": "human" if seat == viewer else "bot", "name": NAMES[seat % len(NAMES)]}
        | ({} if seat == viewer else {"strength": 1})
        for seat in range(seats)
    ]
    return {
        "table": "K7QX",
        "game": game.info.id,
        "version": game.info.version,
        "title": game.info.title,
        "phase": "finished" if over else "playing",
        "host": 0,
        "seats": chairs,
        "options": options,
        "settings": {},
        "match": 1,
    }


def _fullness(table: WireForm) -> tuple[int, int]:
    zones = table["view"].get("zones", {}).values()
    return sum(len(zone.get("cards", ())) for zone in zones), len(str(table["question"]))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    natives = [f"{info.id}-{seats}" for info in GAMES for seats in info.seats]
    for subject in (*natives, *names()):
        told = dict(zip(("start", "fullest", "choosy", "end"), moments_of(subject), strict=True))
        (folder / f"{subject}.json").write_text(json.dumps(told))
