"""Tables of random matches as a page sees them: every game at its start, its fullest and its end.

``python -m tests.client_web.pictures FOLDER`` writes them as JSON, to look at.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine import GAMES, AnyGame
from engine.choices import random_action
from engine.facts import Fact, Seat, seen_by
from engine.game import Setup, complete_options
from engine.recycle.games import description, names
from engine.shuffle import Shuffler, seed_from_int
from protocol.wire_form import WireForm, question_form, snapshot_message, wire_form
from server.games.descriptions import Source, make_game
from server.table.choice_order import in_order

NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil", "Fay", "Gus", "Hedwig")
DEALS = 2
"""No match of these is longer."""
MOST_MOVES = 4000


def tables(seed: int = 7) -> Iterator[tuple[str, dict[str, WireForm]]]:
    """For each game and number of seats: its name, and what seat 0 sees at three moments."""
    for info in GAMES:
        for seats in info.seats:
            yield f"{info.id}-{seats}", moments(GAMES.game(info.id), seats, seed)
    for name in names():
        game = make_game(Source(f"{name}.rcy", description(name)))
        yield name, moments(game, game.info.usual_seats, seed)


def moments(game: AnyGame, seats: int, seed: int) -> dict[str, WireForm]:
    """What seat 0 is asked first, what it sees when most lies open, and the end of the match."""
    pictures = list(match(game, seats, seed))
    asked = [each for each in pictures if "choices" in each["question"]]
    return {
        "start": (asked or pictures)[0],
        "fullest": max(asked or pictures, key=_fullness),
        "end": pictures[-1],
    }


def match(game: AnyGame, seats: int, seed: int, viewer: Seat = 0) -> Iterator[WireForm]:
    """Every snapshot that `viewer` could get in a random match."""
    rng = Random(seed)
    options = complete_options(game, seats, {})
    if "deals" in options:
        options = {**options, "deals": DEALS}
    setup = Setup(seats, options, Shuffler(seed_from_int(seed)))
    step = game.start(setup)
    facts: list[Fact] = []
    turn = 0
    while True:
        new = seen_by(step.facts, viewer)
        starts = [at for at, fact in enumerate(new) if fact.verb == "deal_started"]
        facts = [*new[starts[-1] :]] if starts else [*facts, *new]
        asked = game.to_act(step.state)
        choices = game.choices(step.state, viewer) if viewer in asked else None
        if choices is not None and choices.texts:
            choices = in_order(choices, game.info.legend)
        turn += 1
        yield snapshot_message(
            table="K7QX",
            seq=turn,
            seat=viewer if viewer >= 0 else None,
            info=_info(game, seats, dict(options), viewer, over=not asked),
            view=game.view(step.state, viewer),
            facts=wire_form(tuple(facts)),
            question=question_form(turn, asked, choices, None, ()),
            legend=wire_form(game.info.legend),
            labels=wire_form(game.info.labels),
            layout=wire_form(game.info.layout),
        )
        if not asked or turn > MOST_MOVES:
            return
        seat = rng.choice(asked)
        step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))


def _info(
    game: AnyGame, seats: int, options: dict[str, Any], viewer: Seat, *, over: bool
) -> WireForm:
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
    for name, moment in tables():
        (folder / f"{name}.json").write_text(json.dumps(moment))
