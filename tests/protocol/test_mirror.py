"""A table as a client sees it."""

from dataclasses import replace

import pytest

from engine.choices import NO_CHOICES, Choices
from engine.facts import Fact, Lay, Move, Set
from engine.labels import Label
from engine.layout import Layout, ZoneHint
from engine.views import Zone
from protocol.mirror import OutOfSync, TableMirror
from protocol.to_client import Event, Question, StrengthInfo
from tests.protocol.model_server import INFO, TABLE, ModelServer


def mirror(seat: int | None = 0) -> TableMirror:
    """A mirror of a table in the middle of its first deal."""
    server = ModelServer(seat=seat)
    for _ in range(3):
        server.happens()
    return server.truth()


def after(*facts: Fact, seat: int | None = 0) -> TableMirror:
    return mirror(seat).follow(Event(table=TABLE, seq=4, facts=facts))


class TestFollowing:
    def test_facts_change_the_view(self) -> None:
        """An event folds its facts into the view, and sets the mirror's number."""
        now = after(Fact("card_played", {}, (Move("deck", "pile", ("QS",)),)))
        assert now.seq == 4
        assert now.view.zones["pile"] == Zone(("c0", "c1", "c2", "QS"))
        assert now.facts[-1].verb == "card_played"

    def test_an_empty_event_only_counts(self) -> None:
        """An event without content changes only the number."""
        assert after() == replace(mirror(), seq=4)

    @pytest.mark.parametrize("seq", [2, 3, 5])
    def test_the_wrong_number(self, seq: int) -> None:
        """An event is accepted only if its number is the next one."""
        with pytest.raises(OutOfSync, match=f"event {seq} comes after event 3"):
            mirror().follow(Event(table=TABLE, seq=seq))

    def test_facts_that_do_not_fit(self) -> None:
        """A change that does not fit the view raises that events were missed."""
        with pytest.raises(OutOfSync, match="event 4 does not fit"):
            after(Fact("x", {}, (Move("nowhere", "pile", 1),)))

    def test_a_new_deal_starts_from_nothing(self) -> None:
        """A new deal replaces the facts and view of the last deal."""
        last = Fact("card_played", {}, (Set("stale", True),))
        start = Fact("deal_started", {"deal": 2}, (Lay({"deck": 5}), Set("deal", 2)))
        first = Fact("card_played", {}, (Move("deck", "deck", 1),))
        now = after(last, start, first)
        assert now.facts == (start, first)
        assert now.view.zones == {"deck": Zone(backs=5)}
        assert now.view.values == {"deal": 2}

    def test_info_and_question_stay_until_they_change(self) -> None:
        """Table info and prompt stay unless an event mentions them."""
        info = INFO.model_copy(update={"phase": "finished"})
        question = Question(turn=9, to_act=(0,))
        now = mirror().follow(Event(table=TABLE, seq=4, info=info, question=question))
        assert (now.info, now.question) == (info, question)
        later = now.follow(Event(table=TABLE, seq=5))
        assert (later.info, later.question) == (info, question)

    @pytest.mark.parametrize(
        ("seat", "moved", "now"),
        [(0, {"seat": 0, "to": 2}, 2), (1, {"seat": 0, "to": 2}, 1), (None, {"seat": 0}, None)],
    )
    def test_moving_to_another_seat(
        self, seat: int | None, moved: dict[str, int], now: int | None
    ) -> None:
        """A player who moves to another seat is then there, and the others stay."""
        assert after(Fact("player_moved", moved), seat=seat).seat == now

    def test_a_move_to_nowhere(self) -> None:
        """A move without a target seat changes nothing."""
        assert after(Fact("player_moved", {"seat": 0})).seat == 0


class TestAsking:
    def test_my_turn(self) -> None:
        """It is my turn if my seat is to move, and never for a spectator."""
        question = Event(table=TABLE, seq=4, question=Question(turn=1, to_act=(0, 2)))
        assert [mirror(seat).follow(question).my_turn for seat in (0, 1, 2, None)] == [
            True,
            False,
            True,
            False,
        ]

    def test_choices(self) -> None:
        """A player who is not to move has no choices."""
        choices = Choices(("play QS",))
        asked = mirror().follow(
            Event(table=TABLE, seq=4, question=Question(turn=1, to_act=(0,), choices=choices))
        )
        assert asked.choices == choices
        assert mirror().choices == NO_CHOICES

    def test_a_stand_in(self) -> None:
        """The mirror tells whether a bot stands in for our own seat."""
        played = INFO.seats[0].model_copy(update={"stand_in": True})
        info = INFO.model_copy(update={"seats": (played, *INFO.seats[1:])})
        assert [replace(mirror(seat), info=info).stand_in for seat in (0, 1)] == [True, False]
        for seat in (None, 9):
            assert not replace(mirror(), info=info, seat=seat).stand_in

    def test_names(self) -> None:
        """Names are listed in the order of the seats."""
        assert mirror().names == ("Ann", "Bob", "Cid")

    def test_what_was_asked_for_stays(self) -> None:
        """Bot strengths and teams are kept when a new snapshot comes."""
        bots = (StrengthInfo(strength=1, levels=("easy",)),)
        teams = ((0, 2), (1, 3))
        snapshot = ModelServer(seat=0).snapshot()
        assert TableMirror.of(snapshot).bots == ()
        again = TableMirror.of(snapshot, replace(mirror(), bots=bots, teams=teams))
        assert (again.bots, again.teams) == (bots, teams)


def test_a_title_is_that_of_the_label_or_of_the_layout() -> None:
    """A title comes from the label, else from the layout, else from the name."""
    hints = Layout(zones=(ZoneHint("pit", "pile", "The pit"), ZoneHint("crib", "pile", "The crib")))
    here = replace(mirror(), labels=(Label("pit", "Snake pit"),), layout=hints)
    assert [here.title(kind) for kind in ("pit", "crib", "score_team", "best_of")] == [
        "Snake pit",
        "The crib",
        "score",
        "best of",
    ]
