"""Hearts: sampled deals agree with what one seat knows."""

from random import Random

from engine.facts import seen_by
from engine.games.hearts import State
from tests.games.hearts.hands import GAME, Hands, deal

SUITS = ("C", "D", "S", "H")
ONE_SUIT_EACH = tuple(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in SUITS)
THREE_EACH = tuple(f"2{suit} 3{suit} 4{suit}" for suit in SUITS)


def samples(hands: Hands, seat: int) -> list[State]:
    """A few sampled deals that look to this seat like the real one."""
    view = GAME.view(hands.state, seat)
    facts = seen_by(hands.all_facts, seat)
    made = [GAME.sample(view, facts, Random(seed)) for seed in range(5)]
    assert all(GAME.view(state, seat) == view for state in made)
    return made


def test_hands_that_are_not_seen_are_dealt_anew() -> None:
    """Unseen hands are dealt anew, and the leader holds the two of clubs in each sample."""
    hands = deal(*ONE_SUIT_EACH)
    made = samples(hands, 2)
    assert {state.hands[2] for state in made} == {hands.state.hands[2]}
    assert len({state.hands[1] for state in made}) == 5
    assert all(0 in state.hands[0] for state in made)
    assert {state.passed for state in made} == {((),) * 4}


def test_cards_that_others_chose_are_not_known() -> None:
    """Other seats' chosen cards are unknown in samples; this seat's own choice is kept."""
    hands = deal(*ONE_SUIT_EACH, shift=1).act_as(0, "pass 2C 3C 4C").act_as(1, "pass 2D 3D 4D")
    made = samples(hands, 0)
    assert {state.passed[0] for state in made} == {(0, 1, 2)}
    assert len({state.passed[1] for state in made}) == 5
    assert {tuple(map(len, state.passed)) for state in made} == {(3, 3, 0, 0)}


def test_cards_that_one_passed_are_where_they_went() -> None:
    """In samples one's passed cards lie with their receiver; other passes are of possible cards."""
    hands = deal(*ONE_SUIT_EACH, shift=1).passing(*THREE_EACH).play("2C")
    made = samples(hands, 0)
    for state in made:
        assert {1, 2} < set(state.hands[1])
        assert state.passed[0] == (0, 1, 2)
        assert state.passed[3] == hands.state.passed[3]
        assert set(state.passed[1]) < set(state.hands[2])
    assert len({state.passed[1] for state in made}) > 1
