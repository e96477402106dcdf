"""What holds for strengths 0 to 2 of Black Queen: legal, from the view alone, explained."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bots import Budget, Decision, Position, make_bot
from bots.black_queen.player import HIGH, HIGH_SPADE, preferences
from engine.cards import parse_card
from engine.facts import Viewer
from engine.games.black_queen import State
from tests.counts import count
from tests.games.black_queen.bots.positions import GAME, Player, laid_out, position, states

STRENGTHS = pytest.mark.parametrize("strength", range(3))
THINKING = pytest.mark.parametrize("strength", [1, 2])


def choose(strength: int, asked: Position, seed: int = 0) -> str:
    return make_bot("black_queen", strength).choose(asked, Budget(), Random(seed)).action


@STRENGTHS
@given(state=states(), seed=st.integers(0, 99))
@settings(max_examples=count(60), deadline=None)
def test_only_legal_moves(strength: int, state: State, seed: int) -> None:
    """The move of every strength is one of the choices of the turn."""
    asked = position(state)
    assert asked.choices.allows(choose(strength, asked, seed))


@STRENGTHS
@given(state=states(), seed=st.integers(0, 99))
@settings(max_examples=count(60), deadline=None)
def test_worlds_that_look_alike_are_played_alike(strength: int, state: State, seed: int) -> None:
    """Changing hidden cards behind one view changes neither the move nor the values."""
    seat = state.turn
    other = GAME.sample(GAME.view(state, seat), (), Random(seed))
    assume((other.hands, other.down) != (state.hands, state.down))
    bot = make_bot("black_queen", strength)
    assert bot.choose(position(state), Budget(), Random(seed)) == bot.choose(
        position(other), Budget(), Random(seed)
    )


@THINKING
@given(state=states(), seed=st.integers(0, 99))
@settings(max_examples=count(30), deadline=None)
def test_no_luck_is_needed(strength: int, state: State, seed: int) -> None:
    """Strengths 1 and 2 use no randomness: one position always gives one move."""
    asked = position(state)
    assert choose(strength, asked, seed) == choose(strength, asked, seed + 1)


@THINKING
@given(state=states())
@settings(max_examples=count(60), deadline=None)
def test_every_candidate_is_explained(strength: int, state: State) -> None:
    """Each choice is a candidate, worth its worst case and preferences; the best is played."""
    asked = position(state)
    decision = make_bot("black_queen", strength).choose(asked, Budget(), Random(0))
    assert tuple(each.action for each in decision.candidates) == asked.choices.actions
    for each in decision.candidates:
        parts = each.why["worst"] + each.why["high"] + each.why["high_spade"]
        assert each.value == pytest.approx(parts)
    best = max(each.value for each in decision.candidates)
    chosen = {each.action: each.value for each in decision.candidates}[decision.action]
    assert chosen == best


@given(state=states())
@settings(max_examples=count(60), deadline=None)
def test_chances_are_chances(state: State) -> None:
    """Every chance in an explanation lies between 0 and 1, and a shown suit is no void."""
    decision = make_bot("black_queen", 2).choose(position(state), Budget(), Random(0))
    for each in decision.candidates:
        for name, number in each.why.items():
            if name.partition("/")[0] in ("void", "below", "queen", "heart", "we_take_chance"):
                assert 0 <= number <= 1, name


def test_the_higher_card_is_preferred_and_more_so_early() -> None:
    """Of two cards without risk the higher goes first, and less strongly so later in the deal."""
    ace, two = parse_card("AD"), parse_card("2D")
    assert preferences(ace, 1.0, 0)[0] > preferences(two, 1.0, 0)[0]
    assert preferences(ace, 1.0, 0)[0] == pytest.approx(4 * preferences(ace, 0.25, 0)[0])


@pytest.mark.parametrize(("card", "worst", "more"), [
    ("KS", 0, True),
    ("AS", 3, True),
    ("AS", -1, False),
    ("JS", 0, False),
    ("AC", 0, False),
])  # fmt: skip
def test_high_spades_go_first_where_safe(card: str, worst: float, more: bool) -> None:
    """King and ace of spades are preferred on top of their rank, if that cannot cost points."""
    assert (preferences(parse_card(card), 0.5, worst)[1] > 0) is more


def test_preferences_decide_between_equals_only() -> None:
    """All preferences together are less than the least difference between visible worst cases."""
    assert HIGH + HIGH_SPADE < 0.25


def test_the_last_to_play_dumps_their_highest_losing_card() -> None:
    """The last to play to a trick with hearts plays the highest card that does not take it."""
    state = laid_out([Player("5D"), Player("6D"), Player("3H 9H KH")], trick="TH 4H", rest_to=2)
    for strength in (1, 2):
        assert choose(strength, position(state)) == "play 9H"


def test_the_last_to_play_takes_a_worthless_trick_high() -> None:
    """The last to play to a trick without points plays the highest card."""
    state = laid_out([Player("5D"), Player("6D"), Player("3C KC")], trick="TC 4C", rest_to=2)
    for strength in (1, 2):
        assert choose(strength, position(state)) == "play KC"


def test_a_queen_is_dumped_when_void() -> None:
    """A player void in the suit led throws the queen of spades before everything else."""
    state = laid_out([Player("2D"), Player("AS QS AH", up="9D")], trick="TC", rest_to=1)
    for strength in (1, 2):
        assert choose(strength, position(state)) == "play QS"


def test_a_bot_that_saw_more_would_be_caught() -> None:
    """The comparison of worlds fails for a strength 2 that is shown the other players' hands."""
    state = laid_out([Player("AC 2D"), Player("3D", up="9D", down="QS")], rest_to=0)
    other = laid_out([Player("AC 2D"), Player("QS", up="9D", down="3D")], rest_to=0)
    bot = make_bot("black_queen", 2)

    def decided(world: State, viewer: Viewer) -> Decision:
        return bot.choose(position(world, viewer), Budget(), Random(0))

    assert decided(state, 0) == decided(other, 0)
    assert decided(state, 1) != decided(other, 1)
