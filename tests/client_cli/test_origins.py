"""The player of each card in the middle, from the facts."""

from client_cli.names import kind_of, seat_of, slot_of
from client_cli.origins import traced
from engine.facts import Fact, Lay, Move, Set
from tests.client_cli.tables import played


def took(seat: int, *cards: str) -> Fact:
    return Fact("trick_taken", {"seat": seat}, (Move("trick", f"taken/{seat}", cards),))


def test_cards_keep_the_seat_they_came_from() -> None:
    """Cards keep the seat from which they came, in order."""
    facts = (played(2, "QS"), played(0, "QS"))
    assert traced({}, facts) == {"trick": (("QS", 2), ("QS", 0))}


def test_a_taken_trick_is_forgotten() -> None:
    """A taken trick has no origins any more."""
    facts = (played(2, "QS"), played(0, "2S"), took(2, "QS", "2S"), played(2, "3H"))
    assert traced({}, facts) == {"trick": (("3H", 2),)}


def test_a_new_deal_begins_anew() -> None:
    """A new deal clears the origins."""
    assert traced({}, (played(2, "QS"), Fact("deal_laid", {}, (Lay({"deck": 3}),)))) == {}


def test_what_moves_unseen_or_between_seats_has_no_origin() -> None:
    """Backs, and cards moved between players, have no origin."""
    moves = (
        Move("hand/1", "talon", 2),
        Move("hand/1", "hand/2", ("QS",)),
        Move("deck", "trick", ("2C",)),
        Set("turn", (1,)),
    )
    assert traced({}, (Fact("moved", {}, moves),)) == {}


def test_names_of_zones_have_parts() -> None:
    """A missing or non-numeric part of a zone's name is None."""
    assert (kind_of("column/2/5"), seat_of("column/2/5"), slot_of("column/2/5")) == (
        "column",
        2,
        "5",
    )
    assert (seat_of("trick"), seat_of("bid/x"), slot_of("hand/1")) == (None, None, "")
