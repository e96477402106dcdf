"""Reviews of Hearts: mistakes are found, and all passes are weighed."""

from random import Random

import pytest

from bots import Budget
from bots.review import DecisionPoint, Judgement, judge, judging_bot
from engine.cards import card_text
from engine.games.hearts import State
from tests.games.hearts.bots.positions import GAME, laid_out, position, started

SOME = Budget(samples=64)


def judged(state: State, action: str) -> Judgement:
    """The strong bot's judgement of a move of the seat to move."""
    seen = position(state, GAME.begin(state).facts)
    return judge(judging_bot("hearts", 2), DecisionPoint(seen, action, 1, 1), SOME, GAME.info.aim)


def test_taking_the_queen_is_a_blunder() -> None:
    """Taking the queen as the last player, who could have stayed below her, costs 13 points."""
    state = laid_out(("AS 2S 3D 4D", "5C 6C 7C", "8C 9C TC", "JC QC KC"), trick="3S 4S QS")
    state = state._replace(leader=1)
    blunder = judged(state, "play AS")
    assert blunder.best == "play 2S"
    assert blunder.given_away is not None
    # The others' mean is a third of what they are spared less: 13 points and 13 thirds.
    assert blunder.given_away.points == pytest.approx(13 * 4 / 3, abs=3)
    assert blunder.given_away.points > 3 * blunder.given_away.error
    assert judged(state, "play 2S").agrees


def test_every_pass_is_weighed() -> None:
    """Every pass is weighed, also the three lowest clubs, which the bot would not consider."""
    state, facts = started(Random(4), 0)
    seen = position(state, facts, 0)
    lowest = " ".join(map(card_text, state.hands[0][:3]))
    thought = judge(
        judging_bot("hearts", 2), DecisionPoint(seen, f"pass {lowest}", 1, 1), SOME, GAME.info.aim
    )
    assert thought.given_away is not None


def test_equal_cards_give_nothing_away() -> None:
    """Touching cards are one card to the bot."""
    state = laid_out(("2S 3S", "5C 6C", "8C 9C", "JC QC"))
    thought = judged(state, "play 3S")
    assert thought.agrees
    assert thought.given_away is not None
    assert thought.given_away.points == 0
