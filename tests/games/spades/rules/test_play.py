"""Spades: bids, blind nil, legal cards, and who takes a trick."""

from typing import Any

import pytest

from engine.errors import BadAction, EngineError, IllegalAction, NotYourTurn
from tests.games.spades.hands import GAME, Hands, deal

ALL_BIDS = tuple(f"bid {number}" for number in range(14))


def four(**options: Any) -> Hands:  # passed on to `deal`
    """A deal of three cards each, in which seat 0 bids first and leads."""
    return deal("AC 5D 2S", "KC 7D 3H", "2C AD 4H", "QC 9D 5H", **options)


class TestBids:
    def test_everybody_bids_once_from_the_dealers_left(self) -> None:
        """Each player bids nil to thirteen once, whatever the others have bid."""
        hands = four(dealer=1).expect_turn(2).expect_choices(*ALL_BIDS)
        hands = hands.bid(13).expect_turn(3).expect_choices(*ALL_BIDS)
        hands = hands.bid(13).expect_turn(0).bid(0).expect_turn(1).bid(1)
        assert hands.state.bids == (0, 1, 13, 13)
        hands.expect_turn(2)

    def test_without_nil_everybody_bids_a_trick(self) -> None:
        """Without nil the least bid is one, and nobody may bid blind."""
        hands = four(nil="off").expect_choices(*ALL_BIDS[1:])
        hands.expect_refusal("bid 0", IllegalAction, "'bid 0': this table knows no nil")

    def test_refusals(self) -> None:
        """Refused are cards before the bids, bids above thirteen, and blind nil after a look."""
        hands = four()
        hands.expect_refusal("play AC", IllegalAction, "bids come first")
        hands.expect_refusal("bid 14", IllegalAction, "there are only 13 tricks")
        hands.expect_refusal("blind nil", IllegalAction, "the cards have been seen")
        hands.expect_refusal("look", IllegalAction, "the cards have been seen")
        with pytest.raises(NotYourTurn, match="seat 2 is not asked"):
            GAME.apply(hands.state, 2, "bid 1")
        assert not GAME.choices(hands.state, 2)


class TestBlindNil:
    def test_whoever_may_bid_blind_decides_before_they_look(self) -> None:
        """A player who may bid blind first chooses to look or to bid blind, with no other bid."""
        hands = four(unseen=(0,)).expect_turn(0).expect_choices("look", "blind nil")
        for action in ("bid 0", "bid 3", "play AC"):
            hands.expect_refusal(action, IllegalAction, "decide first")

    def test_looking_leaves_the_bid_open(self) -> None:
        """After a look the player bids as usual, and nil is no longer blind."""
        hands = four(unseen=(0,)).act("look").expect_turn(0).expect_choices(*ALL_BIDS)
        hands = hands.bid(0).expect_turn(1)
        assert hands.state.blind == (False,) * 4

    def test_a_blind_nil_is_a_bid(self) -> None:
        """A blind nil is a bid: the next player's turn follows, who may have that choice too."""
        hands = four(unseen=(0, 1)).act("blind nil").expect_turn(1)
        hands = hands.expect_choices("look", "blind nil").act("blind nil").bid(1, 2)
        assert hands.state.bids == (0, 0, 1, 2)
        assert hands.state.blind == (True, True, False, False)
        assert all(hands.state.looked)

    def test_the_dealer_may_end_the_bidding_with_it(self) -> None:
        """If the dealer ends the bidding with a blind nil, the player on their left leads."""
        hands = four(unseen=(3,)).bid(1, 1, 1).act("blind nil").expect_turn(0)
        hands.expect_choices("play AC 5D")


class TestPlay:
    def test_suit_is_followed(self) -> None:
        """A hand with the suit led plays it; a hand without it plays anything."""
        led = four().bid(1, 1, 1, 1).play("5D")
        led.expect_choices("play 7D").expect_refusal(
            "play KC", IllegalAction, "'play KC': ♦ was led and must be followed"
        )
        hands = deal("AC 5D", "KC 7D", "4H AS", "QC 9D").bid(1, 1, 1, 1).play("AC", "KC")
        hands.expect_choices("play AS 4H")

    def test_no_spade_is_led_before_one_was_played(self) -> None:
        """No spade may be led before one was played, even after tricks without spades."""
        hands = four().bid(1, 1, 1, 1).expect_choices("play AC 5D")
        hands.expect_refusal("play 2S", IllegalAction, "spades are not led before")
        after = hands.play("AC", "KC", "2C", "QC").expect_turn(0)
        after.expect_choices("play 5D")
        assert not after.state.broken

    def test_a_spade_thrown_breaks_spades(self) -> None:
        """A spade thrown off breaks spades, which is told once; then spades may be led."""
        hands = deal("AC 5S 2S", "KC 7D 3H", "2C AD 4H", "3S 9D 4S").bid(1, 1, 1, 1)
        hands = hands.play("AC", "KC", "2C", "3S").expect_taker(3)
        assert hands.state.broken
        hands.expect_told("card_played", "spades_broken", "trick_won")
        hands = hands.expect_choices("play 9D 4S").play("4S")
        hands.expect_told("card_played")

    def test_a_hand_of_spades_may_lead_one(self) -> None:
        """A hand of nothing but spades may lead one."""
        hands = deal("AS 2S", "KC 7D", "2C AD", "QC 9D").bid(2, 0, 0, 0)
        hands.expect_choices("play 2S AS").play("2S")

    def test_a_table_may_let_spades_be_led_at_once(self) -> None:
        """With `breaking` off spades may be led at once."""
        four(breaking=False).bid(1, 1, 1, 1).expect_choices("play AC 5D 2S")

    def test_the_highest_card_of_the_suit_led_takes(self) -> None:
        """The highest card of the suit led takes; cards of other plain suits do not."""
        deal("5D", "7D", "AC", "AH").bid(0, 1, 0, 0).play("5D", "7D", "AC", "AH").expect_taker(1)

    def test_a_spade_takes(self) -> None:
        """The lowest spade beats an ace, and a higher spade beats it."""
        deal("AD", "2S", "KC", "KD").bid(0, 1, 0, 0).play("AD", "2S", "KC", "KD").expect_taker(1)
        deal("AD", "2S", "3S", "KD").bid(0, 1, 0, 0).play("AD", "2S", "3S", "KD").expect_taker(2)

    def test_the_taker_leads(self) -> None:
        """The taker leads the next trick, and tricks are counted for the seat that took them."""
        hands = four().bid(1, 1, 1, 1).play("5D", "7D", "AD", "9D").expect_taker(2).expect_turn(2)
        hands.play("2C", "QC", "AC", "KC").expect_taker(0).expect_tricks(1, 0, 1, 0)

    def test_refusals(self) -> None:
        """Refused during play are bids, looks, cards not held, and moves out of turn."""
        hands = four().bid(1, 1, 1, 1)
        for action in ("bid 1", "look", "blind nil"):
            hands.expect_refusal(action, IllegalAction, "the bids are made")
        hands.expect_refusal("play KC", IllegalAction, "no such card in the hand")
        with pytest.raises(NotYourTurn):
            GAME.apply(hands.state, 1, "play KC")

    @pytest.mark.parametrize("action", ["", "bid 100", "bid 03", "play", "play 1S", "blind", "nil"])
    def test_what_is_no_move(self, action: str) -> None:
        """Texts that are never a move raise another error than moves not allowed now."""
        for hands in (four(), four(unseen=(0,)), four().bid(1, 1, 1, 1)):
            hands.expect_refusal(action, BadAction, "is no move")

    def test_nobody_is_asked_when_it_is_over(self) -> None:
        """After the last trick the deal is over and nobody is to move."""
        over = deal("5D", "7D", "AC", "AH").bid(0, 1, 0, 0).play("5D", "7D", "AC", "AH")
        assert GAME.to_act(over.state) == ()
        assert not GAME.choices(over.state, over.state.turn)
        with pytest.raises(EngineError):
            GAME.apply(over.state, over.state.turn, "play 5D")
