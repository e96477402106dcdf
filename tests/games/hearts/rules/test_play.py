"""Hearts: what may be passed and played, who takes a trick, and the scores."""

import pytest

from engine.choices import Choices, Pick
from engine.errors import BadAction, IllegalAction, NotYourTurn
from tests.games.hearts.hands import GAME, deal

FOUR = ("2C 3C AS", "2D 3D AD", "2S 3S QS", "2H 3H AH")
ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
MOON = (
    ALL_HEARTS,
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)


class TestPassing:
    @pytest.mark.parametrize(
        ("shift", "got"),
        [
            (1, ("2H 3H AH", "2C 3C AS", "2D 3D AD", "2S 3S QS")),
            (3, ("2D 3D AD", "2S 3S QS", "2H 3H AH", "2C 3C AS")),
            (2, ("2S 3S QS", "2H 3H AH", "2C 3C AS", "2D 3D AD")),
        ],
    )
    def test_cards_go_where_the_deal_says(self, shift: int, got: tuple[str, ...]) -> None:
        """Cards are passed to the left (the next seat), to the right, or across."""
        hands = deal(*FOUR, shift=shift).passing(*FOUR)
        for seat, cards in enumerate(got):
            hands.expect_hand(seat, cards)

    def test_all_are_asked_at_once(self) -> None:
        """Each player passes three cards of their hand once, in any order of seats."""
        hands = deal(*FOUR, shift=1).expect_turn(0, 1, 2, 3)
        pick = Pick("pass", ("2S", "3S", "QS"), 3, 3)
        assert GAME.choices(hands.state, 2) == Choices(picks=(pick,))
        hands = hands.act_as(2, "pass 2S 3S QS").expect_turn(0, 1, 3)
        hands.expect_refusal("pass 2S 3S QS", NotYourTurn, "seat 2", seat=2)
        assert not GAME.choices(hands.state, 2)

    def test_nobody_sees_what_they_get_before_they_have_given(self) -> None:
        """Passed cards lie aside until the last player has chosen."""
        hands = deal("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H", shift=1)
        hands = hands.passing("2C 3C 4C", "2D 3D 4D", "2S 3S 4S")
        hands.expect_hand(1, "5D").expect_turn(3)
        hands.act_as(3, "pass 3H 4H 5H").expect_hand(1, "2C 3C 4C 5D")

    def test_the_two_of_clubs_leads_where_it_has_come_to(self) -> None:
        """The two of clubs leads after the exchange, so a player who passed it does not lead."""
        hands = deal(*FOUR, shift=1).passing(*FOUR)
        hands.expect_turn(1).expect_choices("2C")

    @pytest.mark.parametrize(
        ("action", "error", "words"),
        [
            ("pass 2C 3C 2D", IllegalAction, "no such cards"),
            ("pass 3C 2C AS", IllegalAction, "order"),
            ("pass 2C 2C AS", IllegalAction, "different"),
            ("play 2C", IllegalAction, "passed first"),
            ("pass 2C 3C", BadAction, "no move"),
            ("pass 2C 3C AS AS", BadAction, "no move"),
            ("pass 2C 3C 1S", BadAction, "no move"),
        ],
    )
    def test_what_may_not_be_passed(self, action: str, error: type[BadAction], words: str) -> None:
        """A pass is three different cards of one's own, in the order of the hand."""
        deal(*FOUR, shift=1).expect_refusal(action, error, words, seat=0)

    def test_nothing_is_passed_once_cards_are_played(self) -> None:
        """Passing ends when play begins, and a deal without passing has none."""
        deal(*FOUR).expect_refusal("pass 2C 3C AS", IllegalAction, "no cards are passed now")


class TestPlay:
    def test_the_two_of_clubs_is_led_first(self) -> None:
        """The two of clubs must be led to the first trick."""
        hands = deal("3D 4D", "2C AS", "3C 4C", "5C 6C").expect_turn(1).expect_choices("2C")
        hands.expect_refusal("play AS", IllegalAction, "2C is led first")
        hands.expect_refusal("play 3D", NotYourTurn, "seat 0", seat=0)

    def test_suit_is_followed(self) -> None:
        """Players follow suit if they can, and otherwise, after the first trick, play any card."""
        hands = deal("2C 4D", "3C 5D", "4C QS", "5C 6D").play("2C")
        hands.expect_refusal("play 5D", IllegalAction, "♣ was led")
        hands.expect_refusal("play QS", IllegalAction, "no such card")
        hands.play("3C", "4C", "5C").expect_taker(3).play("6D", "4D", "5D").expect_choices("QS")

    def test_no_penalties_in_the_first_trick(self) -> None:
        """No heart and no queen of spades may be played to the first trick, if avoidable."""
        hands = deal("2C 3C 4C", "QS 2H KD", "QD JD TD", "AC KC QC").play("2C")
        hands.expect_choices("KD")
        for penalty in ("QS", "2H"):
            hands.expect_refusal(f"play {penalty}", IllegalAction, "first trick")

    def test_a_hand_of_penalties_alone_may_play_them_in_the_first_trick(self) -> None:
        """A hand of penalties alone may play any to the first trick; a heart breaks hearts."""
        hands = deal("2C 3C", "QS 2H", "2D 3D", "4C 5C").play("2C").expect_choices("QS 2H")
        hands = hands.play("2H").expect_told("card_played", "hearts_broken")
        assert hands.state.broken

    def test_hearts_are_led_when_they_are_broken(self) -> None:
        """A heart may be led only after one was played, and at once then."""
        hands = deal("2C 4H 5D", "3C 2D 6H", "4C 3H QS", "AC AH 3D").play("2C", "3C", "4C", "AC")
        hands.expect_taker(3).expect_choices("3D")
        hands.expect_refusal("play AH", IllegalAction, "hearts are not led")
        hands = hands.play("3D", "5D", "2D").expect_choices("QS 3H").play("3H")
        hands.expect_told("card_played", "hearts_broken", "trick_taken")
        hands.expect_taker(0).expect_choices("4H")

    def test_the_queen_does_not_break_hearts(self) -> None:
        """The queen of spades may be led, and does not break hearts."""
        hands = deal("2C 9D 2S", "3C 8D 3S", "AC QS 9H", "4C 7D 4S").play("2C", "3C", "AC", "4C")
        hands = hands.expect_taker(2).expect_choices("QS").play("QS", "4S", "2S", "3S")
        assert not hands.state.broken
        hands.expect_taker(2)

    def test_a_hand_of_hearts_alone_may_lead_them(self) -> None:
        """A hand of hearts alone may lead one, which breaks hearts."""
        hands = deal("2C 9D 2S", "3C 8D 3S", "AC QH 9H", "4C 7D 4S").play("2C", "3C", "AC", "4C")
        hands.expect_choices("9H QH").play("9H").expect_told("card_played", "hearts_broken")

    def test_the_highest_card_of_the_suit_led_takes(self) -> None:
        """Higher cards of other suits take nothing, and there are no trumps."""
        hands = deal("2C 2D", "AD 3D", "5C 4D", "4C AH").play("2C", "AD", "5C", "4C")
        hands.expect_taker(2).expect_turn(2)


class TestScore:
    def test_hearts_and_the_queen(self) -> None:
        """Each heart scores one point, the queen of spades thirteen, and no other card any."""
        hands = deal("2C 4C", "2D QS", "3H 4H", "5C 3C").play("2C", "2D", "3H", "5C")
        hands.expect_taker(3).play("3C", "4C", "QS", "4H").expect_scores(14, 0, 0, 1)

    @pytest.mark.parametrize("moon", ["others", "shooter"])
    def test_the_moon_by_the_plainer_rules(self, moon: str) -> None:
        """A player who takes all points gets −26, whatever the table says."""
        hands = deal(*MOON, rules="recycle", moon=moon)
        while asked := GAME.to_act(hands.state):
            hands = hands.act_as(asked[0], GAME.choices(hands.state, asked[0]).actions[0])
        hands.expect_told("card_played", "trick_taken", "moon_shot").expect_scores(-26, 0, 0, 0)

    @pytest.mark.parametrize(
        ("moon", "scores"), [("others", (26, 0, 26, 26)), ("shooter", (0, -26, 0, 0))]
    )
    def test_the_moon_by_the_standard_rules(self, moon: str, scores: tuple[int, ...]) -> None:
        """The others get 26 each, or the shooter gets −26, as the table says."""
        hands = deal(
            "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC QS",
            "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH AH AC",
            "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD KH",
            "2S 3S 4S 5S 6S 7S 8S 9S TS JS AD KS AS",
            moon=moon,
        )
        hands = hands.play("2C", "AC", "2D", "2S")
        while asked := GAME.to_act(hands.state):
            # The king of hearts goes early, while the ace is there to take it.
            hands = hands.act_as(asked[0], GAME.choices(hands.state, asked[0]).actions[-1])
        hands.expect_scores(*scores)


class TestRecycle:
    def test_seat_0_leads_anything_but_a_heart(self) -> None:
        """By the rules `recycle` seat 0 leads any card but a heart."""
        step = GAME.start(deal(*FOUR, rules="recycle").state.setup)
        assert GAME.to_act(step.state) == (0,)
        deal("3D 4H", "2C AS", "3C 4C", "5C 6C", rules="recycle").expect_turn(0).expect_choices(
            "3D"
        )

    def test_penalties_may_fall_in_the_first_trick(self) -> None:
        """By the rules `recycle` penalties may be played to the first trick."""
        hands = deal("2C 3C", "QS 2H", "2D 3D", "4C 5C", rules="recycle")
        hands.play("2C").expect_choices("QS 2H").play("QS")
