"""The addresses of the tables that a client follows."""

from protocol.table_places import MOST_MOVES, TablePlaces, leads_away
from protocol.texts import LANGUAGES, speaking, worded
from protocol.to_client import TableMoved

ENTRY, NODE = "wss://cards.example", "wss://cards.example/n/b"


def test_a_table_is_at_the_entry_until_it_is_said_to_be_elsewhere() -> None:
    """A table is at the entry until it moves, and again once it is forgotten."""
    places = TablePlaces(f"{ENTRY}/")
    assert places.of("PLUM") == places.of(None) == ENTRY
    places.put("PLUM", NODE)
    places.put("PEAR", NODE)
    assert places.of("PLUM") == NODE
    places.put("PEAR", ENTRY)
    assert places.of("PEAR") == ENTRY
    assert places.keep({"PLUM", "PEAR"}) == {NODE}
    assert places.keep({"PEAR"}) == set()
    assert places.of("PLUM") == ENTRY


def test_a_table_that_goes_to_and_fro_is_noticed() -> None:
    """A table that moves back and forth is noticed, until it answers or is forgotten."""
    places = TablePlaces(ENTRY)
    places.seen("PLUM")
    assert [places.moved("PLUM") for _ in range(MOST_MOVES + 2)] == [*[0] * MOST_MOVES, 1, 2]
    places.seen("PLUM")
    assert places.moved("PLUM") == 0
    for _ in range(MOST_MOVES):
        places.moved("PLUM")
    places.keep(frozenset())
    assert places.moved("PLUM") == 0


def test_only_the_own_server_is_followed() -> None:
    """A move is followed only to valid addresses of the own server."""
    places = TablePlaces(ENTRY)
    assert places.may_be(f"{NODE}/")
    assert not places.may_be("wss://elsewhere.example/")
    assert not places.may_be(NODE + "x" * 300)


def test_why_another_server_is_not_followed() -> None:
    """The reason for not following a move is in every language, and safe for terminals."""
    error = leads_away(TableMoved(id=3, table="PLUM", url="wss://elsewhere.example/\x1b[2J"))
    assert (error.id, error.code) == (3, "elsewhere")
    assert "\x1b" not in error.reason
    for language in LANGUAGES:
        with speaking(language):
            said = worded(error.phrase)
        assert said is not None
        assert "wss://elsewhere.example/" in said
        assert "\x1b" not in said
