"""The cards of a table: hands, piles, and what may be played, drawn as lines."""

from client_cli.table_view import draw_table, title_lines
from client_cli.text import Look, Span, paint
from engine.choices import Pick
from tests.client_cli.tables import (
    ANNS_TURN,
    ASCII,
    WIDE,
    played,
    table,
    text_of,
)


def test_cards_that_may_not_be_played_are_dim() -> None:
    """Cards that may not be played are dim."""
    drawn = "\n".join(paint(each, Look(79, colour=True)) for each in draw_table(ANNS_TURN, WIDE))
    assert "\x1b[2mQ♠\x1b[0m" in drawn
    assert "\x1b[1m 1)\x1b[0m\x1b[32m2♣\x1b[0m" in drawn


def test_a_hand_without_a_question_is_not_numbered() -> None:
    """While others are to move the hand has no numbers and normal colours."""
    waiting = table(zones={"hand/0": "2C QS AH"}, to_act=(1,))
    assert "hand     2♣\n         Q♠\n         A♥" in text_of(draw_table(waiting, WIDE))


def test_the_trick_tells_who_played_what() -> None:
    """Each card of the trick has its player, also among equal cards."""
    twice = table(zones={"trick": "QS QS"}, facts=(played(2, "QS"), played(1, "QS")), to_act=(0,))
    assert "trick    Carl Q♠  Blaise Q♠" in text_of(draw_table(twice, WIDE))


def test_moves_that_are_no_card_are_listed() -> None:
    """Moves without a card are listed with numbers, and so are second moves of a card."""
    lead = table(zones={"hand/0": "KS"}, to_act=(0,), actions=("close", "play KS", "marry KS"))
    drawn = text_of(draw_table(lead, WIDE))
    assert "hand      2)K♠" in drawn
    assert "moves     1)close   3)marry K♠" in drawn


def test_bids_are_listed_as_they_are_typed() -> None:
    """With bids a typed number is a bid, so other moves have no number."""
    bidding = table(
        zones={"hand/0": "KS 2C"},
        to_act=(0,),
        actions=("bid 0", "bid 2", "bid 3", "pass", "play KS"),
    )
    drawn = text_of(draw_table(bidding, WIDE))
    assert "\nbid      0  2  3\nmoves    pass\n" in drawn
    assert ")" not in drawn


def test_a_hand_is_in_its_colours_while_none_of_it_may_be_played() -> None:
    """The hand has normal colours while none of it may be played."""
    bidding = table(zones={"hand/0": "KS 2C"}, to_act=(0,), actions=("bid 0", "bid 1"))
    drawn = "\n".join(paint(each, Look(79, colour=True)) for each in draw_table(bidding, WIDE))
    assert "\x1b[32m2♣\x1b[0m" in drawn
    assert "\x1b[1mK♠\x1b[0m" in drawn


def test_a_choice_of_many_cards_says_how_many() -> None:
    """A pick says how many cards it takes, and numbers its cards in the hand."""
    passing = table(
        zones={"hand/0": "2C 3D 4H 5S"},
        to_act=(0,),
        picks=(Pick("pass", ("2C", "3D", "4H", "5S"), 3, 3),),
    )
    drawn = text_of(draw_table(passing, WIDE))
    assert "hand      1)2♣\n          2)3♦\n          4)5♠\n          3)4♥\n" in drawn
    assert "pass 3   by card or number, such as 1 2 3" in drawn
    narrow = text_of(draw_table(passing, Look(30)))
    assert "pass 3   by card or number,\n         such as 1 2 3" in narrow


def test_a_choice_among_cards_that_lie_elsewhere_lists_them() -> None:
    """A pick lists cards that have no place of their own among one's zones."""
    for among in (("2C", "9D"), ("2C", "2C")):
        giving = table(zones={"hand/0": "2C 2C"}, to_act=(0,), picks=(Pick("give", among, 0, 1),))
        listed = "  ".join("9♦" if card == "9D" else "2♣" for card in among)
        assert f"give 0 to 1 {listed}" in text_of(draw_table(giving, WIDE))


def test_unknown_zones_are_drawn_as_lists() -> None:
    """Zones of an unknown kind are drawn as lists."""
    other = table(zones={"talon": "9D ? ?", "hand/1": "2C 3C", "meld/2": "KH QH", "row/1/3": "?"})
    drawn = text_of(draw_table(other, WIDE))
    assert "talon    9♦  ▒×2" in drawn
    assert "Blaise, hand 2♣  3♣" in drawn
    assert "Carl, meld Q♥  K♥" in drawn
    assert "Blaise, row 3 ▒×1" in drawn


def test_backs_in_ones_own_hand_are_counted() -> None:
    """Backs in one's own hand are counted."""
    blind = table(zones={"hand/0": "? ? ?"})
    assert "hand     ▒×3" in text_of(draw_table(blind, WIDE))


def test_suits_are_told_in_their_colour_and_in_ascii() -> None:
    """A value that names a suit has its colour, and a letter without symbols."""
    trumps = table(values={"trump": "♥"})
    assert Span("♥", "red") in title_lines(trumps, WIDE)[0]
    assert "- trump H -" in text_of(title_lines(trumps, ASCII))


def test_small_piles_of_one_kind_share_a_line() -> None:
    """Numbered piles of a seat share a line."""
    zones = {"up/1/1": "QS", "up/1/2": "?", "up/2/1": "2C"}
    drawn = text_of(draw_table(table(zones=zones), WIDE))
    assert "Blaise, up 1 Q♠  2 ▒×1\nCarl, up 1 2♣" in drawn
