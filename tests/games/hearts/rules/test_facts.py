"""The facts of Hearts and their audiences, word for word, and what they imply."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Match, Setup
from engine.cards import TOKENS, parse_card, parse_cards
from engine.facts import SPECTATOR, Fact, Lay, Move, Set, public, seen_by
from engine.games.hearts import Hearts
from tests.conformance.playing import play
from tests.counts import count
from tests.games.hearts.hands import GAME, deal
from tests.games.hearts.subject import setups

FOUR = ("2C 3C AS", "2D 3D AD", "2S 3S QS", "2H 3H AH")


class Hears(NamedTuple):
    """For each verb, the argument that names who may hear of its cards; None means everybody."""

    seat: str | None


CARDS_ARE_FOR: Mapping[str, Hears] = {
    "hand_dealt": Hears("seat"),
    "cards_chosen": Hears("seat"),
    "cards_given": Hears("seat"),
    "cards_received": Hears("seat"),
    "card_played": Hears(None),
    "trick_taken": Hears(None),
}
"""The audience of cards: their giver, their receiver, and everybody for cards played.

Verbs that are not listed name no card to anybody.
"""


@settings(max_examples=count(15))
@given(setup=setups(), seed=st.integers(0, 2**32))
def test_cards_are_named_to_those_who_may_know_them(setup: Setup, seed: int) -> None:
    """Each card that a fact of a match names may be known to the viewers of the fact."""
    played = play(Match(Hearts()), setup, Random(seed))
    for step in played.steps:
        for viewer in played.viewers:
            for fact in seen_by(step.facts, viewer):
                if _names_cards(fact):
                    hears = CARDS_ARE_FOR[fact.verb].seat
                    assert hears is None or fact.args[hears] == viewer


def _names_cards(fact: Fact) -> bool:
    words = repr((fact.args, fact.changes)).replace("'", " ").split()
    return any(token in words for token in TOKENS)


def test_a_deal_with_passing_begins_without_a_leader() -> None:
    """A deal with passing names no leader at first, since nobody can know it."""
    begun, *hands = GAME.begin(deal(*FOUR, shift=1).state).facts
    assert (begun.verb, begun.args) == ("passing_begun", {"direction": "left"})
    lay, *values = begun.changes
    assert isinstance(lay, Lay)
    assert lay.zones["deck"] == 12
    assert lay.zones["passing/3"] == 0
    assert Set("leader", None) in values
    assert Set("turn", (0, 1, 2, 3)) in values
    assert {fact.verb for fact in hands} == {"hand_dealt"}


def test_a_deal_without_passing_tells_who_leads() -> None:
    """A deal without passing names its leader, and has no zones for passed cards."""
    laid, *_ = GAME.begin(deal("3D 4D", "2C AS", "3C 4C", "5C 6C").state).facts
    assert (laid.verb, laid.args) == ("deal_laid", {"leader": 1})
    assert isinstance(laid.changes[0], Lay)
    assert "passing/0" not in laid.changes[0].zones
    assert Set("pass", "hold") in laid.changes


def test_a_choice_is_told_to_its_owner() -> None:
    """A choice of cards is named to its owner; the others hear that this player has chosen."""
    facts = deal(*FOUR, shift=1).act_as(1, "pass 2D 3D AD").facts
    (own,) = seen_by(facts, 1)
    assert own.args == {"seat": 1, "cards": "2D 3D AD", "receiver": 2}
    turn = Set("turn", (0, 2, 3))
    assert own.changes == (Move("hand/1", "passing/1", ("2D", "3D", "AD")), turn)
    for viewer in (SPECTATOR, 0, 2, 3):
        (told,) = seen_by(facts, viewer)
        assert (told.verb, told.args) == ("choice_made", {"seat": 1})
        assert told.changes == (Move("hand/1", "passing/1", 3), turn)


def test_the_exchange_is_told_to_each_as_they_see_it() -> None:
    """In the exchange the giver sees the cards go, and the receiver sees them come, sorted."""
    facts = deal(*FOUR, shift=1).passing(*FOUR).facts[2:]
    told = {viewer: seen_by(facts, viewer) for viewer in (SPECTATOR, 0)}
    assert [fact.verb for fact in told[SPECTATOR]] == ["cards_passed"] * 4 + ["play_begun"]
    given, *others, received, begun = told[0]
    assert given.changes == (Move("passing/0", "hand/1", ("2C", "3C", "AS"), hidden=True),)
    assert [fact.changes for fact in others] == [
        (Move("passing/1", "hand/2", 3),),
        (Move("passing/2", "hand/3", 3),),
    ]
    assert received.args == {"seat": 0, "giver": 3, "cards": "2H 3H AH"}
    cards = ("2H", "3H", "AH")
    assert received.changes == (Move("passing/3", "hand/0", cards), Move("hand/0", "hand/0", cards))
    assert begun.changes == (Set("leader", 1), Set("turn", (1,)))


def test_the_first_heart_is_told() -> None:
    """Breaking hearts is told once, with the heart that broke them."""
    hands = deal("2C 3C", "QS 2H", "3H 3D", "4C 5C").play("2C", "2H")
    assert hands.facts[-1] == public("hearts_broken", {}, (Set("broken", True),))
    hands.play("3D", "4C", "5C", "3C", "QS").play("3H").expect_told("card_played", "trick_taken")


class TestInference:
    def test_what_one_passed_is_where_one_passed_it(self) -> None:
        """A passed card is known to lie with its receiver until it is played."""
        hands = deal("2C 3C AC 4D", "2D 3D AD AS", "2S 3S QS KS", "2H 3H AH KH", shift=1)
        hands = hands.passing("2C 3C AC", "2D 3D AD", "2S 3S QS", "2H 3H AH")
        known = hands.known(0)
        assert known.holds[1] == set(parse_cards("2C 3C AC"))
        assert known.passes == (
            parse_cards("2C 3C AC"),
            (),
            (),
            parse_cards("2H 3H AH"),
        )
        later = hands.play("2C")
        assert later.known(0).holds[1] == set(parse_cards("3C AC"))
        assert later.known(2).holds[1] == set()

    def test_who_is_to_lead_first_holds_the_two_of_clubs(self) -> None:
        """By the standard rules the player to lead first is known to hold the two of clubs."""
        hands = deal("3D 4D", "2C AS", "3C 4C", "5C 6C")
        assert hands.known(SPECTATOR).holds[1] == {parse_card("2C")}
        other = deal("3D 4D", "2C AS", "3C 4C", "5C 6C", rules="recycle")
        assert not any(other.known(SPECTATOR).holds)

    def test_who_does_not_follow_has_none(self) -> None:
        """A player who does not follow is known to have none of that suit in this deal."""
        hands = deal("2C 3D", "4D 5S", "3C 4C", "5C 6C")
        known = hands.play("2C", "4D").known(SPECTATOR)
        assert known.barred[1] == {card for card in range(52) if card < 13}
        assert not any((known.barred[0], known.barred[2], known.barred[3]))

    @pytest.mark.parametrize(("rules", "some_left"), [("standard", False), ("recycle", True)])
    def test_a_penalty_in_the_first_trick(self, rules: str, some_left: bool) -> None:
        """By the standard rules a penalty in the first trick shows a hand without other cards."""
        hands = deal("2C 3D", "2H QS", "3C 4C", "5C 6C", rules=rules)
        known = hands.play("2C", "2H").known(SPECTATOR)
        assert (parse_card("5D") not in known.barred[1]) == some_left
        assert (parse_card("KS") not in known.barred[1]) == some_left
        assert parse_card("QS") not in known.barred[1]
        assert parse_card("3C") in known.barred[1]

    @pytest.mark.parametrize("rules", ["standard", "recycle"])
    def test_a_heart_led_too_early(self, rules: str) -> None:
        """A player who leads an unbroken heart is known to hold only hearts."""
        hands = deal("2C 3C", "KC 4H", "3D 4D", "4S 5S", rules=rules)
        known = hands.play("2C", "KC", "3D", "4S").play("4H").known(SPECTATOR)
        assert known.barred[1] == {card for card in range(52) if card < 39}
