"""Snapshots: how long they are for a client that wants all, and for one that draws the view.

The longest that a seat gets in a match of random moves: of every game for its usual number of
players, described ones too. The second client keeps legends, wants no internal values, and no more
facts than tell it who played the cards of a trick.
"""

from collections.abc import Iterator, Sequence
from random import Random

from bench.figures import Figure, at_most
from engine import GAMES, AnyGame, Fact, Match, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import seen_by
from engine.recycle import games, load
from engine.views import View, for_people
from protocol.codec import codec_for
from protocol.version import MSGPACK
from protocol.wire_form import (
    WireForm,
    choices_form,
    fact_form,
    facts_form,
    snapshot_message,
    wire_form,
)
from server.games.legends import legend_of

FACTS = 40
"""Facts that the second client wants."""
EVERY = 5
"""A snapshot after so many moves, and after the last one."""
MOST_MOVES = 1_000
LONGEST_KB = 14.0
"""The most kilobytes of the second client's snapshots."""

_ENCODE = codec_for(MSGPACK).encode_message


def measure() -> Iterator[Figure]:
    """Kilobytes by game: the whole snapshot, the short one, and the legend that is sent once."""
    for game in _games():
        whole, wanted, internal = longest(game)
        name = f"snapshots.{game.info.id}"
        yield Figure(name, whole / 1000, "kB")
        yield Figure(f"{name}.short", wanted / 1000, "kB", at_most(LONGEST_KB))
        yield Figure(f"{name}.legend", len(_ENCODE(legend_of(game.info).message)) / 1000, "kB")
        if internal:
            yield Figure(f"{name}.internal", internal, "of all facts")


def _games() -> Iterator[AnyGame]:
    """The native games, and of each family of descriptions that for most players."""
    yield from (GAMES.game(info.id) for info in GAMES)
    for name in {name.rstrip("0123456789"): name for name in games.names()}.values():
        yield Match(load(games.description(name), name))


def longest(game: AnyGame) -> tuple[int, int, float]:
    """Bytes of the longest snapshot in each form, and the share of internal values in all facts."""
    seats, rng = game.info.usual_seats, Random(1)
    options = complete_options(game, seats, {})
    step = game.start(Setup(seats, options, Shuffler(seed_from_int(1))))
    facts: list[Fact] = []
    whole = wanted = said = needed = 0
    for number in range(MOST_MOVES + 1):
        told = seen_by(step.facts, 0)
        said += sum(len(_ENCODE(fact_form(fact))) for fact in told)
        needed += sum(len(_ENCODE(fact_form(for_people(fact)))) for fact in told)
        starts = [at for at, fact in enumerate(told) if fact.verb == "deal_started"]
        facts = [*told[starts[-1] :]] if starts else [*facts, *told]
        asked = game.to_act(step.state)
        if number % EVERY == 0 or not asked:
            view, question = game.view(step.state, 0), _question(game, step.state, asked)
            legend = legend_of(game.info)
            whole = max(whole, _size(game, view, facts, question, legend.form))
            kept = [for_people(fact) for fact in facts[-FACTS:]]
            by_name = {"digest": legend.digest}
            shown = view.for_people()
            wanted = max(wanted, _size(game, shown, kept, question, by_name, len(facts)))
        if not asked:
            break
        action = random_action(game.choices(step.state, asked[0]), rng)
        step = game.apply(step.state, asked[0], action)
    return whole, wanted, 1 - needed / said


def _question(game: AnyGame, state: object, asked: Sequence[int]) -> WireForm:
    question: WireForm = {"turn": 1, "to_act": asked}
    if 0 in asked:
        question["choices"] = choices_form(game.choices(state, 0))
    return question


def _size(
    game: AnyGame,
    view: View,
    facts: Sequence[Fact],
    question: WireForm,
    legend: WireForm,
    earlier: int = 0,
) -> int:
    info: WireForm = {
        "table": "K7QX2",
        "game": game.info.id,
        "version": 1,
        "title": game.info.title,
        "phase": "playing",
        "host": 0,
        "seats": [{"kind": "bot", "name": "Blaise", "strength": 2}] * game.info.usual_seats,
        "options": wire_form(complete_options(game, game.info.usual_seats, {})),
        "settings": {},
        "match": 1,
    }
    message = snapshot_message(
        "K7QX2", 99, 0, info, view, facts_form(facts), question, legend, earlier
    )
    return len(_ENCODE(message))
