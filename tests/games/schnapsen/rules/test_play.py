"""Schnapsen: leading, answering, drawing, exchanging, closing, announcing."""

import pytest

from engine.errors import BadAction, IllegalAction, NotYourTurn
from tests.games.schnapsen.hands import GAME, Hands, deal

OPEN = "JC QC KC TC AC JD QD KD AD | TD"
"""A talon of nine, and a diamond on the table."""


def opening(first: str = "JS QS KS TS AS", second: str = "JH QH KH TH AH") -> Hands:
    return deal(first, second, talon=OPEN)


def test_any_card_answers_while_the_talon_is_open() -> None:
    """While cards can be drawn, any card may answer a lead."""
    deal("AS", "KS JD TH", talon="JC | QD").play("AS").expect_choices("JD KS TH")


def test_the_10_beats_the_king() -> None:
    """The ten beats the king: cards rank ace, ten, king, queen, jack."""
    deal("KS JC", "TS JH", talon="QC QH KH | TD").play("KS", "TS").expect_turn(1)


def test_trump_takes() -> None:
    """A trump beats any card of another suit, and no plain card beats another suit."""
    deal("AS QC", "JD QH", talon="JC KC KH | TD").play("AS", "JD").expect_turn(1)
    deal("JS QC", "AH QH", talon="JC KC KH | TD").play("JS", "AH").expect_turn(0)


def test_the_taker_draws_first() -> None:
    """The winner of a trick draws the top card of the talon, and the loser the next one."""
    after = deal("JS QC", "AS QH", talon="JC KC KH | TD").play("JS", "AS")
    after.expect_hand(1, "QH JC").expect_hand(0, "QC KC").expect_turn(1)


def test_the_loser_gets_the_upturned_trump() -> None:
    """Of the last two cards the winner draws the face-down one, and the loser the open trump."""
    after = deal("JS QC", "AS QH", talon="JC | TD").play("JS", "AS")
    after.expect_hand(1, "QH JC").expect_hand(0, "QC TD")
    assert after.sees(1, "hand/0") == ("TD", 1)
    assert after.sees(0, "hand/1") == ("", 2)
    assert after.sees(1, "turned") == ("", 0)


def test_nobody_draws_from_a_closed_talon() -> None:
    """After closing nobody draws, so hands get smaller with every trick."""
    after = opening().play("close", "JS", "JH")
    after.expect_hand(0, "QS KS TS AS")
    assert after.sees(0, "talon") == ("", 9)


@pytest.mark.parametrize(
    ("led", "hand", "answers"),
    [
        ("QS", "JS KS TS JD AH", "KS TS"),
        ("TS", "JS KS JD AH", "JS KS"),
        ("QS", "JD QD AH", "JD QD"),
        ("QS", "JC QC AH", "JC QC AH"),
        ("QD", "JD AD AH", "AD"),
        ("AD", "JD TD AH", "JD TD"),
        ("QD", "AS AH", "AS AH"),
    ],
)
def test_without_a_talon_one_beats_follows_trumps_or_throws_off(
    led: str, hand: str, answers: str
) -> None:
    """Without a talon one must beat, else follow, else trump, and may else play anything."""
    deal(led, hand, trump="D").play(led).expect_choices(answers)
    deal(led, hand, talon="KH QH JH | KD").play("close", led).expect_choices(answers)


def test_a_refusal_says_what_would_be_right() -> None:
    """A refusal names the suit or the card that demands another answer."""
    lead = deal("QS", "JS KS JD AH", trump="D").play("QS")
    lead.expect_refusal("TS", IllegalAction, "no such card")
    lead.expect_refusal("JS", IllegalAction, "QS must be beaten")
    lead.expect_refusal("AH", IllegalAction, "♠ was led and must be followed")
    trumped = deal("QS", "JD AH", trump="D").play("QS")
    trumped.expect_refusal("AH", IllegalAction, "without ♠ a trump has to be played")


def test_a_text_that_is_no_move_is_told_what_moves_look_like() -> None:
    """A text that is no move raises another error than an illegal move, and shows the syntax."""
    for text in ("play 9S", "marry JS", "exchange JD", "bid 3"):
        opening().expect_refusal(text, BadAction, "'marry QS', 'exchange', 'close'")


def test_only_who_is_asked_may_move() -> None:
    """The seat that is not to move has no choices, and its moves are refused."""
    state = opening().state
    assert not GAME.choices(state, 1)
    with pytest.raises(NotYourTurn):
        GAME.apply(state, 1, "play JH")


def test_the_jack_of_trumps_is_exchanged_on_lead() -> None:
    """The exchange moves the upturned trump openly to the hand, and the jack to its place."""
    after = deal("JD QS", "AH KH", talon="JC KC KS | TD").play("exchange")
    after.expect_turn(0).expect_hand(0, "QS TD")
    assert after.sees(1, "turned") == ("JD", 0)
    assert after.sees(1, "hand/0") == ("TD", 1)
    assert after.sees(-1, "hand/0") == ("TD", 1)
    after.expect_choices("TD QS", "close")


def test_an_exchanged_card_is_known_until_it_is_played() -> None:
    """The exchanged card is known to all until it is played."""
    after = deal("JD QS", "AH KH", talon="JC KC KS | TD").play("exchange", "TD", "KH")
    assert after.sees(1, "hand/0") == ("", 2)


def test_exchanging_needs_the_jack_and_the_lead() -> None:
    """Exchanging needs the jack of trumps and the lead."""
    hands = deal("QS JC", "JD KH", talon="QC KC KS | TD")
    hands.expect_refusal("exchange", IllegalAction, "takes the jack of trumps")
    hands.play("QS").expect_refusal("exchange", IllegalAction, "only the player to lead")


def test_one_may_exchange_and_then_close_but_not_the_other_way_round() -> None:
    """One may exchange and then close, but not exchange after closing."""
    hands = deal("JD QS KS", "AH KH TH", talon="JC KC QC | TD")
    hands.play("exchange", "close", "marry QS").expect_turn(1)
    closed = hands.play("close")
    closed.expect_refusal("exchange", IllegalAction, "the talon is closed")
    closed.expect_refusal("close", IllegalAction, "the talon is closed")


def test_closing_needs_the_lead() -> None:
    """Only the leader may close."""
    opening().play("JS").expect_refusal("close", IllegalAction, "only the player to lead")


def test_nobody_closes_or_exchanges_when_the_talon_is_used_up() -> None:
    """Nobody may close or exchange once the talon is used up."""
    hands = deal("JD QS", "AH KH", trump="D")
    hands.expect_choices("JD QS")
    hands.expect_refusal("exchange", IllegalAction, "the talon is exhausted")
    hands.expect_refusal("close", IllegalAction, "the talon is exhausted")


@pytest.mark.parametrize(("least", "allowed"), [(2, True), (4, True), (6, False), (10, False)])
def test_the_table_says_how_large_the_talon_must_be(least: int, allowed: bool) -> None:
    """`min_talon`, which counts the upturned trump, bounds both exchanging and closing."""
    hands = deal("JD QS", "AH KH", talon="JC KC KS | TD", min_talon=least)
    if allowed:
        hands.expect_choices("JD QS", "exchange", "close")
    else:
        hands.expect_choices("JD QS")
        hands.expect_refusal("close", IllegalAction, f"takes {least} cards in the talon")
        hands.expect_refusal("exchange", IllegalAction, f"takes {least} cards in the talon")


def test_a_marriage_is_announced_by_leading_one_of_the_two() -> None:
    """Announcing a marriage leads one card and shows the other, known until it is played."""
    hands = deal("QS KS AS", "AH KH TH", talon="JC KC QC | TD")
    hands.expect_choices("QS KS AS", "marry QS KS", "close")
    after = hands.play("marry QS").expect_turn(1)
    assert after.sees(1, "trick") == ("QS", 0)
    assert after.sees(1, "hand/0") == ("KS", 1)
    assert after.told("marriage_announced") == [{"seat": 0, "cards": "QS KS", "points": 20}] * 2
    assert after.play("AH", "KS").sees(1, "hand/0") == ("", 2)


def test_a_marriage_need_not_be_announced() -> None:
    """The cards of a marriage may be led without announcing it, and nothing is shown."""
    after = deal("QS KS AS", "AH KH TH", talon="JC KC QC | TD").play("QS")
    assert after.sees(1, "hand/0") == ("", 2)
    assert after.state.marriages == (0, 0)


def test_a_marriage_needs_both_cards_and_the_lead() -> None:
    """A marriage needs king and queen of one suit and the lead, with the talon open or not."""
    hands = deal("QS KH AS", "QC KC TH", talon="JC JD QD | TD")
    hands.expect_refusal("marry QS", IllegalAction, "a king and a queen of one suit")
    hands.expect_refusal("marry KD", IllegalAction, "a king and a queen of one suit")
    hands.play("QS").expect_refusal("marry QC", IllegalAction, "only the player to lead")
    deal("QS KS", "QC KC", trump="D").expect_choices("QS KS", "marry QS KS")
    deal("QS KS", "QC KC", talon="JC | TD").play("close").expect_choices("QS KS", "marry QS KS")


def test_a_marriage_counts_from_the_first_trick_on() -> None:
    """A marriage counts twenty, or forty in trumps, and nothing until its player has a trick."""
    lost = deal("QS KS JC", "AS KH TH", talon="TC KC QC | TD").play("marry QS")
    lost.expect_points(0, 0)
    assert lost.view(1).values["marriages/0"] == 20
    lost.play("AS").expect_points(0, 14)
    won = deal("QS KS JC", "JS KH TH", talon="TC KC QC | TD").play("marry KS")
    won.expect_points(0, 0).play("JS").expect_points(26, 0)
    deal("QD KD JC", "JS KH TH", talon="TC KC QC | TD").play("marry KD", "JS").expect_points(46, 0)


def test_a_marriage_counts_at_once_for_who_has_a_trick() -> None:
    """A marriage counts at once for a player who has a trick."""
    hands = deal("QS KS JC", "JS KH TH", talon="QC KC TC | TD", taken=("AH QH", ""))
    hands.play("marry QS").expect_points(34, 0).expect_turn(1)


def test_points_are_hidden_where_players_count_for_themselves() -> None:
    """If players claim, tricks and announced marriages are shown to all, and totals are not."""
    hands = deal("QS KS", "JS KH", talon="QC | TD", taken=("AH QH", ""), claim="manual")
    assert not any(key.startswith("points") for key in hands.view(0).values)
    assert hands.view(0).values["marriages/1"] == 0


def test_counting_for_oneself_a_marriage_is_announced_before_it_is_led() -> None:
    """With manual `claim` announcing shows both cards; only the announced one may be led then."""
    hands = deal("QS KS AS", "JS KH TH", talon="QC JC AC | TD", claim="manual").play("marry KS")
    assert hands.sees(1, "hand/0") == ("KS QS", 1)
    hands.expect_turn(0).expect_choices("KS", "claim")
    hands.expect_refusal("AS", IllegalAction, "KS was announced and has to be led")
    hands.expect_refusal("close", IllegalAction, "a marriage has been announced")
    hands.play("KS").expect_turn(1)
