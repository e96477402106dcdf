"""The policy of Spades' rules player: bids, nils, covers, sets; plain and compiled."""

from random import Random

import pytest

from bots.spades import playouts
from bots.spades.bidding import BID_WEIGHTS, choose_bid, expected_tricks, nil_risk
from bots.spades.bits import (
    above,
    beats,
    below,
    count,
    legal_cards,
    lowest,
    members,
    of_suit,
    set_of,
)
from bots.spades.knowledge import read_position
from bots.spades.policy import POLICY_WEIGHTS, Sight, policy_card
from bots.spades.search import lay_out
from engine.cards import card_text, parse_cards, rank_of, suit_of
from tests.counts import count as times
from tests.games.spades.bots.positions import any_options, position, random_walk


def hand(text: str) -> int:
    """The bit set of some cards."""
    return set_of(parse_cards(text))


def sight(own: str, *, trick: str = "", out: str = "", **numbers: int) -> Sight:
    """The policy's view of the table for these cards; the trick was begun by the first to play.

    `out` are the unseen cards.
    """
    laid = parse_cards(trick)
    best = winner = -1
    for place, card in enumerate(laid):
        if beats(card, best):
            best, winner = card, place + 4 - len(laid)
    usual = {"voids": 0, "nils": 0, "need": 0, "their_need": 0, "spoilt": 0}
    told = {**usual, **numbers}
    return Sight(
        hand(own),
        hand(out),
        suit_of(laid[0]) if laid else -1,
        best,
        winner,
        len(laid),
        told["voids"],
        told["nils"],
        told["need"],
        told["their_need"],
        bool(told["spoilt"]),
    )


def played(seen: Sight) -> str:
    """The card that the rules player chooses."""
    legal = legal_cards(seen.hand, seen.led, True)
    return card_text(policy_card(seen, legal, POLICY_WEIGHTS))


def test_bits_say_what_sets_of_cards_say() -> None:
    """The functions on bit sets count, list and compare cards as Python's sets do."""
    rng = Random(5)
    for _ in range(times(200)):
        cards = sorted(rng.sample(range(52), rng.randint(1, 13)))
        bits, one = set_of(cards), rng.randrange(52)
        same = [card for card in cards if suit_of(card) == suit_of(one)]
        assert (count(bits), lowest(bits), list(members(bits))) == (len(cards), cards[0], cards)
        assert list(members(of_suit(bits, suit_of(one)))) == same
        assert above(bits, one) == sum(rank_of(card) > rank_of(one) for card in same)
        assert below(bits, one) == sum(rank_of(card) < rank_of(one) for card in same)


STRONG = "AS KS QS 9S 4S AH KH 5H AD 7D 3D KC 2C"
MIDDLING = "QS 8S 3S AH 9H 6H 2H KD JD 4D TC 8C 3C"
WEAK = "5S 2S 9H 6H 3H 8D 5D 4D 2D 9C 6C 4C 2C"


class TestBids:
    def test_better_hands_are_bid_higher(self) -> None:
        """A better hand is bid higher; a low hand bids nil if allowed and the partner has not."""
        usual = choose_bid(hand(STRONG), -1, 0, 0, True, BID_WEIGHTS)
        fewer = choose_bid(hand(MIDDLING), -1, 0, 0, True, BID_WEIGHTS)
        assert usual >= 6
        assert 2 <= fewer <= 4
        assert choose_bid(hand(WEAK), -1, 0, 0, True, BID_WEIGHTS) == 0
        assert choose_bid(hand(WEAK), -1, 0, 0, False, BID_WEIGHTS) == 1
        assert choose_bid(hand(WEAK), 0, 2, 4, True, BID_WEIGHTS) == 1

    def test_no_nil_with_many_spades(self) -> None:
        """A hand with many spades does not bid nil, since it would have to ruff."""
        for cards in (
            "4C TC 2D 3D 9D 3S 5S 7S 9S TS QS KS AS",
            "3C 4C 5C 7C JC 2D 4D QD 4S 6S 7S TS KS",
        ):
            bid = choose_bid(hand(cards), -1, 0, 0, True, BID_WEIGHTS)
            assert bid >= 3

    def test_risk_and_tricks_follow_the_cards(self) -> None:
        """The ace of spades counts as a trick, and makes nil impossible."""
        for bits in (hand(STRONG), hand(MIDDLING)):
            assert (
                nil_risk(bits, BID_WEIGHTS)
                > BID_WEIGHTS.nil_limit
                > nil_risk(hand(WEAK), BID_WEIGHTS)
            )
        more = hand(MIDDLING.replace("3S", "AS"))
        assert expected_tricks(more, BID_WEIGHTS) > expected_tricks(hand(MIDDLING), BID_WEIGHTS)


class TestCards:
    def test_a_trick_that_is_needed_is_taken(self) -> None:
        """The last player takes a needed trick with the lowest card that does."""
        last = sight("2H QH AH", trick="TH 5H 9H", out="KH 2C 3C 4C 5C 6C", need=2, their_need=9)
        assert played(last) == "QH"

    def test_a_bag_is_left_to_the_others(self) -> None:
        """A bag is avoided with the highest card that stays below."""
        last = sight("2H 8H AH", trick="TH 5H 9H", out="KH 2C 3C 4C 5C 6C", their_need=-1)
        assert played(last) == "8H"

    def test_a_partners_trick_is_left_to_the_partner(self) -> None:
        """A player leaves their partner the trick, even if the contract needs tricks."""
        last = sight("2H QH AH", trick="TH 5H 9H", out="KH 2C 3C 4C 5C 6C", need=2)
        assert played(last._replace(winner=2)) == "2H"

    def test_who_bid_nil_ducks_and_throws_the_highest_danger(self) -> None:
        """A nil bidder ducks as high as possible, and throws high cards when void."""
        under = sight("2H 9H QH", trick="5H TH", out="KH AH 3H 4H 6H 7H", nils=1, need=4)
        assert played(under) == "9H"
        void = sight("2C AD 3D", trick="5H TH", out="KH AH 3C 5D 6D 7D", nils=1, need=4)
        assert played(void) == "AD"

    def test_a_partners_nil_is_covered(self) -> None:
        """A nil partner's winning card is beaten, also if the contract needs no trick."""
        last = sight("2H 4H KH", trick="TH 5H 9H", out="AH JH 3C 4C 5C 6C", nils=4, their_need=5)
        assert played(last._replace(winner=2)) == "KH"

    def test_an_opponents_nil_is_attacked(self) -> None:
        """Opponents of a nil bidder leave the trick to that player."""
        last = sight("2H 4H KH", trick="TH 5H 9H", out="AH JH 3C 4C 5C 6C", nils=8, need=1)
        assert played(last._replace(winner=3)) in ("2H", "4H")


@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_plain_players_are_the_same(seed: int) -> None:
    """The compiled and the plain rules player choose equal bids and cards in random deals."""
    for number in range(times(4)):
        rng = Random(100 * seed + number)
        for state, facts in random_walk(rng, **any_options(rng)):
            if state.over or not state.looked[state.turn]:
                continue
            known = read_position(position(state, facts))
            if state.bidding:
                told = (known.hand, -1, 1, 3, True, BID_WEIGHTS)
                assert choose_bid(*told) == playouts.choose_bid(*told)
                risk = nil_risk(known.hand, BID_WEIGHTS)
                assert playouts.nil_risk(known.hand, BID_WEIGHTS) == pytest.approx(risk)
            else:
                seen = known.sight()
                legal = legal_cards(known.hand, seen.led, known.spades_free)
                card = policy_card(seen, legal, POLICY_WEIGHTS)
                assert playouts.policy_move(lay_out(known), POLICY_WEIGHTS) == card
