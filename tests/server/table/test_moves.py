"""Moves: whose turn it is, which question is answered, and many answering the same one."""

from protocol.to_server import Act, Join, Start
from server.table.effects import Publish
from server.table.entries import Acted
from tests.server.table.room import Room


def playing(seats: int = 2, game: str = "both_at_once", **options: object) -> Room:
    """A room in the middle of a match of ann, bea and perhaps cid."""
    room = Room(game, seats, options=options)
    for who in ("bea", "cid")[: seats - 1]:
        room.say(who, Join)
    room.say("ann", Start)
    return room


def move(room: Room, who: str, at: int = 0) -> str:
    seat = room.state.seat_of(who)
    assert seat is not None
    return room.game.choices(room.state.play, seat).actions[at]


def test_a_move_is_an_entry_and_its_answer_names_it() -> None:
    """`act` is answered with the number of the entry it became."""
    room = playing()
    answer = room.say("bea", Act, turn=1, action=move(room, "bea", 2))
    assert answer["seq"] == room.log[-1].seq
    assert room.log[-1].body == Acted(1, "lay 4C", "player")
    room.check()


def test_seats_asked_at_once_share_a_turn() -> None:
    """Players asked together answer the same turn, in any order; then the turn moves on."""
    room = playing(seats=3)
    assert (room.state.turn, room.state.to_act) == (1, (0, 1, 2))
    room.say("cid", Act, turn=1, action=move(room, "cid"))
    assert (room.state.turn, room.state.to_act) == (1, (0, 1))
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    assert (room.state.turn, room.state.to_act) == (1, (1,))
    room.say("bea", Act, turn=1, action=move(room, "bea"))
    assert (room.state.turn, room.state.to_act) == (2, (0, 1, 2))
    room.check()


def test_an_unseen_choice_is_an_empty_event_for_the_others() -> None:
    """The entry has its number for everybody, and its facts for one."""
    room = playing()
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    ((seq, facts, _),) = room.last(Publish).steps
    assert seq == len(room.log)
    assert [fact.seen_by(0) for fact in facts] == [True]
    assert [fact.seen_by(1) for fact in facts] == [False]


def test_one_answers_a_question_once() -> None:
    """A second choice in the same turn comes too late, though the turn is on for the others."""
    room = playing(seats=3)
    for who in ("ann", "cid"):
        room.say(who, Act, turn=1, action=move(room, who))
        assert room.refusal(who, Act, turn=1, action=move(room, "bea")) == "stale_turn"
    room.say("bea", Act, turn=1, action=move(room, "bea"))
    assert room.say("ann", Act, turn=2, action=move(room, "ann"))["type"] == "ok"


def test_the_answer_to_an_old_question_is_refused() -> None:
    """A move that was meant for another turn is not taken for this one."""
    room = playing()
    first = move(room, "bea")
    room.say("ann", Act, turn=1, action=move(room, "ann"))
    room.say("bea", Act, turn=1, action=first)
    assert room.refusal("bea", Act, turn=1, action=move(room, "bea")) == "stale_turn"
    assert room.refusal("bea", Act, turn=3, action=move(room, "bea")) == "stale_turn"
    assert room.say("bea", Act, turn=2, action=move(room, "bea"))["type"] == "ok"


def test_who_is_not_asked_may_not_move() -> None:
    """In a game of turns the others wait."""
    room = playing(game="black_queen", deals=1)
    (asked,) = room.state.to_act
    idle = "ann" if asked == 1 else "bea"
    assert room.refusal(idle, Act, turn=1, action="play 2C") == "not_your_turn"


def test_the_rules_refuse_with_the_engines_codes() -> None:
    """A text that is no action and a forbidden action get different codes; the state stays."""
    room = playing()
    state = room.state
    gone = move(room, "ann")
    assert room.refusal("ann", Act, turn=1, action="sing") == "bad_action"
    assert room.refusal("ann", Act, turn=1, action="lay AS") == "illegal_action"
    assert room.state is state
    room.say("ann", Act, turn=1, action=gone)
    room.check()


def test_an_onlooker_may_not_move() -> None:
    """A move needs a seat."""
    room = playing()
    assert room.refusal("dan", Act, turn=1, action="lay 2C") == "not_seated"


def test_the_last_move_finishes_the_match() -> None:
    """The phase follows from the game's outcome, and nobody is asked any more."""
    room = playing(rounds=1)
    for who in ("ann", "bea"):
        room.say(who, Act, turn=1, action=move(room, who))
    assert (room.phase(), room.state.to_act) == ("finished", ())
    assert room.refusal("ann", Act, turn=2, action="lay 2C") == "wrong_phase"
    room.check()
