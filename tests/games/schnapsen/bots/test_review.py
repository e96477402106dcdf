"""Reviews of Schnapsen: expected score, exact if all cards are known."""

from random import Random

import pytest

from bots import Budget
from bots.review import DecisionPoint, Judgement, judge, judging_bot
from engine.cards import parse_cards
from engine.games.schnapsen import EMPTY, State
from tests.games.schnapsen.bots.positions import asked_at, random_setup

SOME = Budget(samples=64)


def open_end(first: str, second: str, taken: str, other: str = "") -> State:
    """A deal without a talon, hearts as trumps, in which seat 0 leads."""
    return State(
        setup=random_setup(Random(1)),
        hands=(tuple(sorted(parse_cards(first))), tuple(sorted(parse_cards(second)))),
        talon=(),
        turned=EMPTY,
        trump=3,
        dealer=1,
        leader=0,
        trick=(),
        taken=(tuple(parse_cards(taken)), tuple(parse_cards(other))),
        marriages=(0, 0),
    )


def judged(state: State, action: str) -> Judgement:
    """The strong bot's judgement of a move of the leader."""
    return judge(
        judging_bot("schnapsen", 3), DecisionPoint(asked_at(state, ()), action, 1, 1), SOME, "high"
    )


def test_a_thrown_game_is_found_in_the_open_end() -> None:
    """In an open ending a review finds the mistake that loses the deal, with exact points."""
    state = open_end(
        "AH JS", "KS KD", "KC QC TD QD TH KH QH JH", "AS TS QS AC TC JC AD JD"
    )._replace(marriages=(20, 0))
    good, bad = judged(state, "play AH"), judged(state, "play JS")
    assert good.agrees
    assert good.worth is not None
    assert good.worth.error == 0
    assert bad.best == "play AH"
    assert bad.given_away is not None
    assert bad.given_away.error == 0
    assert bad.given_away.points == pytest.approx(2)


def test_a_forgotten_marriage_is_weighed() -> None:
    """A review weighs a king led without its marriage, which the bot itself never does."""
    state = open_end("KH QH AS", "KS KD JD", "AC TC JC", "AD TD KC")
    thought = judged(state, "play KH")
    assert thought.best in ("marry KH", "marry QH", "play AS")
    assert thought.given_away is not None
