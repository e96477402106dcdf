"""The parts of options of a described game."""

import pytest

from engine.choices import Choices, MovedCards, Parts, Way
from engine.errors import IllegalAction
from engine.parts import in_parts
from engine.recycle import Description
from tests.engine.recycle.small_games import HAND, each, game, started

PLAY = Way("play", "hand/0", "out/0")


def parts_of(*options: str, **around: str) -> Choices:
    """The options of one choice of seat 0, in parts."""
    made = game(f"(choice ({' '.join(options)}))", **around)
    state = started(made).state
    assert state.stop is None, state.stop
    return in_parts(made, state, 0, made.choices(state, 0))


@pytest.mark.parametrize(
    ("option", "way", "parts"),
    [
        (each(HAND, "(move 'C (top ((current player) vloc OUT)))"), PLAY, Parts(0, ("4H",))),
        (
            f"(move (top ((2 player) iloc HAND)) (top {HAND}))",
            Way("take from {of 1} hand", "hand/1", "hand/0"),
            Parts(),
        ),
        ("(set (game sto BID) 3)", Way("bid"), Parts(numbers=(3,))),
        ("(set ((team (2 player)) str BID) HIGH)", Way("team 2 bid"), Parts(words=("high",))),
        ("(set (game sto ASKED) (pid (2 player)))", Way("asked"), Parts(seats=(1,))),
        ("(turn pass)", Way("pass"), Parts()),
        (
            "(remember (top (game vloc STOCK)) (top (game mem M)))",
            Way("mark {card AH}"),
            Parts(),
        ),
    ],
)
def test_an_option_has_a_way_and_parts(option: str, way: Way, parts: Parts) -> None:
    """The parts of an option are visible cards, players, words and numbers; the way is the verb."""
    told = parts_of(option)
    assert (told.ways[0], told.parts[0]) == (way, parts)
    assert len(told.parts) == len(told.actions)


def test_what_all_options_set_is_no_part() -> None:
    """A value that every option sets is no part of an option."""
    suits = (f"(do ((set (game str SUIT) {suit}) (set (game sto N) 3)))" for suit in "AB")
    told = parts_of(*suits)
    assert told.ways == (Way("suit"),)
    assert told.parts == (Parts(words=("A",)), Parts(words=("B",)))


def test_values_beside_a_move_are_parts_where_they_tell_options_apart() -> None:
    """A value set beside a move is a part only if it tells options apart."""
    one, two = (
        f"(do ((move (top {HAND}) (top ((current player) vloc OUT))) (set (game sto BID) {bid})))"
        for bid in (1, 2)
    )
    told = parts_of(one, two)
    assert told.ways == (PLAY,)
    assert told.parts == (Parts(0, ("4C",), numbers=(1,)), Parts(0, ("4C",), numbers=(2,)))
    assert parts_of(one).parts == (Parts(0, ("4C",)),)


def test_unseen_cards_are_places_where_the_player_has_to_choose_one() -> None:
    """An unseen card is given by its place from the bottom, from 0, if there are several."""
    others = "((2 player) iloc HAND)"
    told = parts_of(each(others, f"(move 'C (top {HAND}))"))
    assert told.parts == (Parts(backs=(0,)), Parts(backs=(1,)))
    assert told.ways == (Way("take from {of 1} hand", "hand/1", "hand/0"),)


def test_a_second_move_follows_the_first() -> None:
    """A second move of an option adds parts with a way of its own."""
    swap = (
        f"(do ((move (top {HAND}) (top (game vloc HEAP)))"
        f" (move (top (game vloc STOCK)) (top {HAND}))))"
    )
    told = parts_of(swap)
    assert [way.source for way in told.ways] == ["hand/0", "stock"]
    assert told.parts == (Parts(0, ("4C",), then=(MovedCards(1, ("AH",)),)),)


def test_options_that_are_alike_are_numbered() -> None:
    """Options that look alike are told apart by numbers."""
    told = parts_of("(turn pass)", "(turn pass)", "(set (game sto BID) 3)")
    assert [parts.nth for parts in told.parts] == [1, 2, 0]


def two_of_hand() -> Description:
    """A game in which seat 0 lays away both its cards in one option."""
    pairs = f"(any (subsets {HAND} == 2) 'PAIR (all 'PAIR 'C (move 'C (top (game hloc CRIB)))))"
    return game(f"(choice ({pairs} (turn pass)))")


def test_the_cards_of_an_action_are_named_in_any_order() -> None:
    """The cards of an action may be named in any order; other texts are refused."""
    made = two_of_hand()
    state = started(made).state
    (action, _) = made.choices(state, 0).actions
    verb, one, two = action.split(" ")
    other = made.apply(state, 0, f"{verb} {two} {one}")
    assert other == made.apply(state, 0, action)
    for wrong in (f"{verb} {one}", f"{verb} {one} {one}", f"give {two} {one}"):
        with pytest.raises(IllegalAction):
            made.apply(state, 0, wrong)


def test_each_of_those_that_choose_unseen_has_parts() -> None:
    """Each player of a simultaneous choice has the parts of their own options."""
    lay = each(HAND, "(move 'C (top ((current player) vloc OUT)))")
    made = game(f"(stage player simultaneous (choice ({lay})))")
    state = started(made).state
    told = in_parts(made, state, 1, made.choices(state, 1))
    assert told.ways == (Way("play", "hand/1", "out/1"),)
    assert [parts.cards for parts in told.parts] == [("3H",), ("3C",)]
