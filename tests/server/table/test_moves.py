"""Moves: whose turn it is, which question is answered, and simultaneous answers."""

from protocol.to_server import Act, Join, Start
from server.table.effects import Publish
from server.table.entries import Acted
from tests.server.table.harness import TableHarness


def playing(seats: int = 2, game: str = "both_at_once", **options: object) -> TableHarness:
    """A table in the middle of a match of ann, bea and perhaps cid."""
    table = TableHarness(game, seats, options=options)
    for who in ("bea", "cid")[: seats - 1]:
        table.ask(who, Join)
    table.ask("ann", Start)
    return table


def move(table: TableHarness, who: str, at: int = 0) -> str:
    seat = table.state.seat_of(who)
    assert seat is not None
    return table.game.choices(table.state.play, seat).actions[at]


def test_a_move_is_an_entry_and_its_answer_names_it() -> None:
    """The answer to `act` has the number of its entry."""
    table = playing()
    answer = table.ask("bea", Act, turn=1, action=move(table, "bea", 2))
    assert answer["seq"] == table.log[-1].seq
    assert table.log[-1].body == Acted(1, "lay 4C", "player")
    table.check()


def test_seats_asked_at_once_share_a_turn() -> None:
    """Players asked together answer one turn, in any order."""
    table = playing(seats=3)
    assert (table.state.turn, table.state.to_act) == (1, (0, 1, 2))
    table.ask("cid", Act, turn=1, action=move(table, "cid"))
    assert (table.state.turn, table.state.to_act) == (1, (0, 1))
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    assert (table.state.turn, table.state.to_act) == (1, (1,))
    table.ask("bea", Act, turn=1, action=move(table, "bea"))
    assert (table.state.turn, table.state.to_act) == (2, (0, 1, 2))
    table.check()


def test_an_unseen_choice_is_an_empty_event_for_the_others() -> None:
    """The event of a hidden choice is empty for the others."""
    table = playing()
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    ((seq, facts, _),) = table.last(Publish).steps
    assert seq == len(table.log)
    assert [fact.seen_by(0) for fact in facts] == [True]
    assert [fact.seen_by(1) for fact in facts] == [False]


def test_one_answers_a_question_once() -> None:
    """A second choice of a player in one turn is refused."""
    table = playing(seats=3)
    for who in ("ann", "cid"):
        table.ask(who, Act, turn=1, action=move(table, who))
        assert table.refusal(who, Act, turn=1, action=move(table, "bea")) == "stale_turn"
    table.ask("bea", Act, turn=1, action=move(table, "bea"))
    assert table.ask("ann", Act, turn=2, action=move(table, "ann"))["type"] == "ok"


def test_the_answer_to_an_old_question_is_refused() -> None:
    """A move for another turn is refused."""
    table = playing()
    first = move(table, "bea")
    table.ask("ann", Act, turn=1, action=move(table, "ann"))
    table.ask("bea", Act, turn=1, action=first)
    assert table.refusal("bea", Act, turn=1, action=move(table, "bea")) == "stale_turn"
    assert table.refusal("bea", Act, turn=3, action=move(table, "bea")) == "stale_turn"
    assert table.ask("bea", Act, turn=2, action=move(table, "bea"))["type"] == "ok"


def test_who_is_not_asked_may_not_move() -> None:
    """A player who is not asked may not move."""
    table = playing(game="black_queen", deals=1)
    (asked,) = table.state.to_act
    idle = "ann" if asked == 1 else "bea"
    assert table.refusal(idle, Act, turn=1, action="play 2C") == "not_your_turn"


def test_the_rules_refuse_with_the_engines_codes() -> None:
    """A text that is no action and an illegal action have different codes."""
    table = playing()
    state = table.state
    gone = move(table, "ann")
    assert table.refusal("ann", Act, turn=1, action="sing") == "bad_action"
    assert table.refusal("ann", Act, turn=1, action="lay AS") == "illegal_action"
    assert table.state is state
    table.ask("ann", Act, turn=1, action=gone)
    table.check()


def test_an_onlooker_may_not_move() -> None:
    """A move needs a seat."""
    table = playing()
    assert table.refusal("dan", Act, turn=1, action="lay 2C") == "not_seated"


def test_the_last_move_finishes_the_match() -> None:
    """The last move finishes the match."""
    table = playing(rounds=1)
    for who in ("ann", "bea"):
        table.ask(who, Act, turn=1, action=move(table, who))
    assert (table.phase(), table.state.to_act) == ("finished", ())
    assert table.refusal("ann", Act, turn=2, action="lay 2C") == "wrong_phase"
    table.check()
