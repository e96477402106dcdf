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
    """``play QS`` and ``play QS@5`` have different numbers at different cards."""
    offered = menu(Choices(("play QS", "play QS@5")), VIEW, 0)
    assert offered.numbers == {("hand/0", "QS"): 1, ("column/0/5", "QS"): 2}
    assert offered.others == ()


def test_what_was_taken_is_not_played() -> None:
    """Cards in a zone of won cards have no numbers."""
    offered = menu(Choices(("play QS",)), View({"taken/0": Zone(("QS",))}), 0)
    assert offered == Menu(others=((1, "play QS"),))


def test_moves_that_no_card_stands_for_are_listed() -> None:
    """Moves without a card of their own are listed, and so are second moves of a card."""
    offered = menu(Choices(("close", "play 2C", "marry 2C", "take 5D")), VIEW, 0)
    assert offered.numbers == {("hand/0", "2C"): 2}
    assert offered.others == ((1, "close"), (3, "marry 2C"), (4, "take 5D"))


def test_moves_that_say_a_number_are_amounts() -> None:
    """Moves with a number as argument are typed as it, and have no number of their own."""
    offered = menu(Choices(("bid 0", "bid 3", "raise 5", "pass")), VIEW, 0)
    assert offered.amounts == {"bid": ("0", "3"), "raise": ("5",)}
    assert offered.others == ((4, "pass"),)


def test_a_place_of_several_parts_is_found() -> None:
    """A slot of several parts is found after kind and owner."""
    assert menu(Choices(("play 3H@1/2",)), VIEW, 0).numbers == {("stock/0/1/2", "3H"): 1}


def test_cards_of_a_pattern_are_numbered_where_they_lie() -> None:
    """The cards of a pick are numbered where they lie, unless there are other moves."""
    pick = Pick("pass", ("2C", "QS"), 1, 2)
    offered = menu(Choices(picks=(pick,)), VIEW, 0)
    assert offered == Menu({("hand/0", "2C"): 1, ("hand/0", "QS"): 2}, picks=(pick,))
    assert menu(Choices(("close",), (pick,)), VIEW, 0).numbers == {}
    for cards in (("2C", "AH"), ("2C", "2C")):
        assert menu(Choices(picks=(Pick("pass", cards, 1, 2),)), VIEW, 0).numbers == {}


def test_a_pattern_says_where_its_cards_go() -> None:
    """A pick says where its cards go, if the game's words tell more than the verb."""
    pick = Pick("play", ("2C", "QS"), 1, 2)
    for title, goes in (("play to the crib", "to the crib"), ("play", ""), ("lay away", "")):
        assert menu(Choices(picks=(pick,), ways=(Way(title),)), VIEW, 0).goes == goes
    assert menu(Choices(picks=(pick,)), VIEW, 0).goes == ""


def test_who_is_not_asked_has_no_menu() -> None:
    """A player who is not to move has no menu, nor has a spectator."""
    assert menu(None, VIEW, 0) == Menu()
    assert menu(Choices(("play 2C",)), VIEW, None) == Menu()
