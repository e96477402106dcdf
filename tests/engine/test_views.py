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
    """Seats and spectators are different viewers; everybody else is all who are not named."""
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
    """One that somebody is not told makes the difference; none at all is nobody's secret."""
    assert all_public(())
    assert all_public((public("a"), public("b")))
    assert not all_public((public("a"), to_others(1, "b")))


def test_a_fact_is_told_without_its_audience() -> None:
    """What is made and what is told are two types; the made one shows what it tells."""
    made = private(1, "drawn", {"card": "QS"}, (Set("turn", 1),))
    assert seen_by((made,), 1) == (Fact("drawn", {"card": "QS"}, (Set("turn", 1),)),)
    assert (made.verb, made.args, made.changes) == ("drawn", {"card": "QS"}, (Set("turn", 1),))
    assert made.seen_by(1)
    assert not made.seen_by(0)


def test_laying_the_table_replaces_all_zones() -> None:
    """What lay there before is gone, the values stay."""
    view = after(Set("deal", 1), Lay({"deck": 3, "trick": 0}))
    view = after(Lay({"deck": 2}), view=view)
    assert view == View({"deck": Zone(backs=2)}, {"deal": 1})


def test_backs_move_as_backs() -> None:
    """A plain count of cards is all that is known of them before and after."""
    view = after(Lay({"deck": 3, "hand/0": 0}), Move("deck", "hand/0", 2))
    assert view.zones == {"deck": Zone(backs=1), "hand/0": Zone(backs=2)}


def test_named_cards_arrive_face_up_at_the_end() -> None:
    """They leave a zone as backs where nobody had seen them, and lie on what was there."""
    view = after(Lay({"deck": 2, "trick": 0}), Move("deck", "trick", ("QS",)))
    view = after(Move("deck", "trick", ("2C",)), view=view)
    assert view.zones == {"deck": Zone(), "trick": Zone(("QS", "2C"))}


def test_named_cards_leave_as_the_faces_they_were() -> None:
    """One of two equal faces goes, the backs below stay."""
    view = View({"column": Zone(("QS", "QS"), backs=1), "trick": Zone()})
    moved = after(Move("column", "trick", ("QS",)), view=view)
    assert moved.zones == {"column": Zone(("QS",), backs=1), "trick": Zone(("QS",))}


def test_named_cards_can_be_put_away_hidden() -> None:
    """Known on leaving, they arrive as backs."""
    view = View({"hand": Zone(("QS", "2C")), "passed": Zone()})
    moved = after(Move("hand", "passed", ("QS",), hidden=True), view=view)
    assert moved.zones == {"hand": Zone(("2C",)), "passed": Zone(backs=1)}
    moved = after(Move("passed", "hand", 1, hidden=True), view=moved)
    assert moved.zones == {"hand": Zone(("2C",), backs=1), "passed": Zone()}


def test_backs_turn_out_to_be_cards() -> None:
    """A shown card was one of the backs of its zone."""
    view = after(Show("column", ("QS",)), view=View({"column": Zone(backs=2)}))
    assert view.zones == {"column": Zone(("QS",), backs=1)}


def test_values_are_set_and_taken_away() -> None:
    """None removes a key, also one that is not there."""
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
    """Something was missed: more cards than there are, or zones nobody laid."""
    with pytest.raises(BadFold):
        after(change, view=View({"deck": Zone(backs=1), "trick": Zone()}))


def test_folding_leaves_the_old_view_alone() -> None:
    """A view is a value."""
    view = View({"deck": Zone(backs=1), "trick": Zone()}, {"deal": 1})
    after(Move("deck", "trick", 1), Set("deal", 2), view=view)
    assert view == View({"deck": Zone(backs=1), "trick": Zone()}, {"deal": 1})


def test_a_zone_counts_cards_and_backs() -> None:
    """Its length is how many cards lie there."""
    assert len(Zone(("QS",), backs=2)) == 3


def test_cards_of_a_zone_are_found_by_kind_and_owner() -> None:
    """A zone that is not there holds no cards."""
    view = View({"trick": Zone(("QS",)), "hand/1": Zone(("2C",))})
    assert view.cards("trick") == ("QS",)
    assert view.cards("hand", 1) == ("2C",)
    assert view.cards("hand", 2) == ()


def test_numbers_of_a_view_are_found_by_key() -> None:
    """Anything but a number is an error rather than a wrong number."""
    view = View(values={"deal": 3, "trump": "S"})
    assert view.number("deal") == 3
    with pytest.raises(TypeError, match="trump is 'S'"):
        view.number("trump")
    with pytest.raises(KeyError):
        view.number("bid")


def test_a_missing_number_may_have_a_value() -> None:
    """It stands for nothing, and not for another kind of value."""
    view = View(values={"deal": 3, "trump": "S"})
    assert view.number("deal", 1) == 3
    assert view.number("bid", -1) == -1
    with pytest.raises(TypeError, match="trump is 'S'"):
        view.number("trump", 0)


def test_people_are_spared_what_only_bots_need() -> None:
    """Of a view and of a fact; everything else stays, and the facts still add up to the view."""
    kept, internal = Set("score/0", 2), Set("play/state", (1, 2))
    fact = Fact("table_changed", {}, (kept, internal))
    assert for_people(fact) == Fact("table_changed", {}, (kept,))
    assert fold([for_people(fact)]) == fold([fact]).for_people()
    plain = Fact("table_changed", {}, (Lay({"deck": 2}), kept))
    assert for_people(plain) is plain
