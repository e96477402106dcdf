"""Whist: bidding, following suit, trumps, who takes a trick, and scores."""

import pytest

from engine.errors import BadAction, EngineError, IllegalAction, NotYourTurn
from tests.games.whist.hands import GAME, Hands, deal


def three() -> Hands:
    """A deal of three cards each with spades as trumps, in which seat 0 bids first and leads."""
    return deal("AC 5D 2S", "KC QC 7D", "2C AD 3H", turned="9S")


class TestBidding:
    def test_it_goes_round_from_the_dealers_left(self) -> None:
        """Bids go round from the dealer's left to the dealer, and the first bidder leads."""
        hands = deal("2C", "3C", "4C", "5C", turned="9S", dealer=1)
        for seat in (2, 3, 0, 1):
            hands = hands.expect_turn(seat).bid(0)
        assert hands.expect_turn(2).state.bids == (0, 0, 0, 0)
        assert not hands.state.bidding

    def test_any_number_of_the_tricks_may_be_bid(self) -> None:
        """A bid may be any number from none to all of the tricks."""
        three().expect_choices("bid 0 1 2 3").bid(3).expect_choices("bid 0 1 2 3")

    @pytest.mark.parametrize(
        ("others", "allowed"),
        [
            ((0, 0), "bid 0 1 2"),
            ((1, 1), "bid 0 2 3"),
            ((3, 0), "bid 1 2 3"),
            ((2, 2), "bid 0 1 2 3"),
        ],
    )
    def test_the_bids_may_not_add_up(self, others: tuple[int, int], allowed: str) -> None:
        """The dealer may not bid exactly the tricks that the others' bids leave."""
        three().bid(*others).expect_choices(allowed)

    def test_only_the_dealer_is_on_the_hook(self) -> None:
        """A player before the dealer may bid what is left."""
        three().bid(1).expect_choices("bid 0 1 2 3").bid(2)

    def test_a_table_may_leave_the_dealer_free(self) -> None:
        """With `hook` off the bids may add up to the tricks."""
        free = deal("AC", "KC", "2C", turned="9S", hook=False)
        free.bid(1, 0).expect_choices("bid 0 1").bid(0).expect_turn(0)

    def test_with_one_card_the_dealer_always_has_a_bid(self) -> None:
        """With one card the dealer has at least one bid, since at most one of two is barred."""
        one = deal("AC", "KC", "2C", turned="9S")
        one.bid(0, 0).expect_choices("bid 0")
        one.bid(0, 1).expect_choices("bid 1")
        one.bid(1, 1).expect_choices("bid 0 1")

    def test_refusals(self) -> None:
        """Refused during bidding are cards, bids too high or barred, and missing numbers."""
        hands = three()
        hands.expect_refusal("play AC", IllegalAction, "'play AC': bids come first")
        hands.expect_refusal("bid 4", IllegalAction, "'bid 4': there are only 3 tricks")
        hands.expect_refusal("bid", BadAction, "moves look like 'bid 3' or 'play QS'")
        hands.bid(1, 1).expect_refusal("bid 1", IllegalAction, "bids may not add up to 3")


class TestPlay:
    def test_who_leads_may_play_anything(self) -> None:
        """The leader may play any card, trumps included."""
        three().bid(0, 0, 0).expect_choices("play AC 5D 2S")

    def test_suit_is_followed(self) -> None:
        """A player who has the suit led must play it, and may else play anything."""
        led = three().bid(0, 0, 0).play("5D")
        led.expect_choices("play 7D").play("7D").expect_choices("play AD")
        three().bid(0, 0, 0).play("2S").expect_choices("play QC KC 7D")

    def test_the_highest_card_of_the_suit_led_takes(self) -> None:
        """The highest card of the suit led takes; cards of other plain suits do not."""
        deal("5D", "7D", "AC", turned="9S").bid(0, 0, 0).play("5D", "7D", "AC").expect_taker(1)

    def test_a_trump_takes(self) -> None:
        """The lowest trump beats an ace, and a higher trump beats it."""
        deal("AD", "2S", "KC", turned="9S").bid(0, 0, 0).play("AD", "2S", "KC").expect_taker(1)
        deal("AD", "2S", "3S", turned="9S").bid(0, 0, 0).play("AD", "2S", "3S").expect_taker(2)

    def test_the_taker_leads(self) -> None:
        """The player who took a trick leads the next one, and tricks are counted."""
        hands = three().bid(1, 0, 0).play("AC", "KC", "2C").expect_taker(0).expect_turn(0)
        hands = hands.play("5D", "7D", "AD").expect_taker(2).expect_turn(2)
        hands.expect_tricks(1, 0, 1)

    def test_refusals(self) -> None:
        """Refused during play are bids, cards not held or not following, and moves out of turn."""
        hands = three().bid(0, 0, 0)
        hands.expect_refusal("bid 1", IllegalAction, "'bid 1': the bids are made")
        hands.expect_refusal("play KC", IllegalAction, "no such card in the hand")
        led = hands.play("AC")
        led.expect_refusal("play 7D", IllegalAction, "'play 7D': ♣ was led and must be followed")
        with pytest.raises(NotYourTurn):
            GAME.apply(led.state, 2, "play 2C")

    @pytest.mark.parametrize("action", ["", "bid 100", "bid 03", "play", "play 1S", "pass"])
    def test_what_is_no_move(self, action: str) -> None:
        """Texts that are never a move raise another error than moves not allowed now."""
        for hands in (three(), three().bid(0, 0, 0)):
            hands.expect_refusal(action, BadAction, "is no move|is no card")

    def test_nobody_is_asked_when_it_is_over(self) -> None:
        """After the last trick the deal is over and nobody is to move."""
        over = deal("5D", "7D", "AC", turned="9S").bid(0, 0, 0).play("5D", "7D", "AC")
        assert GAME.to_act(over.state) == ()
        assert not GAME.choices(over.state, over.state.turn)
        with pytest.raises(EngineError):
            GAME.apply(over.state, over.state.turn, "play 5D")


class TestScore:
    def test_exact_bids_score_ten_more(self) -> None:
        """A trick scores one point whatever was bid, and an exact bid ten more."""
        hands = three().bid(1, 0, 3).play("AC", "KC", "2C", "5D", "7D", "AD")
        hands.play("3H", "2S", "QC").expect_tricks(2, 0, 1).expect_scores(2, 10, 1)
        hands = three().bid(2, 1, 1).play("AC", "KC", "2C", "5D", "7D", "AD")
        hands.play("3H", "2S", "QC").expect_scores(12, 0, 11)

    def test_a_table_says_what_nil_scores(self) -> None:
        """`nil_score` replaces the ten of an exact bid of none, and changes nothing else."""
        for nil_score in (0, 5, 20):
            hands = deal("5D", "7D", "AC", turned="9S", nil_score=nil_score)
            hands.bid(0, 1, 1).play("5D", "7D", "AC").expect_scores(nil_score, 11, 0)

    def test_a_deal_in_play_has_no_result(self) -> None:
        """A deal in play has no result before its last card."""
        hands = deal("5D", "7D", "AC", turned="9S").bid(0, 1, 1)
        assert GAME.outcome(hands.state) is None
        assert GAME.outcome(hands.play("5D", "7D").state) is None
