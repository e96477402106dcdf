"""Which bots there are, and the random one every game has."""

from collections import Counter
from random import Random

import pytest

from bots import Bot, Budget, make_bot, strengths
from bots.random_bot import RandomBot, random_action
from engine.catalogue import GAMES
from engine.choices import Choices, Pick
from tests.bots.positions import played_at_random, position
from tests.counts import count


def test_black_queen_has_three_strengths() -> None:
    """Black Queen is played at strengths 0, 1 and 2."""
    assert strengths("black_queen") == (0, 1, 2)


def test_every_game_has_the_random_bot() -> None:
    """Strength 0 is the random bot, also of a game nobody wrote a bot for."""
    for game in (*(info.id for info in GAMES), "some_new_game"):
        assert isinstance(make_bot(game, 0), RandomBot)


@pytest.mark.parametrize("strength", [-1, 3])
def test_unknown_strength(strength: int) -> None:
    """A strength that is not there is an error that lists those that are."""
    with pytest.raises(KeyError, match="there are"):
        make_bot("black_queen", strength)


def test_bots_of_black_queen_stay_in_the_loop() -> None:
    """None of the three needs the facts of the deal or a process of its own."""
    bots: list[Bot] = [make_bot("black_queen", strength) for strength in strengths("black_queen")]
    assert all(bot.in_place and not bot.needs_facts for bot in bots)


def test_random_moves_are_equally_likely() -> None:
    """Strength 0 plays each of its legal moves about equally often."""
    asked = position(played_at_random(4, 8, seed=1, share=0.0))
    rng = Random(5)
    tries = count(200) * len(asked.choices.actions)
    played = Counter(
        make_bot("black_queen", 0).choose(asked, Budget(), rng).action for _ in range(tries)
    )
    assert set(played) == set(asked.choices.actions)
    expected = tries / len(played)
    assert all(abs(times - expected) < 5 * expected**0.5 for times in played.values())


def test_random_picks_are_allowed() -> None:
    """From a pattern a legal choice is drawn, of every size that is allowed."""
    choices = Choices(("wait",), (Pick("pass", ("2C", "3D", "3D", "AH"), 1, 3),))
    drawn = {random_action(choices, Random(seed)) for seed in range(300)}
    assert all(choices.allows(action) for action in drawn)
    assert "wait" in drawn
    assert {len(action.split()) - 1 for action in drawn if action != "wait"} == {1, 2, 3}
