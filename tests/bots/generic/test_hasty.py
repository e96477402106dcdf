"""The fast search that answers for bots that never had their turn."""

from collections.abc import Callable
from random import Random

import pytest

from bots import Budget, Position, position_of
from bots.generic.hasty import HastyPlayer
from engine import GAMES, Setup, Shuffler
from engine.facts import seen_by
from engine.recycle import Description, load

POINTS = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A)))))
 (stage player (end (any player 'P (> ('P sto SCORE) 99)))
  (choice ((inc ((current player) sto SCORE) 1)
           (inc ((current player) sto SCORE) 9)
           (dec ((current player) sto SCORE) 5))))
 (scoring max ((current player) sto SCORE)))"""


def asked(game: Description) -> Position:
    """The position of the first player."""
    step = game.start(Setup(2, {}, Shuffler(bytes(32))))
    (seat,) = game.to_act(step.state)
    return position_of(game, step.state, seat, {}, seen_by(step.facts, seat))


def ticking(seconds: float) -> Callable[[], float]:
    """A clock that advances by a fixed step at each reading."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += seconds
        return now

    return clock


@pytest.mark.parametrize("tick", [0.0001, 0.004])
def test_the_better_move_is_found_in_little_time(tick: float) -> None:
    """With too little time for whole playouts the move that stands best so far is found."""
    game = load(POINTS, "Points2")
    decision = HastyPlayer(game, clock=ticking(tick)).choose(asked(game), Budget(), Random(1))
    assert decision.action == "score 9"


@pytest.mark.parametrize(("tick", "tried"), [(0.011, 1), (1.0, 0)])
def test_without_time_there_is_a_legal_move(tick: float, tried: int) -> None:
    """Without time the player plays a legal move, a tried one if there is any."""
    game = load(POINTS, "Points2")
    position = asked(game)
    decision = HastyPlayer(game, clock=ticking(tick)).choose(position, Budget(), Random(1))
    assert decision.action in position.choices.actions
    assert len(decision.candidates) == tried
    assert decision.candidates == () or decision.action == decision.candidates[0].action


def test_it_plays_described_games_only() -> None:
    """The hasty player refuses games that are not described, since they have other bots."""
    with pytest.raises(ValueError, match="not a described game"):
        HastyPlayer(GAMES.game("hearts"))
