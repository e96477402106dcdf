"""The only player of a table takes moves back."""

from random import Random

import pytest

from engine.choices import random_action
from engine.facts import SPECTATOR, seen_by
from protocol.to_server import Act, Join, Leave, Rematch, Start, Undo
from server.table import decide, undo
from server.table.effects import Answer, Notify, Publish, SendSnapshot
from server.table.entries import Undone
from server.table.errors import BadLog
from server.table.fold import replay
from server.table.messages import info_of, view_of
from server.table.undo import turns_of
from tests.server.table.harness import GAMES, TableHarness


def practice(game: str = "hearts", seats: int = 4, **options: object) -> TableHarness:
    """Ann alone with bots, in the first deal of a match."""
    table = TableHarness(game, seats, options=options)
    table.ask("ann", Start, fill=0)
    return table


def until_asked(table: TableHarness) -> None:
    """Let bots move until Ann is asked."""
    while table.phase() == "playing" and 0 not in table.state.to_act:
        table.wait(1)
        table.bot_moves()


def moves(table: TableHarness, times: int, rng: Random | None = None) -> list[int]:
    """Let Ann make this many moves; returns their turns."""
    turns = []
    for _ in range(times):
        until_asked(table)
        turns.append(table.state.turn)
        action = random_action(table.game.choices(table.state.play, 0), rng or Random(1))
        assert table.ask("ann", Act, turn=table.state.turn, action=action)["type"] == "ok"
    return turns


def shown(table: TableHarness) -> list[str]:
    """The spectators who were shown the table."""
    sent = [each for each in table.effects if isinstance(each, SendSnapshot)]
    return [each.player for each in sent if each.viewer == SPECTATOR]


def of_two_people(who: str) -> TableHarness:
    """A table whose match had a second person, with Ann alone again."""
    table = TableHarness("hearts", 4)
    table.ask("bea", Join)
    table.ask("ann", Start, fill=0)
    moves(table, 1)
    table.ask(who, Leave)
    return table


def test_the_deal_stands_as_it_did() -> None:
    """After an undo every seat has its old view and choices, under a new turn number."""
    table = practice()
    until_asked(table)
    moves(table, 2)
    until_asked(table)
    before = [view_of(table.actor, seat) for seat in (SPECTATOR, *range(4))]
    choices, turn = table.game.choices(table.state.play, 0), table.state.turn
    (last,) = moves(table, 1)
    until_asked(table)
    reached = table.state.turn
    assert table.ask("ann", Undo)["type"] == "ok"
    assert table.log[-1].body == Undone(0, last)
    assert [view_of(table.actor, seat) for seat in (SPECTATOR, *range(4))] == before
    assert table.game.choices(table.state.play, 0) == choices
    assert table.state.turn == reached + 1 > turn
    table.check()


def test_it_is_told_with_the_deal_so_far() -> None:
    """An undo tells that moves were taken back, then the deal from its beginning."""
    table = practice()
    moves(table, 1)
    at = table.kinds.index("dealt")
    until_asked(table)
    so_far = [fact for facts in table.facts[at:] for fact in seen_by(facts, 0)]
    moves(table, 1)
    table.ask("ann", Undo)
    undone, *again = seen_by(table.facts[-1], 0)
    assert (undone.verb, undone.args) == ("undone", {"seat": 0, "moves": 1})
    assert again == so_far
    assert again[0].verb == "deal_started"


def test_a_turn_of_the_deal_can_be_named() -> None:
    """Any turn of the deal in which the player has moved can be named."""
    table = practice()
    turns = moves(table, 4)
    assert table.ask("ann", Undo, turn=turns[1])["type"] == "ok"
    undone, *_ = seen_by(table.facts[-1], 0)
    assert undone.args["moves"] == 3
    for gone in turns[1:]:
        assert table.refusal("ann", Undo, turn=gone) == "nothing_to_undo"
    assert table.ask("ann", Undo)["type"] == "ok"
    assert table.log[-1].body == Undone(0, turns[0])
    assert table.refusal("ann", Undo) == "nothing_to_undo"
    table.check()


def test_another_way_is_played_from_there() -> None:
    """After two undos one line of play is left, which can be taken back next."""
    table = practice()
    for seed in range(4):
        moves(table, 3, Random(seed))
        table.ask("ann", Undo, turn=undo.turns_of(table.state.undo_points or (), 0)[1])
        table.check()
    moves(table, 14, Random(9))
    table.check()
    assert table.state.undone == 4


def test_a_turn_of_all_seats_begins_again() -> None:
    """After an undo of a simultaneous turn all seats are asked again."""
    table = practice("both_at_once", 3)
    (turn,) = moves(table, 1)
    table.wait(1)
    table.bot_moves()
    assert len(table.questions) == 1
    assert table.ask("ann", Undo, turn=turn)["type"] == "ok"
    assert table.state.to_act == table.state.asked == (0, 1, 2)
    table.check()


def test_a_bot_that_thinks_is_not_heard() -> None:
    """A bot's answer from before an undo is dropped."""
    table = practice("both_at_once", 2)
    moves(table, 1)
    table.wait(1)
    (asked,) = table.questions
    assert table.ask("ann", Undo)["type"] == "ok"
    entries = len(table.log)
    table.bot_moves()
    assert len(table.log) == entries
    table.wait(1)
    assert [ask.seat for ask in table.questions] == [1]
    assert table.questions[0].turn > asked.turn
    table.check()


def test_a_late_move_finds_its_turn_over() -> None:
    """A move for a turn that was taken back is refused."""
    table = practice()
    (turn,) = moves(table, 1)
    table.ask("ann", Undo)
    action = table.game.choices(table.state.play, 0).actions
    late = action[0] if action else "pass 2C 3C 4C"
    assert table.refusal("ann", Act, turn=turn, action=late) == "stale_turn"


def test_nothing_can_be_taken_back_before_a_move() -> None:
    """Undo before a move is refused with a code of its own."""
    table = practice()
    assert table.refusal("ann", Undo) == "nothing_to_undo"
    assert table.refusal("ann", Undo, turn=table.state.turn) == "nothing_to_undo"
    assert not table.state.practice


def test_a_deal_that_is_over_stays_as_it_is() -> None:
    """Moves of an earlier deal cannot be taken back."""
    table = practice("black_queen", 2, deals=2, columns=0)
    while table.state.play.number == 0:
        moves(table, 1)
        while table.state.play.number == 0 and 0 not in table.state.to_act:
            table.wait(1)
            table.bot_moves()
    assert table.refusal("ann", Undo) == "nothing_to_undo"
    moves(table, 2)
    assert table.ask("ann", Undo)["type"] == "ok"
    assert table.state.play.number == 1
    assert table.state.play.totals != (0, 0)
    table.check()


def test_a_finished_match_is_over() -> None:
    """A finished match cannot be taken back, and a rematch is no practice."""
    table = practice("both_at_once", 2, rounds=1)
    moves(table, 1)
    table.ask("ann", Undo)
    moves(table, 1)
    while table.phase() == "playing":
        table.wait(1)
        table.bot_moves()
    assert table.refusal("ann", Undo) == "wrong_phase"
    assert info_of(table.actor)["practice"]
    table.ask("ann", Rematch)
    table.ask("ann", Start)
    assert "practice" not in info_of(table.actor)
    table.check()


def test_the_match_is_for_practice_once_moves_were_taken_back() -> None:
    """After an undo the match is shown as practice."""
    table = practice()
    moves(table, 1)
    assert "practice" not in info_of(table.actor)
    table.ask("ann", Undo)
    assert info_of(table.actor)["practice"] is True


@pytest.mark.parametrize("gone", ["bea", "ann"])
def test_a_match_of_two_people_is_never_taken_back(gone: str) -> None:
    """A match of two people is never taken back, even after one left."""
    table = of_two_people(gone)
    (stays,) = {"ann", "bea"} - {gone}
    assert table.refusal(stays, Undo) == "forbidden"


def test_a_second_person_ends_it() -> None:
    """After a second person sat down nothing is taken back."""
    table = practice()
    moves(table, 2)
    table.ask("ann", Undo)
    table.ask("bea", Join)
    assert table.state.undo_points is None
    assert table.refusal("ann", Undo) == "forbidden"
    assert table.refusal("bea", Undo) == "forbidden"
    table.ask("bea", Leave)
    assert table.refusal("ann", Undo) == "forbidden"
    assert table.state.practice
    table.check()


def test_only_players_take_moves_back() -> None:
    """Only players take moves back."""
    assert practice().refusal("walter", Undo) == "not_seated"


def test_a_newcomer_learns_nothing_of_what_was_taken_back() -> None:
    """A newcomer is told nothing of what was taken back."""
    table = practice("black_queen", 3, columns=0)
    moves(table, 1)
    until_asked(table)
    moves(table, 1)
    table.ask("ann", Undo)
    known = table.actor.history.facts_of_deal("walter")
    line = [seen_by(moment.facts, SPECTATOR) for moment in table.state.undo_points or ()]
    assert list(known) == [fact for facts in line for fact in facts]
    for seat in range(3):
        assert list(table.actor.history.facts_for_seat(seat)) == [
            fact for moment in table.state.undo_points or () for fact in seen_by(moment.facts, seat)
        ]


class TestSpectators:
    """The log records a spectator before they see anything."""

    def test_the_first_spectator_is_noted(self) -> None:
        """After the first spectator nothing is taken back."""
        table = practice()
        moves(table, 1)
        table.watch("walter")
        assert table.kinds[-1] == "watched"
        assert table.last(SendSnapshot) == SendSnapshot("walter", SPECTATOR)
        assert table.refusal("ann", Undo) == "forbidden"
        table.watch("wilma")
        assert table.kinds.count("watched") == 1
        assert table.last(SendSnapshot) == SendSnapshot("wilma", SPECTATOR)
        table.check()

    def test_they_are_answered_with_the_table(self) -> None:
        """A spectator's command is answered, with the table, when the entry is stored."""
        table = practice()
        table.held = True
        key = table.watch("walter", asks=True)
        assert key is not None
        assert not table.answers[key]
        table.commit()
        (answer,) = table.answers[key]
        assert (answer["type"], answer["seq"]) == ("ok", table.state.seq)
        order = [type(effect) for effect in table.effects[-3:]]
        assert order == [Publish, Answer, SendSnapshot]

    def test_what_was_taken_back_first_is_not_shown(self) -> None:
        """A spectator who comes during an undo sees the table after it."""
        table = practice()
        moves(table, 1)
        table.held = True
        table.send("ann", Undo)
        table.watch("walter")
        assert not shown(table)
        table.commit()
        table.held = False
        table.repair()
        assert table.kinds[-2:] == ["undone", "watched"]
        table.check()

    def test_who_watches_first_keeps_what_they_saw(self) -> None:
        """An undo while a spectator comes is refused."""
        table = practice()
        moves(table, 1)
        table.held = True
        table.watch("walter")
        key = table.send("ann", Undo)
        table.repair()
        (answer,) = table.answers[key]
        assert answer["code"] == "forbidden"
        table.check()

    @pytest.mark.parametrize("asks", [True, False], ids=["a command", "resuming"])
    def test_a_broken_disk_shows_nothing(self, asks: bool) -> None:
        """If the entry cannot be stored the spectator sees nothing."""
        table = practice()
        table.broken = True
        key = table.watch("walter", asks)
        assert not shown(table)
        if key is not None:
            (answer,) = table.answers[key]
            assert answer["code"] == "try_again"
        else:
            told = table.last(Notify)
            assert (told.player, told.message["type"]) == ("walter", "closed")
        table.repair()
        table.watch("walter")
        assert table.kinds[-1] == "watched"

    @pytest.mark.parametrize("asks", [True, False], ids=["a command", "resuming"])
    def test_a_table_that_closes_is_not_shown(self, asks: bool) -> None:
        """If the table closes meanwhile the spectator's command is refused."""
        table = practice()
        table.held = True
        table.send("ann", Leave)
        key = table.watch("walter", asks)
        table.repair()
        assert not shown(table)
        if key is not None:
            (answer,) = table.answers[key]
            assert answer["code"] == "unknown_table"

    def test_a_match_that_is_watched_from_its_deal_on(self) -> None:
        """Spectators of the lobby are recorded when the match begins."""
        table = TableHarness("hearts", 4)
        table.actor.first_spectator.present = lambda: True
        table.ask("ann", Start, fill=0)
        assert table.kinds[-3:] == ["started", "watched", "dealt"]
        moves(table, 1)
        assert table.refusal("ann", Undo) == "forbidden"

    def test_a_match_of_several_people_needs_no_note(self) -> None:
        """A spectator of a match of several people needs no entry."""
        table = TableHarness("hearts", 4)
        table.actor.first_spectator.present = lambda: True
        table.ask("bea", Join)
        table.ask("ann", Start, fill=0)
        table.watch("walter")
        assert "watched" not in table.kinds

    def test_a_match_that_nobody_watches_any_more(self) -> None:
        """After a watched match the next one begins anew."""
        table = practice("both_at_once", 2, rounds=1)
        table.watch("walter")
        moves(table, 1)
        while table.phase() == "playing":
            table.wait(1)
            table.bot_moves()
        table.ask("ann", Rematch)
        table.ask("ann", Start)
        moves(table, 1)
        assert table.ask("ann", Undo)["type"] == "ok"
        table.check()


class TestLimits:
    def test_moves_are_taken_back_so_often_at_most(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The number of undos is limited."""
        monkeypatch.setattr(decide, "MOST_UNDONE", 2)
        table = practice()
        for _ in range(2):
            moves(table, 1)
            assert table.ask("ann", Undo)["type"] == "ok"
        moves(table, 1)
        assert table.refusal("ann", Undo) == "forbidden"

    def test_the_latest_moves_of_a_long_deal_are_taken_back(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Only the latest moves of a long deal can be taken back."""
        for module in (undo, decide):
            monkeypatch.setattr(module, "MOST_STATES", 6)
        table = practice("black_queen", 2, columns=0)
        turns = moves(table, 8)
        assert len(table.state.undo_points or ()) == 6
        assert table.refusal("ann", Undo, turn=turns[0]) == "nothing_to_undo"
        kept = turns_of(table.state.undo_points or (), 0)
        for turn in reversed(kept):
            assert table.ask("ann", Undo, turn=turn)["type"] == "ok"
        table.check()
        refused = table.ask("ann", Undo)
        assert (refused["code"], refused["phrase"]["code"]) == (
            "nothing_to_undo",
            "nothing_to_undo_of",
        )

    def test_a_deal_of_very_many_facts_is_not_taken_back(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A deal with very many facts cannot be taken back."""
        monkeypatch.setattr(undo, "MOST_STATES", 2)
        monkeypatch.setattr(undo, "MOST_FACTS", 5)
        table = practice("black_queen", 2, deals=2, columns=0)
        moves(table, 4)
        assert table.state.undo_points == ()
        assert table.refusal("ann", Undo) == "nothing_to_undo"
        while table.state.play.number == 0:
            until_asked(table)
            if table.state.play.number == 0:
                moves(table, 1)
            while table.state.play.number == 0 and 0 not in table.state.to_act:
                table.wait(1)
                table.bot_moves()
        assert table.state.undo_points


def test_a_log_that_goes_back_to_nowhere_is_damaged() -> None:
    """A log with an undo to an unknown turn is damaged."""
    table = practice()
    moves(table, 1)
    table.ask("ann", Undo)
    broken = [*table.log[:-1], table.log[-1]._replace(body=Undone(0, 99))]
    with pytest.raises(BadLog, match="turn 99"):
        list(replay(GAMES, broken))
