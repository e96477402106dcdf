"""The source's worked example: third to play after two low spades, holding ♠A and ♠J."""

from math import sqrt
from random import Random

import pytest

from bots import Budget, Candidate, Position, make_bot
from engine.games.black_queen import State
from tests.games.black_queen.bots.positions import Player, laid_out, position

AS_THE_SOURCE_TELLS_IT = laid_out(
    [Player("2H 7H 9C"), Player("9C TD QS"), Player("AS JS"), Player("QS")],
    trick="3S 5S",
    rest_to=2,
)
"""The next player has one card in hand and none face up; both queens are among 7 unseen cards.

No deal gets there, for all players hold equally many cards when a trick begins.
"""

AS_A_DEAL_GETS_THERE = laid_out(
    [
        Player("2H 7H 9C"),
        Player("9C TD", up="KC"),
        Player("AS JS 2D 2D"),
        Player("QS", up="9D 5C", down="QS"),
    ],
    trick="3S 5S",
    rest_to=2,
)
"""The same with four cards a player: one in hand, two harmless ones face up, one under them."""

POSITIONS = pytest.mark.parametrize("state", [AS_THE_SOURCE_TELLS_IT, AS_A_DEAL_GETS_THERE])


def weighed(state: State, strength: int) -> tuple[str, dict[str, Candidate]]:
    decision = make_bot("black_queen", strength).choose(position(state), Budget(), Random(0))
    return decision.action, {candidate.action: candidate for candidate in decision.candidates}


def unseen_cards(seen: Position) -> int:
    return sum(zone.backs for zone in seen.view.zones.values())


def test_the_second_position_can_be_dealt() -> None:
    """All four players hold equally many cards, and the tricks taken are whole."""
    state = AS_A_DEAL_GETS_THERE
    left = [
        len(state.hands[seat]) + sum(card >= 0 for card in state.up[seat] + state.down[seat])
        for seat in range(4)
    ]
    assert left == [3, 3, 4, 4]
    assert sum(map(len, state.taken)) % 4 == 0


@POSITIONS
def test_two_of_seven_unseen_cards_are_queens(state: State) -> None:
    """The example's numbers hold in the position: N = 7, no black queen in sight, one hand card."""
    seen = position(state)
    assert unseen_cards(seen) == 7
    assert seen.view.zones["hand/3"].backs == 1
    assert all("QS" not in zone.cards for zone in seen.view.zones.values())


@POSITIONS
def test_the_ace_is_weighed_by_the_root_of_its_danger(state: State) -> None:
    """The next player holds a queen with p = 2/7, so the ace costs 12 √(2/7) = 6.41."""
    _, candidates = weighed(state, 2)
    ace = candidates["play AS"]
    assert ace.why["queen/3"] == pytest.approx(2 / 7)
    assert ace.why["we_take_chance"] == pytest.approx(1)
    assert ace.why["worst"] == pytest.approx(-12 * sqrt(2 / 7))
    assert ace.why["worst"] == pytest.approx(-6.41, abs=0.005)


@POSITIONS
def test_the_jack_is_safe_from_the_queen(state: State) -> None:
    """Under the jack only a heart can fall, if the next player is void: √(5/7) √(5/7 · 1/7)."""
    _, candidates = weighed(state, 2)
    jack = candidates["play JS"]
    assert jack.why["queen/3"] == 0
    assert jack.why["heart/3"] == pytest.approx(5 / 7 * 1 / 7)
    assert jack.why["we_take_chance"] == pytest.approx(5 / 7)
    assert jack.why["worst"] == pytest.approx(-sqrt(5 / 7) * sqrt(5 / 49))
    assert jack.why["worst"] == pytest.approx(-0.27, abs=0.005)


@POSITIONS
def test_strength_2_plays_the_jack(state: State) -> None:
    """What the ace risks outweighs being rid of it, so strength 2 keeps it."""
    action, candidates = weighed(state, 2)
    assert action == "play JS"
    assert candidates["play JS"].value > candidates["play AS"].value


@POSITIONS
def test_strength_1_plays_the_ace(state: State) -> None:
    """Strength 1 sees no queen, and so plays the ace."""
    action, candidates = weighed(state, 1)
    assert action == "play AS"
    assert candidates["play AS"].why["worst"] == 0
    assert candidates["play JS"].why["worst"] == 0
    assert candidates["play AS"].why["high_spade"] > 0
