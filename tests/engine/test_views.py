"""Facts, their audiences, and the fold that turns them into views."""

import pytest

from engine import EMPTY_VIEW, SPECTATOR, Fact, View, Zone, fold
from engine.facts import (
    Change,
    Lay,
    Move,
    Set,
    Show,
    addressed,
    all_public,
    only,
    private,
    public,
    seen_by,
    to_others,
)
from engine.views import BadFold, for_people


def after(*changes: Change, view: View = EMPTY_VIEW) -> View:
    return fold([Fact("happened", changes=changes)], view)


def test_an_audience_is_exactly_whom_it_names() -> None:
    """An audience contains exactly the named viewers; `others` are all who are not named."""
    facts = (
        public("a"),
        addressed(only(0, SPECTATOR), "b"),
        to_others(1, "c"),
        private(1, "d"),
        to_others((0, 2), "e"),
    )
    told = {
        viewer: "".join(fact.verb for fact in seen_by(facts, viewer)) for viewer in range(-1, 3)
    }
    assert told == {SPECTATOR: "abce", 0: "abc", 1: "ade", 2: "ac"}


def test_facts_are_all_public_if_each_is_for_everybody() -> None:
    """Facts are all public only if each is for everybody; no facts at all are public."""
    assert all_public(())
    assert all_public((public("a"), public("b")))
    assert not all_public((public("a"), to_others(1, "b")))


def test_a_fact_is_told_without_its_audience() -> None:
    """A fact as told to a viewer is another type, without the audience."""
    made = private(1, "drawn", {"card": "QS"}, (Set("turn", 1),))
    assert seen_by((made,), 1) == (Fact("drawn", {"card": "QS"}, (Set("turn", 1),)),)
    assert (made.verb, made.args, made.changes) == ("drawn", {"card": "QS"}, (Set("turn", 1),))
    assert made.seen_by(1)
    assert not made.seen_by(0)


def test_laying_the_table_replaces_all_zones() -> None:
    """Laying the table replaces all zones and keeps the values."""
    view = after(Set("deal", 1), Lay({"deck": 3, "trick": 0}))
    view = after(Lay({"deck": 2}), view=view)
    assert view == View({"deck": Zone(backs=2)}, {"deal": 1})


def test_backs_move_as_backs() -> None:
    """Backs that move stay a plain count in both zones."""
    view = after(Lay({"deck": 3, "hand/0": 0}), Move("deck", "hand/0", 2))
    assert view.zones == {"deck": Zone(backs=1), "hand/0": Zone(backs=2)}


def test_named_cards_arrive_face_up_at_the_end() -> None:
    """Named cards leave a zone as backs where unseen, and arrive on top of the new zone."""
    view = after(Lay({"deck": 2, "trick": 0}), Move("deck", "trick", ("QS",)))
    view = after(Move("deck", "trick", ("2C",)), view=view)
    assert view.zones == {"deck": Zone(), "trick": Zone(("QS", "2C"))}


def test_named_cards_leave_as_the_faces_they_were() -> None:
    """Removing one of two equal faces leaves the other and the backs."""
    view = View({"column": Zone(("QS", "QS"), backs=1), "trick": Zone()})
    moved = after(Move("column", "trick", ("QS",)), view=view)
    assert moved.zones == {"column": Zone(("QS",), backs=1), "trick": Zone(("QS",))}


def test_named_cards_can_be_put_away_hidden() -> None:
    """Cards known on leaving a zone can arrive as backs."""
    view = View({"hand": Zone(("QS", "2C")), "passed": Zone()})
    moved = after(Move("hand", "passed", ("QS",), hidden=True), view=view)
    assert moved.zones == {"hand": Zone(("2C",)), "passed": Zone(backs=1)}
    moved = after(Move("passed", "hand", 1, hidden=True), view=moved)
    assert moved.zones == {"hand": Zone(("2C",), backs=1), "passed": Zone()}


def test_backs_turn_out_to_be_cards() -> None:
    """Showing a card replaces a back of its zone."""
    view = after(Show("column", ("QS",)), view=View({"column": Zone(backs=2)}))
    assert view.zones == {"column": Zone(("QS",), backs=1)}


def test_values_are_set_and_taken_away() -> None:
    """Setting a value to None removes its key, also one that is not there."""
    view = after(Set("turn", (1,)), Set("trump", "S"), Set("trump", None), Set("bid", None))
    assert view.values == {"turn": (1,)}


@pytest.mark.parametrize(
    "change",
    [
        Move("deck", "trick", 2),
        Move("deck", "trick", ("QS", "2C")),
        Move("nowhere", "trick", 1),
        Move("deck", "nowhere", 1),
        Show("deck", ("QS", "2C")),
        Show("nowhere", ("QS",)),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: Change) -> None:
    """A change that does not fit the view is refused: too many cards, or unknown zones."""
    with pytest.raises(BadFold):
        after(change, view=View({"deck": Zone(backs=1), "trick": Zone()}))


def test_folding_leaves_the_old_view_alone() -> None:
    """Folding facts leaves the old view unchanged."""
    view = View({"deck": Zone(backs=1), "trick": Zone()}, {"deal": 1})
    after(Move("deck", "trick", 1), Set("deal", 2), view=view)
    assert view == View({"deck": Zone(backs=1), "trick": Zone()}, {"deal": 1})


def test_a_zone_counts_cards_and_backs() -> None:
    """The length of a zone is its number of cards, backs included."""
    assert len(Zone(("QS",), backs=2)) == 3


def test_cards_of_a_zone_are_found_by_kind_and_owner() -> None:
    """Cards of a zone are found by kind and owner; an unknown zone has none."""
    view = View({"trick": Zone(("QS",)), "hand/1": Zone(("2C",))})
    assert view.cards("trick") == ("QS",)
    assert view.cards("hand", 1) == ("2C",)
    assert view.cards("hand", 2) == ()


def test_numbers_of_a_view_are_found_by_key() -> None:
    """Reading a number from a view raises an error if the value is no number."""
    view = View(values={"deal": 3, "trump": "S"})
    assert view.number("deal") == 3
    with pytest.raises(TypeError, match="trump is 'S'"):
        view.number("trump")
    with pytest.raises(KeyError):
        view.number("bid")


def test_a_missing_number_may_have_a_value() -> None:
    """A default replaces a missing number, but not a value of another type."""
    view = View(values={"deal": 3, "trump": "S"})
    assert view.number("deal", 1) == 3
    assert view.number("bid", -1) == -1
    with pytest.raises(TypeError, match="trump is 'S'"):
        view.number("trump", 0)


def test_people_are_spared_what_only_bots_need() -> None:
    """The version for people drops what only bots need, and its facts still fold to its view."""
    kept, internal = Set("score/0", 2), Set("play/state", (1, 2))
    fact = Fact("table_changed", {}, (kept, internal))
    assert for_people(fact) == Fact("table_changed", {}, (kept,))
    assert fold([for_people(fact)]) == fold([fact]).for_people()
    plain = Fact("table_changed", {}, (Lay({"deck": 2}), kept))
    assert for_people(plain) is plain
