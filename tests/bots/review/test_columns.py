"""The two columns of a decision: what one could know, and how the cards lay."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from bots import Budget
from bots.bot import BEST
from bots.review import DecisionPoint, SeatMemory, judge, judging_bot
from bots.review.columns import Places, Valued, places_of
from bots.search.racing import Race
from engine import Setup, Shuffler, seed_from_int
from engine.cards import parse_card
from engine.catalogue import GAMES
from engine.facts import seen_by
from engine.game import complete_options
from tests.bots.review.scripted import Scripted, moment
from tests.conformance.playing import play


def test_equal_moves_share_a_place() -> None:
    """A move is behind another only if that is ahead by more than two standard errors."""
    valued = [Valued("a", 5.0, 0.0), Valued("b", 4.0, 0.6), Valued("c", 1.0, 0.1)]
    assert places_of(valued, "c", "b") == Places(3, 1, 3, "b")
    assert places_of(valued, "c", "c") == Places(3, 3, 3, "a")
    assert places_of(valued, "d", "a") is None


def test_a_thorough_race_tells_how_often_each_was_best() -> None:
    """Nobody is dropped, ties count for each, and plans of one move count together."""
    values = np.array([[5.0, 5.0, 5.0, 5.0], [1.0, 6.0, 5.0, 1.0], [0.0, 0.0, 0.0, 9.0]])
    race = Race(3, least=1, thorough=True)
    race.add(values)
    race.add(values)
    assert [each.why()[BEST] for each in race.standings()] == [0.5, 0.5, 0.25]
    plans = Race(3, least=1, thorough=True, alike=(7, 8, 7))
    plans.add(values)
    assert [each.best for each in plans.standings()] == [0.75, 0.5, 0.75]
    usual = Race(3, least=1)
    usual.add(values)
    assert not any(BEST in each.why() for each in usual.standings())


def test_only_what_may_be_seen_is_looked_at() -> None:
    """Without an open view the bot is asked as before, and the columns stay empty."""
    bot = Scripted({"a": (5.0, 0.3), "b": (1.0, 0.5)})
    judged = judge(bot, moment("a"), Budget(samples=1), "high")
    assert (judged.shares, judged.places) == (None, None)
    opened = replace(moment("b", ("a", "b")), opened=moment("b").position.view)
    bot = Scripted(
        {"a": (5.0, 0.3), "b": (1.0, 0.5)},
        {"a": (5.0, 0.3), "b": (1.0, 0.5)},
        {"a": (2.0, 0.0), "b": (3.0, 0.0)},
    )
    judged = judge(bot, opened, Budget(samples=1), "high")
    assert judged.places == Places(1, 2, 2, "b")
    assert judged.shares is None


def moments(game: str, seed: int) -> Iterator[tuple[Any, DecisionPoint]]:
    """The states and decisions of seat 0 in the first deals of a match by chance."""
    rules = GAMES.game(game)
    seats = rules.info.usual_seats
    setup = Setup(seats, complete_options(rules, seats, {}), Shuffler(seed_from_int(seed)))
    played = play(rules, setup, Random(seed))
    memory = SeatMemory(rules, setup.options, 0, seats)
    for step, move in zip(played.steps[:60], played.moves, strict=False):
        memory.see(seen_by(step.facts, 0))
        if move[0] == 0 and (at := memory.moment(step.state, move[1])) is not None:
            yield step.state.deal, at


@pytest.mark.parametrize("game", ["black_queen", "hearts", "whist", "spades", "schnapsen"])
def test_the_strong_bots_fill_both_columns(game: str) -> None:
    """Each strong bot says how often a move was best, and takes the hands as they lay."""
    bot: Any = judging_bot(game, 9)
    found = list(moments(game, 4))
    for state, at in found:
        opened = at.opened
        assert opened is not None
        shown = [opened.cards("hand", seat) for seat in range(len(state.hands))]
        assert [set(map(parse_card, cards)) for cards in shown] == list(map(set, state.hands))
    for _, at in found[:: max(1, len(found) // 4)]:
        judged = judge(bot, at, Budget(samples=32), GAMES.game(game).info.aim)
        if judged.worth is None:
            continue
        assert judged.places is not None
        assert 1 <= min(judged.places[:2]) <= max(judged.places[:2]) <= judged.places.moves
        assert judged.shares is not None
        assert 0 <= min(judged.shares) <= max(judged.shares) <= 1
