"""Where the numbers of the legal moves stand."""

from client_cli.menu import Menu, menu
from engine.choices import Choices, Pick, Way
from engine.views import View, Zone

VIEW = View(
    {
        "taken/0": Zone(("QS",)),
        "hand/0": Zone(("QS", "2C")),
        "hand/1": Zone(("5D",)),
        "column/0/5": Zone(("QS",)),
        "stock/0/1/2": Zone(("3H",)),
    }
)


def test_a_card_in_the_hand_is_not_the_one_in_a_column() -> None:
    """``play QS`` and ``play QS@5`` are different moves with different numbers."""
    offered = menu(Choices(("play QS", "play QS@5")), VIEW, 0)
    assert offered.numbers == {("hand/0", "QS"): 1, ("column/0/5", "QS"): 2}
    assert offered.others == ()


def test_what_was_taken_is_not_played() -> None:
    """Of a zone of won cards none is numbered, even if it holds the same card."""
    offered = menu(Choices(("play QS",)), View({"taken/0": Zone(("QS",))}), 0)
    assert offered == Menu(others=((1, "play QS"),))


def test_moves_that_no_card_stands_for_are_listed() -> None:
    """So is a card of somebody else, and a second move with a card that has its number already."""
    offered = menu(Choices(("close", "play 2C", "marry 2C", "take 5D")), VIEW, 0)
    assert offered.numbers == {("hand/0", "2C"): 2}
    assert offered.others == ((1, "close"), (3, "marry 2C"), (4, "take 5D"))


def test_moves_that_say_a_number_are_amounts() -> None:
    """They are typed as they are, so they need no number of their own."""
    offered = menu(Choices(("bid 0", "bid 3", "raise 5", "pass")), VIEW, 0)
    assert offered.amounts == {"bid": ("0", "3"), "raise": ("5",)}
    assert offered.others == ((4, "pass"),)


def test_a_place_of_several_parts_is_found() -> None:
    """What stands behind kind and owner is the slot, however it is written."""
    assert menu(Choices(("play 3H@1/2",)), VIEW, 0).numbers == {("stock/0/1/2", "3H"): 1}


def test_cards_of_a_pattern_are_numbered_where_they_lie() -> None:
    """Unless there are single moves too, or a card that has no place of its own."""
    pick = Pick("pass", ("2C", "QS"), 1, 2)
    offered = menu(Choices(picks=(pick,)), VIEW, 0)
    assert offered == Menu({("hand/0", "2C"): 1, ("hand/0", "QS"): 2}, picks=(pick,))
    assert menu(Choices(("close",), (pick,)), VIEW, 0).numbers == {}
    for cards in (("2C", "AH"), ("2C", "2C")):
        assert menu(Choices(picks=(Pick("pass", cards, 1, 2),)), VIEW, 0).numbers == {}


def test_a_pattern_says_where_its_cards_go() -> None:
    """In the words of the game, if these say more than the verb and their ways are told."""
    pick = Pick("play", ("2C", "QS"), 1, 2)
    for title, goes in (("play to the crib", "to the crib"), ("play", ""), ("lay away", "")):
        assert menu(Choices(picks=(pick,), ways=(Way(title),)), VIEW, 0).goes == goes
    assert menu(Choices(picks=(pick,)), VIEW, 0).goes == ""


def test_who_is_not_asked_has_no_menu() -> None:
    """Neither has a spectator."""
    assert menu(None, VIEW, 0) == Menu()
    assert menu(Choices(("play 2C",)), VIEW, None) == Menu()
