"""Every fact, refusal and option that tables and games can produce, collected by playing them."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random
from typing import Any

import pytest

from engine import GAMES, AnyGame, Fact, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import Action, random_action
from engine.errors import BadAction, BadOption, IllegalAction
from engine.facts import Seat
from engine.game import Option, Options, OptionValue
from engine.phrases import Phrase
from engine.questions import prompt_of
from engine.recycle import load
from protocol.texts.catalogue import english
from protocol.to_server import TableSettings
from server.table import refusals
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    Entry,
    HandedBack,
    HostPassed,
    Left,
    Moved,
    Opened,
    Paused,
    Readied,
    Reopened,
    Resumed,
    Seated,
    Started,
    TakenOver,
    TimedOut,
    Undone,
    Watched,
)
from server.table.fold import replay
from server.table.state import EMPTY_CHAIR, TableState
from tests.counts import count
from tests.games.catalogue import SERVER_SUBJECTS, SUBJECTS
from tests.protocol.strategies import members
from tests.server.table.minimal_games import STOPPED

LOBBY = TableState("black_queen", 1, {}, TableSettings(), (EMPTY_CHAIR,) * 2)
TABLE_PHRASES = [
    error.phrase
    for error in (
        *(refusals.of(each, **english().phrases[each].example) for each in refusals.REASONS),
        refusals.wrong_phase("lobby"),
        refusals.turn_over(1),
        refusals.just_closed(),
        refusals.answered_already(LOBBY),
        refusals.no_such_turn(5, (2, 6)),
        refusals.no_such_seat(3, 2),
        refusals.no_such_strength(9, (0, 1)),
    )
    if error.phrase is not None
]
BODIES = members(Body)


@cache
def game_facts() -> list[Fact]:
    """All facts of short matches of every game, for two and for the usual number of players.

    Each fact once: of some fifty thousand that happen three thousand are different to read.
    """
    facts: list[Fact] = []
    for info in GAMES:
        game = GAMES.game(info.id)
        for seats in {info.usual_seats, info.seats[0]}:
            for seed, options in product(range(25), ways_to_play(game, seats)):
                rng = Random(seed)
                step = game.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
                facts += (made.fact for made in step.facts)
                while asked := game.to_act(step.state):
                    action = random_action(game.choices(step.state, asked[0]), rng)
                    step = game.apply(step.state, asked[0], action)
                    facts += (made.fact for made in step.facts)
    rare = [fact for subject in SUBJECTS for fact in subject.rare_facts()]
    lost = Fact("lost", {"seat": 1, "count": 2, "what": "points"})
    every = (*facts, *rare, *described_facts(), STOPPED.fact, lost)
    return [*{(fact.verb, str(fact.args)): fact for fact in every}.values()]


def described_facts() -> list[Fact]:
    """All facts of some described games; some moved cards are counted and not named."""
    facts: list[Fact] = []
    for name in ("Goofspiel3", "Golf4", "Cribbage2"):
        text = files("engine.recycle.games").joinpath(f"{name}.rcy").read_text()
        game, rng = load(text, name), Random(1)
        seats = game.info.usual_seats
        step = game.start(Setup(seats, {}, Shuffler(seed_from_int(1))))
        facts += (made.fact for made in step.facts)
        while asked := game.to_act(step.state):
            action = random_action(game.choices(step.state, asked[0]), rng)
            step = game.apply(step.state, asked[0], action)
            facts += (made.fact for made in step.facts)
    return [fact for fact in facts if "count" not in fact.args or fact.verb != "cards_moved"]


def ways_to_play(game: AnyGame, seats: int) -> Iterator[Options]:
    """Setups of short matches that cover every word of every option."""
    short = SERVER_SUBJECTS[game.info.id].short
    words = [[(o.name, word) for word in o.words] for o in game.options(seats) if o.words]
    for chosen in product(*words):
        yield complete_options(game, seats, {**short, **dict(chosen)})


def refused_moves() -> Collection[Phrase]:
    """The refusals of random moves in short matches of every game under every rule.

    Each phrase once: hundreds of thousands of attempts are refused for a thousand reasons.
    """
    phrases: dict[tuple[str, str], Phrase] = {}
    for subject in SUBJECTS:
        game, usual = subject.game, subject.game.info.usual_seats
        for seed, options in product(range(count(2)), ways_to_play(game, usual)):
            rng = Random(seed)
            step = game.start(Setup(usual, options, Shuffler(seed_from_int(seed))))
            while asked := game.to_act(step.state):
                for attempt in subject.plausible(step.state):
                    refused = refusal(game, step.state, asked[0], attempt)
                    phrases.update(((each.code, str(each.args)), each) for each in refused)
                action = random_action(game.choices(step.state, asked[0]), rng)
                step = game.apply(step.state, asked[0], action)
    return phrases.values()


def prompts() -> Collection[Phrase]:
    """The prompts of short matches of every native game under every rule, each phrase once."""
    asked: dict[tuple[str, str], Phrase] = {}
    for info in GAMES:
        game = GAMES.game(info.id)
        for seed, options in product(range(4), ways_to_play(game, info.usual_seats)):
            rng = Random(seed)
            step = game.start(Setup(info.usual_seats, options, Shuffler(seed_from_int(seed))))
            while to_act := game.to_act(step.state):
                prompt = prompt_of(game, step.state, to_act[0])
                if prompt is not None:
                    asked[prompt.code, str(prompt.args)] = prompt
                action = random_action(game.choices(step.state, to_act[0]), rng)
                step = game.apply(step.state, to_act[0], action)
    return asked.values()


def refusal(game: AnyGame, state: Any, seat: Seat, attempt: Action) -> list[Phrase]:
    try:
        game.apply(state, seat, attempt)
    except IllegalAction as error:
        return [error.phrase or Phrase(f"no phrase: {error}")]
    except BadAction:
        pass
    return []


def refused_options() -> list[Phrase]:
    """The refusals of wrong option values."""
    phrases = []
    for info in GAMES:
        game = GAMES.game(info.id)
        wrong: list[Mapping[str, object]] = [{"nonsense": 1}]
        wrong += [{option.name: None} for option in game.options(info.usual_seats)]
        for given in wrong:
            with pytest.raises(BadOption) as caught:
                complete_options(game, info.usual_seats, given)
            assert caught.value.phrase is not None
            phrases.append(caught.value.phrase)
    return phrases


def options_of_games() -> Iterator[tuple[str, Option]]:
    for info in GAMES:
        yield from ((info.id, o) for o in GAMES.game(info.id).options(info.usual_seats))


def options_of_described() -> Iterator[tuple[str, Option]]:
    text = files("engine.recycle.games").joinpath("Agram2.rcy").read_text()
    game = load(text, "Agram2")
    yield from (("described", option) for option in game.options(game.info.usual_seats))


def table_facts() -> list[Fact]:
    """All public facts of a table, from a log with an entry of every kind."""
    info = GAMES.game("black_queen").info
    options: dict[str, OptionValue] = {"deals": 1, "columns": 0}
    settings = TableSettings()
    bodies: list[Body] = [
        Opened(info.id, info.version, 4, options, settings),
        Seated(0, "p0", "Ann"),
        Seated(1, "p1", "Bob"),
        Moved(1, 2),
        BotAdded(1, 0, "Ada"),
        BotRemoved(1),
        Readied(2, True),
        Configured(options, settings),
        Seated(1, "p2", "Cid"),
        HostPassed("p1"),
        Left(1, kicked=True),
        Left(0),
        BotAdded(0, 0, "Ada"),
        BotAdded(1, 0, "Ben"),
        BotAdded(3, 0, "Cleo"),
        Started(),
        Dealt("00" * 32),
        TakenOver(2, 0),
        HandedBack(2),
        TimedOut(2),
        Paused(),
        Resumed(),
        Undone(2, 1),
        Watched(),
        Closed("abandoned"),
        Reopened(),
    ]
    missing = {*BODIES} - {Acted} - {type(body) for body in bodies}
    assert not missing, f"add entries of these kinds to `bodies` above: {missing}"
    log = [Entry(seq, 0.0, body) for seq, body in enumerate(bodies, start=1)]
    return [made.fact for _, step in replay(GAMES, log) for made in step.facts]
