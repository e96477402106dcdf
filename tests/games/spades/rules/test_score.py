"""Scores of Spades: contracts, bags, nils."""

import pytest

from engine.games.spades.scoring import bags_of
from tests.games.spades.hands import GAME, deal, finished


class TestContract:
    def test_ten_for_each_trick_bid_and_one_for_each_more(self) -> None:
        """A contract scores ten for each trick bid and one for each more, by the partners' sums."""
        finished((4, 3, 2, 3), (1, 3, 5, 4)).expect_team_scores(60, 61)
        finished((4, 3, 2, 3), (4, 2, 3, 4)).expect_team_scores(61, 60)

    def test_a_contract_that_fails_costs_ten_a_trick(self) -> None:
        """A failed contract loses ten for each trick bid, and its tricks count nothing."""
        finished((4, 3, 3, 3), (4, 5, 2, 2)).expect_team_scores(-70, 61)

    def test_a_deal_in_play_has_no_result(self) -> None:
        """A deal in play has no result before its last card."""
        hands = deal("5D", "7D", "AC", "AH").bid(0, 1, 0, 0)
        assert GAME.outcome(hands.state) is None
        assert GAME.outcome(hands.play("5D", "7D", "AC").state) is None


class TestBags:
    def test_the_tenth_bag_costs_a_hundred(self) -> None:
        """The tenth bag costs a hundred, bags from earlier deals included."""
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(7, 0)).expect_team_scores(42, 61)
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(8, 0)).expect_team_scores(42 - 100, 61)
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(0, 9)).expect_team_scores(42, 61 - 100)

    def test_twenty_bags_cost_two_hundred(self) -> None:
        """Twenty bags in one deal cost two hundred."""
        finished((1, 0, 1, 0), (7, 0, 6, 0), before=(9, 0)).expect_team_scores(20 + 11 - 200, 200)

    def test_a_table_may_let_them_go(self) -> None:
        """With the penalty off bags count a point each and nothing more."""
        finished((1, 2, 1, 0), (7, 0, 6, 0), before=(9, 0), bags=False).expect_team_scores(31, 80)

    @pytest.mark.parametrize(("total", "bags"), [(0, 0), (243, 3), (-47, 3), (-200, 0), (-1, 9)])
    def test_the_last_digit_of_a_total_counts_them(self, total: int, bags: int) -> None:
        """Bags are a total's last digit; below zero, counted up from the next lower ten."""
        assert bags_of(total) == bags


class TestNil:
    def test_a_nil_made_adds_a_hundred(self) -> None:
        """A nil made adds a hundred to the partner's contract, made or not."""
        finished((0, 4, 4, 4), (0, 4, 5, 4)).expect_team_scores(141, 80)
        finished((0, 4, 6, 4), (0, 4, 5, 4)).expect_team_scores(40, 80)

    def test_a_nil_that_fails_costs_a_hundred(self) -> None:
        """A failed nil loses a hundred, and its tricks are bags that do not help the partner."""
        finished((0, 4, 4, 4), (1, 4, 4, 4)).expect_team_scores(-100 + 40 + 1, 80)
        finished((0, 4, 5, 4), (1, 4, 4, 4)).expect_team_scores(-100 - 50 + 1, 80)

    def test_a_table_may_let_its_tricks_help(self) -> None:
        """With `nil_tricks` a nil bidder's tricks count for the contract, and beyond it as bags."""
        finished((0, 4, 5, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 + 50, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 + 41, 80)
        finished((0, 4, 9, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 - 90, 80)

    def test_a_blind_nil_counts_twice(self) -> None:
        """A blind nil counts twice as much, made or failed."""
        finished((0, 4, 4, 4), (0, 4, 5, 4), blind=(0,)).expect_team_scores(241, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), blind=(0,)).expect_team_scores(-159, 80)

    def test_both_partners_may_bid_nil(self) -> None:
        """If both partners bid nil each is scored alone, and all their tricks are bags."""
        finished((0, 5, 0, 5), (0, 6, 2, 5)).expect_team_scores(100 - 100 + 2, 101)

    def test_a_table_may_pay_fifty(self) -> None:
        """A table may score fifty for a nil, and a hundred for a blind one."""
        finished((0, 4, 4, 4), (0, 4, 5, 4), nil="50").expect_team_scores(91, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), nil="50", blind=(0,)).expect_team_scores(-59, 80)
