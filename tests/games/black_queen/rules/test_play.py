"""Black Queen: leading, following, taking, turning up."""

from engine.errors import BadAction, IllegalAction
from tests.games.black_queen.hands import deal


def test_leader_plays_any_card_from_hand_or_column() -> None:
    """A lead may be any card of the hand or any face-up card."""
    deal("3S AH | QS/2C 4D/5D", "2S 3H | 5S/6C 7D/8D").expect_choices("3S AH QS@1 4D@2")


def test_who_is_not_asked_has_no_choices() -> None:
    """Only the player to move has choices, and nobody has any after the last card."""
    hands = deal("2D", "QS")
    assert not hands.game.choices(hands.state, 1)
    assert not hands.game.choices(hands.play("2D", "QS").state, 0)


def test_face_down_cards_cannot_be_played() -> None:
    """The card under a face-up card is out of reach."""
    deal("AH | QS/2C", "2S | 5S/6C").expect_refusal("2C@1", IllegalAction, "no such card")


def test_suit_is_followed_from_hand_and_columns_alike() -> None:
    """The suit led must be played, and it does not matter from where."""
    deal("2S 4C | 9C/9D", "3S KH | AS/2C", leader=0).play("2S").expect_choices("3S AS@1")


def test_a_face_up_card_alone_forces_to_follow() -> None:
    """A player whose only card of the suit led is face up must play it."""
    two = deal("2S 4C | 9C/9D", "AH KH | AS/2C").play("2S").expect_choices("AS@1")
    two.expect_refusal("KH", IllegalAction, "♠ was led and must be followed")


def test_a_hand_card_alone_forces_to_follow() -> None:
    """A player whose only card of the suit led is in hand must play it."""
    two = deal("2S 4C | 9C/9D", "3S KH | AH/2C").play("2S").expect_choices("3S")
    two.expect_refusal("AH@1", IllegalAction, "♠ was led and must be followed")


def test_a_face_down_card_forces_nobody() -> None:
    """A face-down card of the suit led does not count as having the suit."""
    deal("2S 4C | 9C/9D", "QD KH | AH/2S").play("2S").expect_choices("QD KH AH@1")


def test_who_is_void_plays_anything() -> None:
    """Without the suit led, every card is allowed, queens of spades included."""
    deal("2D", "QS").play("2D").expect_choices("QS")


def test_equal_cards_of_a_hand_are_one_choice() -> None:
    """Two equal cards in hand are one move, and an equal card in a column is another."""
    deal("QS QS | QS/2C", "2S 3S | 4S/5S").expect_choices("QS QS@1")


def test_a_card_of_another_seat_is_no_card_to_play() -> None:
    """A player cannot play a card from another seat's hand or column."""
    hands = deal("2S 3S | 4S/5S", "6S 7S | 8S/9S")
    hands.expect_refusal("6S", IllegalAction, "no such card")
    hands.expect_refusal("8S@1", IllegalAction, "no such card")
    hands.expect_refusal("4S@2", IllegalAction, "no such card")


def test_a_text_that_is_no_move_is_told_what_moves_look_like() -> None:
    """A text that is no move raises another error than an illegal card, and shows the syntax."""
    deal("2S", "3S").expect_refusal("S2", BadAction, "moves look like 'play QS' or 'play QS@5'")


def test_highest_card_of_the_suit_led_takes() -> None:
    """Higher cards of other suits do not count, and there is no trump."""
    deal("9C", "TC", "AH", "QS").play("9C", "TC", "AH", "QS").expect_taker(1)


def test_ace_is_high() -> None:
    """The ace is the highest card: it beats a king."""
    deal("KC", "AC", "2C").play("KC", "AC", "2C").expect_taker(1)


def test_last_of_equal_highest_cards_takes() -> None:
    """With two packs, the later of equal cards beats the earlier."""
    deal("KC", "AC", "3C", "AC").play("KC", "AC", "3C", "AC").expect_taker(3)


def test_equal_cards_below_the_highest_change_nothing() -> None:
    """Only ties for the highest card matter."""
    deal("KC", "AC", "3C", "3C").play("KC", "AC", "3C", "3C").expect_taker(1)


def test_leader_takes_when_nobody_follows() -> None:
    """The leader takes a trick to which nobody follows suit."""
    deal("2C", "AD", "AS", "AH").play("2C", "AD", "AS", "AH").expect_taker(0)


def test_taker_leads_the_next_trick() -> None:
    """The player who took the trick leads the next one, with any card."""
    hands = deal("2C 3D", "9C 4S", "5C AH", leader=2).play("5C", "2C", "9C")
    hands.expect_taker(1).expect_turn(1).expect_choices("4S")


def test_play_goes_round_from_the_leader() -> None:
    """Seats play in ascending order from the leader, and seat 0 follows the last seat."""
    hands = deal("2C", "3C", "4C", leader=1).expect_turn(1)
    hands = hands.play("3C").expect_turn(2)
    hands.play("4C").expect_turn(0)


def test_a_bare_card_stays_face_down_while_the_trick_lasts() -> None:
    """A card whose cover was played stays face down until the trick ends."""
    hands = deal("2C 3C | QS/2H", "4S 5S | 6S/7S").play("QS@1")
    hands.expect_flips([]).expect_columns(0, "-/2H")


def test_bare_cards_are_turned_up_at_the_end_of_the_trick() -> None:
    """At the end of a trick each uncovered card is turned up, and no other."""
    hands = deal("2C 3C | 9S/2H 9D/3H", "4S 5C | 6S/7S KS/8S").play("9S@1", "6S@1")
    hands.expect_taker(0).expect_flips([(0, "2H"), (1, "7S")])
    hands.expect_columns(0, "2H/- 9D/3H").expect_columns(1, "7S/- KS/8S")


def test_a_turned_up_card_can_be_led_at_once() -> None:
    """A turned-up card may be led in the next trick."""
    hands = deal("2C | 9S/2H", "4S | 6C/7S").play("9S@1", "4S")
    hands.expect_taker(0).expect_choices("2C 2H@1")


def test_a_turned_up_card_leaves_an_empty_column() -> None:
    """Playing a turned-up card leaves its column empty."""
    hands = deal("2C | 9S/2H", "4S | 6H/7S").play("9S@1", "4S", "2H@1", "6H@1")
    hands.expect_columns(0, "-/-").expect_columns(1, "7S/-").expect_flips([(1, "7S")])


def test_a_turned_up_card_must_be_followed_with() -> None:
    """A turned-up card of the suit led must be played like any other."""
    hands = deal("2C 3H | 9S/4C", "4S QD | 6S/AH").play("9S@1", "6S@1", "3H")
    hands.expect_choices("AH@1")


def test_the_deal_ends_with_the_last_card() -> None:
    """After the last card the deal is over and nobody is to move."""
    hands = deal("2C", "3C").play("2C", "3C")
    assert hands.state.over
    assert hands.facts[-1].changes[-1].value == ()  # type: ignore[union-attr]
