"""Schnapsen: who wins a deal, and how many game points."""

import pytest

from engine.errors import IllegalAction
from tests.games.schnapsen.hands import deal

MUCH = "AH TH AC TC QD KD"
"""49 card points in three tricks."""


@pytest.mark.parametrize(
    ("against", "score"),
    [("", 3), ("JC QC", 2), ("AD TD KC QC JC JH", 2), ("AD TD KC KH JC JH", 1)],
)
def test_66_wins_by_what_the_other_has(against: str, score: int) -> None:
    """66 points win at once: 3 against no trick, 2 against fewer than 33 points, else 1."""
    hands = deal("AS QS", "TS QH", trump="H", taken=(MUCH, against))
    hands.play("AS", "TS").expect_scores(score, 0)


def test_the_second_player_wins_in_the_same_way() -> None:
    """The player who answers may also reach 66 and win at once, by taking the trick."""
    hands = deal("TS QS", "AS QH", trump="H", taken=("JC QC", MUCH))
    hands.play("TS", "AS").expect_scores(0, 2)


def test_without_66_the_last_trick_wins() -> None:
    """Without 66 the taker of the last trick gets one game point."""
    hands = deal("JS", "QS", trump="H", taken=("AH TH AC TC", ""))
    hands.play("JS", "QS").expect_scores(0, 1)


def test_the_last_trick_may_bring_66() -> None:
    """A player who reaches 66 with the last trick wins by the other's points."""
    hands = deal("AS", "TS", trump="H", taken=(MUCH, ""))
    hands.play("AS", "TS").expect_scores(3, 0)


def test_a_marriage_can_end_the_deal() -> None:
    """A marriage that makes 66 ends the deal at once if its player has a trick."""
    hands = deal("QS KS", "AS QH", trump="H", taken=("AH TH AC TC JD QD", "JC QC"))
    ended = hands.play("marry QS").expect_scores(2, 0)
    assert ended.sees(1, "trick") == ("QS", 0)
    assert ended.told("deal_won") == [{"seat": 0, "points": 67, "against": 5, "score": 2}]


def test_a_marriage_without_a_trick_ends_nothing() -> None:
    """A marriage of a player without a trick counts nothing yet, and ends nothing."""
    hands = deal("QS KS QH KH", "AS AH JD JC", trump="H").play("marry QH")
    hands.expect_going_on().expect_points(0, 0)


def test_marriages_count_with_the_first_trick() -> None:
    """A marriage announced before counts with its player's first trick, and may make 66."""
    hands = deal("QS KS AH", "AS JH JD", trump="H", taken=("", "JC QC"))
    hands = hands.play("marry QS", "AS").expect_points(0, 19)
    hands.play("JD", "AH").expect_points(33, 19)


def test_the_closer_wins_by_what_the_other_had_at_that_time() -> None:
    """The closer wins by what the other had on closing, unless `freeze` is off."""
    for freeze, score in ((True, 3), (False, 2)):
        hands = deal(
            "JC AS AH",
            "QC TS TH",
            talon="JD | KD",
            taken=("AC TC KC JS", ""),
            freeze=freeze,
        )
        hands = hands.play("close", "JC", "QC").expect_points(27, 5).expect_turn(1)
        hands = hands.play("TS", "AS").expect_going_on()
        hands.play("AH", "TH").expect_scores(score, 0)


def test_closing_freezes_the_card_points_too() -> None:
    """The other's card points count as they were on closing: below 33 stays below 33."""
    for freeze, score in ((True, 2), (False, 1)):
        hands = deal(
            "JC AS AH",
            "AC TS TH",
            talon="JD | KD",
            taken=("QS KS TC KC QH KH", "AD TD"),
            freeze=freeze,
        )
        hands = hands.play("close", "JC", "AC").expect_points(28, 34)
        hands = hands.play("TS", "AS", "AH", "TH")
        hands.expect_points(70, 34).expect_scores(score, 0)


@pytest.mark.parametrize(("had", "score"), [("", 3), ("JS QS", 2)])
def test_a_closer_who_does_not_get_there_loses_2_or_3(had: str, score: int) -> None:
    """A failed closer loses 3 if the other had no trick on closing, and 2 otherwise."""
    hands = deal("JC JD", "QC QH", talon="JH | KD", taken=("AC TC", had))
    lost = hands.play("close", "JC", "QC", "QH", "JD")
    lost.expect_scores(0, score)
    assert lost.told("closing_failed") == [{"seat": 0, "points": 26, "score": score}]


def test_the_last_trick_wins_nothing_for_a_closer() -> None:
    """A closer without 66 loses, even by taking the last trick."""
    hands = deal("AC", "QC", talon="JH | KD", taken=("TC KC", "JS QS"))
    hands.play("close", "AC", "QC").expect_scores(0, 2)


@pytest.mark.parametrize(("had", "score"), [("", 3), ("JH QH", 2)])
def test_who_reaches_66_before_the_closer_wins_2_or_3(had: str, score: int) -> None:
    """A player who reaches 66 before the closer wins 2 or 3, whatever the closer has."""
    hands = deal("JC TS QS KS", "QC KD QD AD", talon="KH | JD", taken=("AC TC AH TH", had))
    hands = hands.play("close", "JC", "QC", "marry KD", "TS").expect_going_on()
    hands.play("AD", "QS").expect_scores(0, score)


def test_nobody_wins_without_a_claim() -> None:
    """If players claim, 66 points do not end the deal without a claim."""
    hands = deal("AS QS", "TS QH", trump="H", taken=(MUCH, "JC QC"), claim="manual")
    hands.play("AS", "TS").expect_points(70, 5).expect_going_on().expect_turn(0)


@pytest.mark.parametrize(("against", "score"), [("", 3), ("KC QC", 2), ("AS TS KC KD QC JH", 1)])
def test_a_right_claim_scores_as_66_does(against: str, score: int) -> None:
    """A right claim scores as 66 points do, and may be made before any lead."""
    enough = "AH TH AC TC AD TD JD JC"
    hands = deal("JS", "QS", trump="H", taken=(enough, against), claim="manual")
    hands.expect_choices("JS", "claim").play("claim").expect_scores(score, 0)


def test_a_marriage_may_be_claimed_upon_at_once() -> None:
    """A player may claim after announcing a marriage and before leading its card."""
    hands = deal("QS KS", "AS QH", trump="H", taken=("AH TH AC TC JD QD", "JC QC"), claim="manual")
    hands.play("marry QS").expect_choices("QS", "claim").play("claim").expect_scores(2, 0)


def test_the_taker_of_the_last_trick_may_claim() -> None:
    """The taker of the last trick may claim, or gets one game point for the trick."""
    last = deal("AS", "TS", trump="H", taken=(MUCH, ""), claim="manual").play("AS", "TS")
    last.expect_turn(0).expect_choices("claim", "pass")
    last.play("claim").expect_scores(3, 0)
    last.play("pass").expect_scores(1, 0)


def test_a_closer_who_does_not_claim_has_failed() -> None:
    """A closer who does not claim has failed, even with 66 points."""
    hands = deal("AS", "TS", talon="QH | JH", taken=(MUCH, ""), claim="manual")
    hands.play("close", "AS", "TS", "pass").expect_scores(0, 3)


@pytest.mark.parametrize(("against", "score"), [("", 3), ("JC QC", 2)])
def test_a_false_claim_gives_the_other_2_or_3(against: str, score: int) -> None:
    """A false claim gives the other 2 game points, or 3 if the other has no trick."""
    hands = deal("AS", "TS", trump="H", taken=("AH TH AC KS", against), claim="manual")
    lost = hands.play("claim").expect_scores(0, score)
    assert lost.told("claim_failed") == [{"seat": 0, "points": 36, "score": score}]


def test_a_closer_does_not_get_off_cheaply_by_a_false_claim() -> None:
    """A closer's false claim costs at least as much as the failed closing."""
    hands = deal("JC AS", "QC JS", talon="JH | KD", taken=("AC TC", ""), claim="manual")
    late = hands.play("close", "JC", "QC", "JS", "AS")
    assert late.state.tricks(1) == 1
    late.play("claim").expect_scores(0, 3)


def test_claims_need_a_table_that_asks_for_them() -> None:
    """Claims are refused at a table that counts points automatically, the default."""
    hands = deal("AS", "TS", trump="H")
    hands.expect_refusal("claim", IllegalAction, "points are counted for you at this table")
    hands.expect_refusal("pass", IllegalAction, "after the last trick")
    manual = deal("AS", "TS", trump="H", claim="manual")
    manual.expect_refusal("pass", IllegalAction, "after the last trick")
    manual.play("AS").expect_refusal("claim", IllegalAction, "only the player to lead may claim")
