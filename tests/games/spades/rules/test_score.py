"""Spades: contracts, bags, nils."""

import pytest

from engine.games.spades.scoring import bags_of
from tests.games.spades.hands import GAME, deal, finished


class TestContract:
    def test_ten_for_each_trick_bid_and_one_for_each_more(self) -> None:
        """Partners' bids and tricks are added up, however they are shared out."""
        finished((4, 3, 2, 3), (1, 3, 5, 4)).expect_team_scores(60, 61)
        finished((4, 3, 2, 3), (4, 2, 3, 4)).expect_team_scores(61, 60)

    def test_a_contract_that_fails_costs_ten_a_trick(self) -> None:
        """The tricks taken count for nothing then."""
        finished((4, 3, 3, 3), (4, 5, 2, 2)).expect_team_scores(-70, 61)

    def test_a_deal_in_play_has_no_result(self) -> None:
        """Not before its last card."""
        hands = deal("5D", "7D", "AC", "AH").bid(0, 1, 0, 0)
        assert GAME.outcome(hands.state) is None
        assert GAME.outcome(hands.play("5D", "7D", "AC").state) is None


class TestBags:
    def test_the_tenth_bag_costs_a_hundred(self) -> None:
        """With those that the team brought along; the nine before it cost nothing."""
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(7, 0)).expect_team_scores(42, 61)
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(8, 0)).expect_team_scores(42 - 100, 61)
        finished((2, 3, 2, 3), (3, 3, 3, 4), before=(0, 9)).expect_team_scores(42, 61 - 100)

    def test_twenty_bags_cost_two_hundred(self) -> None:
        """They can come together in one deal."""
        finished((1, 0, 1, 0), (7, 0, 6, 0), before=(9, 0)).expect_team_scores(20 + 11 - 200, 200)

    def test_a_table_may_let_them_go(self) -> None:
        """A point each and no more."""
        finished((1, 2, 1, 0), (7, 0, 6, 0), before=(9, 0), bags=False).expect_team_scores(31, 80)

    @pytest.mark.parametrize(("total", "bags"), [(0, 0), (243, 3), (-47, 3), (-200, 0), (-1, 9)])
    def test_the_last_digit_of_a_total_counts_them(self, total: int, bags: int) -> None:
        """Below nothing, counted up from the next ten below."""
        assert bags_of(total) == bags


class TestNil:
    def test_a_nil_made_adds_a_hundred(self) -> None:
        """To what the partner's contract scores, made or not."""
        finished((0, 4, 4, 4), (0, 4, 5, 4)).expect_team_scores(141, 80)
        finished((0, 4, 6, 4), (0, 4, 5, 4)).expect_team_scores(40, 80)

    def test_a_nil_that_fails_costs_a_hundred(self) -> None:
        """Its tricks are bags and do not help the partner."""
        finished((0, 4, 4, 4), (1, 4, 4, 4)).expect_team_scores(-100 + 40 + 1, 80)
        finished((0, 4, 5, 4), (1, 4, 4, 4)).expect_team_scores(-100 - 50 + 1, 80)

    def test_a_table_may_let_its_tricks_help(self) -> None:
        """With `nil_tricks` they count for the contract, and beyond it as bags."""
        finished((0, 4, 5, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 + 50, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 + 41, 80)
        finished((0, 4, 9, 4), (1, 4, 4, 4), nil_tricks=True).expect_team_scores(-100 - 90, 80)

    def test_a_blind_nil_counts_twice(self) -> None:
        """Made or failed."""
        finished((0, 4, 4, 4), (0, 4, 5, 4), blind=(0,)).expect_team_scores(241, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), blind=(0,)).expect_team_scores(-159, 80)

    def test_both_partners_may_bid_nil(self) -> None:
        """Each is scored for itself, and all that they take are bags."""
        finished((0, 5, 0, 5), (0, 6, 2, 5)).expect_team_scores(100 - 100 + 2, 101)

    def test_a_table_may_pay_fifty(self) -> None:
        """And a hundred for a blind one."""
        finished((0, 4, 4, 4), (0, 4, 5, 4), nil="50").expect_team_scores(91, 80)
        finished((0, 4, 4, 4), (1, 4, 4, 4), nil="50", blind=(0,)).expect_team_scores(-59, 80)
