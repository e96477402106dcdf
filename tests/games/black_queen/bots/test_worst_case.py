"""Strength 1 against a search of every reply that can be seen; strength 2 by hand and by laws."""

from itertools import product
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given, settings

from bots import Budget, Candidate, make_bot
from engine.cards import Card, suit_of
from engine.facts import Seat
from engine.games.black_queen import EMPTY, State, points
from engine.tricks import following, trick_winner
from tests.counts import count
from tests.games.black_queen.bots.positions import Player, laid_out, position, states

MOST_ENDS = 20_000


def candidates(state: State, strength: int) -> dict[str, Candidate]:
    decision = make_bot("black_queen", strength).choose(position(state), Budget(), Random(0))
    return {candidate.action: candidate for candidate in decision.candidates}


def worst(state: State, strength: int, action: str) -> float:
    return candidates(state, strength)[action].why["worst"]


def visible_replies(state: State, seat: Seat, led: int) -> tuple[Card | None, ...]:
    """What the face-up cards let `seat` play; None stands for an unknown card if there are none."""
    shown = [card for card in state.up[seat] if card != EMPTY]
    return following(shown, led) if shown else (None,)


def searched(state: State, card: Card) -> float | None:
    """The least value of playing `card` over every combination of visible replies.

    None if there are too many to try.
    """
    seats, me = state.setup.seats, state.turn
    led = suit_of((*state.trick, card)[0])
    followers = [(me + step) % seats for step in range(1, seats - len(state.trick))]
    replies = [visible_replies(state, seat, led) for seat in followers]
    ends = 1
    for options in replies:
        ends *= len(options)
    if ends > MOST_ENDS:
        return None
    values = []
    for answer in product(*replies):
        # A card nobody knows is taken for one of another suit without points.
        harmless = (led + 1) % 3
        cards = [*state.trick, card]
        cards += [harmless * 13 if reply is None else reply for reply in answer]
        taker = (state.leader + trick_winner(cards)) % seats
        after = state.taken[me] + (tuple(cards) if taker == me else ())
        bonus = 0.5 if not after else 0.25 if points(after) == 0 else 0.0
        values.append((points(cards) if taker == me else -points(cards)) + bonus)
    return min(values)


@given(states())
@settings(max_examples=count(150), deadline=None)
def test_strength_1_is_the_maximin_over_what_is_seen(state: State) -> None:
    """Every candidate's worst case equals the least value found by trying all visible replies."""
    tried = 0
    for action, candidate in candidates(state, 1).items():
        token = action.removeprefix("play ").partition("@")[0]
        found = searched(state, "23456789TJQKA".index(token[0]) + 13 * "CDSH".index(token[1]))
        if found is not None:
            assert candidate.why["worst"] == found, action
            tried += 1
    assume(tried)


@given(states(hands=False))
@settings(max_examples=count(60), deadline=None)
def test_without_hands_both_strengths_agree(state: State) -> None:
    """Where nobody holds a hidden card that could be played, strength 2 weighs as strength 1."""
    assume(not any(state.hands))
    ones, twos = candidates(state, 1), candidates(state, 2)
    for action, candidate in ones.items():
        assert twos[action].value == pytest.approx(candidate.value), action


@given(states())
@settings(max_examples=count(150), deadline=None)
def test_taking_is_never_better_than_not_taking(state: State) -> None:
    """A card's worst case lies between its values for not taking and for taking, in this order."""
    for strength in (1, 2):
        for candidate in candidates(state, strength).values():
            why = candidate.why
            taken = why.get("we_take", why["others_take"])
            assert taken <= why["others_take"] + 1e-9
            assert taken - 1e-9 <= why["worst"] <= why["others_take"] + 1e-9


def test_a_visible_queen_is_feared() -> None:
    """Strength 1 leading an ace of clubs expects the queen a player without clubs shows."""
    state = laid_out([Player("AC 6D"), Player("3D", up="QS"), Player("4D", up="5C")], rest_to=0)
    assert worst(state, 1, "play AC") == -12


def test_points_that_fall_to_others_are_gains() -> None:
    """A queen thrown on another player's trick gains twelve points, and a heart gains one."""
    state = laid_out(
        [Player("6D"), Player("QS 4H 5D"), Player("7D")], trick="9C", leader=0, rest_to=1
    )
    assert worst(state, 1, "play QS") == 12
    assert worst(state, 1, "play 4H") == 1
    assert worst(state, 1, "play 5D") == 0


def test_the_bonuses_count_by_a_twentieth() -> None:
    """Having taken nothing counts 0.50, and taking no points 0.25, if the trick keeps it so."""
    untouched = laid_out([Player("6D"), Player("3C AC"), Player("3D")], trick="9C", rest_to=0)
    assert worst(untouched, 1, "play 3C") == 0.50
    assert worst(untouched, 1, "play AC") == 0.25
    marked = laid_out([Player("6D"), Player("3C AC"), Player("3D")], trick="9C", rest_to=1)
    assert worst(marked, 1, "play 3C") == 0
    assert worst(marked, 1, "play AC") == 0


def test_a_void_that_is_only_likely_weighs_by_its_root() -> None:
    """A visible queen threatens a club trick by √p(void): 1 of 3 unseen cards is a club here."""
    state = laid_out([Player("AC"), Player("3C 2D 3D", up="QS")], rest_to=0)
    assert candidates(state, 2)["play AC"].why["void/1"] == pytest.approx((2 / 3) ** 3)
    assert worst(state, 2, "play AC") == pytest.approx(-12 * sqrt((2 / 3) ** 3))


def test_an_unseen_card_off_suit_needs_a_void() -> None:
    """An unseen queen threatens a club trick by the root of p(holds) times p(void)."""
    state = laid_out([Player("AC"), Player("3C QS", up="2D")], rest_to=0)
    void, holds = (1 / 2) ** 2, 1 - (1 / 2) ** 2
    ace = candidates(state, 2)["play AC"]
    assert ace.why["queen/1"] == pytest.approx(holds * void)
    assert ace.why["worst"] == pytest.approx(-12 * sqrt(holds * void))


def test_a_player_who_shows_the_suit_throws_nothing_else() -> None:
    """A player with a face-up club cannot throw a queen on a club trick."""
    state = laid_out([Player("AC"), Player("9D QS", up="3C QH")], rest_to=0)
    for strength in (1, 2):
        assert worst(state, strength, "play AC") == 0


def test_a_queen_cannot_be_thrown_under_a_spade_it_beats() -> None:
    """A queen cannot be thrown under a jack or queen of spades."""
    seen = laid_out([Player("JS"), Player(up="QS 4S")], rest_to=0)
    for strength in (1, 2):
        assert worst(seen, strength, "play JS") == 0
    unseen = laid_out([Player("QS KS"), Player("QS", up="4S"), Player("2D"), Player()], rest_to=0)
    assert candidates(unseen, 2)["play QS"].why["queen/1"] == 0
    assert candidates(unseen, 2)["play KS"].why["queen/1"] == pytest.approx(1 / 2)


def test_the_likeliest_heart_that_stays_below_is_feared() -> None:
    """The unseen heart with most copies is feared; on a heart trick only lower hearts count."""
    state = laid_out(
        [Player("8H 5C"), Player("4H 4H 3H", up="2D"), Player("9H 9H 9H"), Player()]
        + [Player()] * 2,
        rest_to=0,
    )
    weighed = candidates(state, 2)
    assert weighed["play 8H"].why["heart/1"] == pytest.approx(1 - (1 - 2 / 6) ** 3)
    assert weighed["play 5C"].why["heart/1"] == pytest.approx(1 - (1 - 3 / 6) ** 3)


def test_two_threats_add_up() -> None:
    """The worst cases of the followers are added: a visible queen and a visible heart."""
    state = laid_out([Player("AC"), Player(up="QS"), Player(up="5H")], rest_to=0)
    for strength in (1, 2):
        assert worst(state, strength, "play AC") == -13


def test_a_card_that_must_be_beaten_is_a_gain() -> None:
    """A player who shows nothing below our five of hearts takes the trick and loses two hearts."""
    state = laid_out([Player("5H"), Player(up="9H")], rest_to=0)
    for strength in (1, 2):
        assert worst(state, strength, "play 5H") == 2


def test_an_unseen_lower_card_may_save_a_player_from_it() -> None:
    """They take two hearts unless their hand, one of 2 unseen cards, is the lower one: p = 1/2."""
    state = laid_out([Player("5H"), Player("4H", up="9H", down="2C")], rest_to=0)
    assert worst(state, 1, "play 5H") == 2
    assert worst(state, 2, "play 5H") == pytest.approx(2 + sqrt(1 / 2) * (-2 - 2))


def test_the_last_of_equal_cards_takes() -> None:
    """The last of equal aces takes, so an ace led before another one costs nothing."""
    state = laid_out([Player("AH"), Player(up="AH"), Player(up="9C"), Player(up="9C")], rest_to=0)
    assert worst(state, 1, "play AH") == 2


def others_trick(trick: str, ours: str, *, up: str, hand: str, elsewhere: str) -> State:
    """Second of three to play to a trick that is not ours; the third has `up` and `hand`."""
    return laid_out([Player(elsewhere), Player(ours), Player(hand, up=up)], trick=trick, rest_to=1)


def test_a_heart_a_player_shows_is_a_gain_unless_they_can_spare_it() -> None:
    """A player showing only a heart can keep it if they have a club, or an unseen diamond."""
    state = others_trick("9C", "3C", up="5H", hand="4C", elsewhere="6D")
    assert worst(state, 1, "play 3C") == 1
    if_void = 1 - sqrt(1 / 2)
    assert worst(state, 2, "play 3C") == pytest.approx(if_void * (1 - sqrt(1 / 2)))


def test_unseen_queens_and_spades_spare_no_heart() -> None:
    """On a spade trick only a plain card without points, one of 3 unseen, saves a heart."""
    state = others_trick("9S", "3S", up="5H", hand="4S", elsewhere="QS 6D")
    if_void = 1 - sqrt(1 / 3)
    assert worst(state, 2, "play 3S") == pytest.approx(if_void * (1 - sqrt(2 / 3)))


def test_who_must_follow_hearts_gives_one() -> None:
    """A heart falls on a heart trick, less the root of the chance of a void."""
    state = others_trick("9H", "3H", up="5C", hand="4H", elsewhere="6D")
    assert worst(state, 1, "play 3H") == 2
    assert worst(state, 2, "play 3H") == pytest.approx(2 + 1 - sqrt(1 / 2))


def test_who_shows_only_the_queen_may_have_another_spade() -> None:
    """A queen that must follow is twelve points, less the root of the chance of another spade."""
    state = others_trick("KS", "3S", up="QS", hand="4S", elsewhere="6D")
    assert worst(state, 1, "play 3S") == 12
    assert worst(state, 2, "play 3S") == pytest.approx(12 * (1 - sqrt(1 / 2)))
