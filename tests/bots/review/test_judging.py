"""The judgement of one decision by a bot."""

from random import Random
from typing import Any

import pytest

from bots import Budget, Candidate, Decision, Position
from bots.bot import equally_good
from bots.review import Worth, judge, judging_bot, judging_budget
from bots.schnapsen.players import PLAYERS
from tests.bots.review.scripted import Scripted, moment

SOME = Budget(samples=1)


class Says:
    """A bot that always gives one decision."""

    in_place = True
    needs_facts = True

    def __init__(self, decision: Decision) -> None:
        self._decision = decision

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        return self._decision


def test_a_move_is_compared_with_the_best_one() -> None:
    """A move and the best one are tried again alone, because chance favours the best of many."""
    bot = Scripted(
        {"a": (5.0, 0.5), "b": (1.0, 0.5), "c": (4.0, 0.5)}, {"a": (4.5, 0.3), "b": (1.5, 0.4)}
    )
    judged = judge(bot, moment("b"), SOME, "high")
    assert (judged.action, judged.best, judged.agrees) == ("b", "a", False)
    assert judged.worth == Worth(5.0, 0.5)
    assert judged.given_away == Worth(3.0, 0.5)
    assert judged.ahead is None
    assert bot.offered == [("a", "b", "c"), ("a", "b")]


def test_the_best_move_gives_nothing_away() -> None:
    """For the best move the bot is asked once, and its lead over the next best is told."""
    bot = Scripted({"a": (5.0, 0.3), "b": (1.0, 0.5), "c": (4.0, 0.4)})
    judged = judge(bot, moment("a"), SOME, "high")
    assert judged.agrees
    assert judged.given_away == Worth(0.0, 0.0)
    assert judged.ahead == Worth(1.0, 0.5)
    assert len(bot.offered) == 1


def test_an_equal_move_gives_nothing_away() -> None:
    """Moves of which the bot has one opinion, such as touching cards, give nothing away."""
    once = Scripted({"a": (5.0, 0.3), "b": (5.0, 0.3)})
    assert judge(once, moment("b"), SOME, "high").given_away == Worth(0.0, 0.0)
    twice = Scripted({"a": (5.0, 0.3), "b": (4.0, 0.6)}, {"a": (4.0, 0.3), "b": (4.0, 0.3)})
    judged = judge(twice, moment("b"), SOME, "high")
    assert judged.agrees
    assert judged.given_away == Worth(0.0, 0.0)
    unweighed = Says(equally_good(["a", "b"], "lead"))
    assert judge(unweighed, moment("b"), SOME, "high").given_away == Worth(0.0, 0.0)


def test_nothing_is_given_away_by_a_better_move() -> None:
    """The points given away are never negative, even if the second look prefers the move."""
    bot = Scripted({"a": (5.0, 0.0), "b": (4.0, 0.0)}, {"a": (4.0, 0.0), "b": (4.5, 0.0)})
    judged = judge(bot, moment("b"), SOME, "high")
    assert judged.lost == Worth(-0.5, 0.0)
    assert judged.given_away == Worth(0.0, 0.0)


def test_a_move_that_the_bot_left_out_is_tried_beside_another() -> None:
    """A move that the bot leaves out beside its best move is tried beside another one."""
    bot = Scripted(
        {"a": (5.0, 0.3), "b": (4.0, 0.6)}, {"a": (5.0, 0.3)}, {"b": (4.0, 0.3), "c": (2.0, 0.4)}
    )
    judged = judge(bot, moment("c"), SOME, "high")
    assert judged.given_away == Worth(3.0, 0.5)
    assert bot.offered[1:] == [("a", "c"), ("b", "c")]


def test_a_move_that_the_bot_never_weighs_stays_unknown() -> None:
    """A move that the bot never tries has no points, and the bot's move is named."""
    bot = Scripted({"a": (5.0, 0.3), "b": (4.0, 0.6)}, {"a": (5.0, 0.3)}, {"b": (4.0, 0.3)})
    judged = judge(bot, moment("c"), SOME, "high")
    assert (judged.best, judged.given_away, judged.agrees) == ("a", None, False)
    alone = Scripted({"a": (5.0, 0.3)}, {"a": (5.0, 0.3)})
    assert judge(alone, moment("c"), SOME, "high").given_away is None


@pytest.mark.parametrize("measure", ["trick_lead", "chance", "worth"])
def test_a_bot_that_does_not_weigh_by_points_says_no_points(measure: Any) -> None:
    """A bot that does not weigh by points is asked once, and its review has no points."""
    bot = Scripted({"a": (5.0, 0.3), "b": (1.0, 0.3)}, measure=measure)
    judged = judge(bot, moment("b"), SOME, "high")
    assert (judged.best, judged.worth, judged.given_away) == ("a", None, None)
    assert len(bot.offered) == 1


def test_a_bot_without_reasons_says_no_points() -> None:
    """A bot by rules names a move without points."""
    judged = judge(Says(Decision("a")), moment("b"), SOME, "high")
    assert (judged.best, judged.given_away) == ("a", None)


@pytest.mark.parametrize(("aim", "given"), [("high", 0.0), ("low", 3.0)])
def test_few_points_are_good_where_the_game_says_so(aim: Any, given: float) -> None:
    """A bot that plays for its rank gives the score beside it, even if few points are good."""
    candidates = tuple(
        Candidate(action, rank, {"visits": 9, "score": score, "score_deviation": 0.0})
        for action, rank, score in (("a", 0.9, 2.0), ("b", 0.1, 5.0))
    )
    bot = Says(Decision("a", candidates, by="visits", measure="rank"))
    judged = judge(bot, moment("b"), SOME, aim)
    assert judged.given_away == Worth(given, 0.0)


def test_a_move_without_a_value_is_not_weighed() -> None:
    """A move without a value, which no sampled world allowed, has no points."""
    candidates = (Candidate("a", 1.0, {"deviation": 0.1}), Candidate("b", float("-inf"), {}))
    judged = judge(Says(Decision("a", candidates, measure="lead")), moment("b"), SOME, "high")
    assert judged.given_away is None


def test_chance_depends_on_the_number_of_the_decision_alone() -> None:
    """The random numbers of a judgement depend only on the decision's number."""
    opinion = {"a": (5.0, 0.3)}
    drawn = []
    for number in (0, 0, 1):
        bot = Scripted(opinion)
        judge(bot, moment("a"), SOME, "high", number)
        drawn += bot.drawn
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_judging_bot_weighs_by_points() -> None:
    """The judging bot plays for the score, even if it usually plays for the chance to win."""
    strongest = PLAYERS.strengths[-1]
    assert dict(strongest.in_points) == {"aim": "score"}
    assert judging_bot("schnapsen", 9)


def test_a_bot_judges_with_more_thought_than_it_plays() -> None:
    """A judging bot uses more samples than in play, and no clock, so that reviews repeat."""
    assert judging_budget("schnapsen", 3) == Budget(samples=1000)
    assert judging_budget("black_queen", 3) == Budget(samples=256)
    assert judging_budget("of_a_file", 2) == Budget(samples=256)
