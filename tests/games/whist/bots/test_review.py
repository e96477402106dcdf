"""Reviews of Whist: every bid and card is weighed."""

from random import Random

from bots import Budget
from bots.review import DecisionPoint, judge, judging_bot
from tests.games.whist.bots.positions import position, random_walk


def test_every_move_is_weighed() -> None:
    """A review weighs equal cards and bids that the bot itself would not try."""
    bot, rng = judging_bot("whist", 3), Random(2)
    walk = [each for each in random_walk(rng) if len(position(*each).choices.actions) > 1]
    for state, facts in rng.sample(walk, min(8, len(walk))):
        seen = position(state, facts)
        moment = DecisionPoint(seen, rng.choice(seen.choices.actions), 1, 1)
        assert judge(bot, moment, Budget(samples=64), "high").given_away is not None
