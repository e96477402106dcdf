"""Cards passed unseen: four seats that answer one question, each in its own time."""

from random import Random

from engine.choices import random_action
from engine.facts import SPECTATOR, AddressedFact, Viewer, seen_by
from protocol.to_server import Act, Join, Leave, Start, TableSettings
from server.table.effects import Publish
from server.table.entries import Acted, By
from server.table.messages import question_for, snapshot_for
from tests.server.table.room import Room

PEOPLE = ("ann", "bea", "cid", "dan")


def passing(people: int = 4, **settings: int) -> Room:
    """A room in which some people, and bots in the other seats, are to pass cards."""
    room = Room("hearts", 4, options={"target": 1}, settings=TableSettings(**settings))
    for who in PEOPLE[1:people]:
        room.say(who, Join)
    room.say("ann", Start, fill=0)
    return room


def chosen(room: Room, who: str, seed: int = 1) -> str:
    """Three cards of somebody's hand."""
    seat = room.state.seat_of(who)
    assert seat is not None
    return random_action(room.game.choices(room.state.play, seat), Random(seed))


def made_by(room: Room) -> list[tuple[int, By]]:
    """The seats that have passed so far, and who chose for each."""
    moves = [entry.body for entry in room.log if isinstance(entry.body, Acted)]
    return [(body.seat, body.by) for body in moves if body.action.startswith("pass")]


def cards_told(facts: tuple[AddressedFact, ...], viewer: Viewer) -> set[str]:
    """Every card that is named anywhere in what a viewer is sent."""
    words = repr(seen_by(facts, viewer)).replace("'", " ").split()
    return {word for word in words if len(word) == 2 and word[1] in "CDSH"}


def test_four_choices_in_any_order_are_one_turn() -> None:
    """Each answers turn 1; the fourth answer ends it and somebody is asked to lead."""
    room = passing()
    for who, left in (("cid", (0, 1, 3)), ("ann", (1, 3)), ("dan", (1,))):
        assert room.say(who, Act, turn=1, action=chosen(room, who))["type"] == "ok"
        assert (room.state.turn, room.state.to_act) == (1, left)
        room.check()
    room.say("bea", Act, turn=1, action=chosen(room, "bea"))
    assert room.state.turn == 2
    assert len(room.state.to_act) == 1
    room.check()


def test_a_choice_that_was_made_stands() -> None:
    """A player who has chosen cannot choose again: for them the question is over."""
    room = passing()
    first = chosen(room, "bea", 1)
    room.say("bea", Act, turn=1, action=first)
    assert room.refusal("bea", Act, turn=1, action=chosen(room, "ann", 2)) == "stale_turn"
    assert room.refusal("bea", Act, turn=1, action=first) == "stale_turn"
    assert not question_for(room.table, 1, room.now).get("choices")
    assert question_for(room.table, 0, room.now)["to_act"] == (0, 2, 3)


def test_others_learn_that_one_has_chosen_and_no_card() -> None:
    """The event of a choice names its cards only to the player who made it."""
    room = passing()
    action = chosen(room, "bea")
    room.say("bea", Act, turn=1, action=action)
    ((_, facts, _),) = room.last(Publish).steps
    assert cards_told(facts, 1) == set(action.split()[1:])
    for viewer in (SPECTATOR, 0, 2, 3):
        assert cards_told(facts, viewer) == set()


def test_when_all_have_chosen_each_is_told_what_he_gave_and_what_he_got() -> None:
    """Cards go to the left; the event of the last choice names them to giver and receiver only."""
    room = passing()
    passed = {}
    for seat, who in enumerate(PEOPLE):
        action = chosen(room, who)
        passed[seat] = set(action.split()[1:])
        room.say(who, Act, turn=1, action=action)
    ((_, facts, _),) = room.last(Publish).steps
    exchange = tuple(fact for fact in facts if fact.verb == "cards_given")
    received = tuple(fact for fact in facts if fact.verb == "cards_received")
    for seat in range(4):
        assert cards_told(exchange, seat) == passed[seat]
        got = [fact.args for fact in seen_by(received, seat)]
        assert [args["giver"] for args in got] == [(seat - 1) % 4]
        assert set(str(got[0]["cards"]).split()) == passed[(seat - 1) % 4]
    assert cards_told(facts, SPECTATOR) == set()


def test_the_clock_chooses_for_those_alone_who_have_not() -> None:
    """One turn clock serves all; players who were in time keep their choices."""
    room = passing(turn_seconds=20)
    own = chosen(room, "cid")
    room.say("cid", Act, turn=1, action=own)
    room.wait(20)
    assert sorted(ask.seat for ask in room.asked) == [0, 1, 3]
    room.say("dan", Act, turn=1, action=chosen(room, "dan"))
    while room.asked:
        room.think()
    assert made_by(room) == [(2, "player"), (3, "player"), (0, "clock"), (1, "clock")]
    assert room.kinds.count("timed_out") == 2
    assert room.state.turn == 2
    room.check()


def test_bots_choose_beside_people() -> None:
    """Bots pass when their moment has come and wait for the people then."""
    room = passing(people=2)
    room.wait(1)
    while room.asked:
        room.think()
    assert room.state.to_act == (0, 1)
    room.wait(100)
    assert not room.asked
    room.check()


def test_a_stand_in_chooses_for_who_is_away() -> None:
    """After the grace period a bot passes; the player who comes back plays with the cards left."""
    room = passing()
    room.say("ann", Act, turn=1, action=chosen(room, "ann"))
    room.lose("bea")
    room.wait(31)
    room.think()
    assert made_by(room) == [(0, "player"), (1, "stand_in")]
    room.back("bea")
    assert room.standing_in() == []
    assert room.refusal("bea", Act, turn=1, action=chosen(room, "cid")) == "stale_turn"
    for who in ("cid", "dan"):
        room.say(who, Act, turn=1, action=chosen(room, who))
    assert room.state.turn == 2
    room.check()


def test_who_is_back_in_time_chooses_himself() -> None:
    """A player who returns during passing is still asked, though others have chosen."""
    room = passing()
    room.lose("bea")
    room.say("cid", Act, turn=1, action=chosen(room, "cid"))
    room.wait(31)
    assert room.standing_in() == [1]
    room.back("bea")
    room.say("bea", Act, turn=1, action=chosen(room, "bea"))
    while room.asked:
        room.think()
    assert made_by(room) == [(2, "player"), (1, "player")]
    assert room.state.to_act == (0, 3)
    room.check()


def test_a_seat_given_up_in_the_middle_is_played_by_a_bot() -> None:
    """A bot takes the seat over and passes; a choice made before stands."""
    room = passing()
    room.say("bea", Act, turn=1, action=chosen(room, "bea"))
    for who in ("bea", "cid"):
        room.say(who, Leave)
    room.wait(1)
    while room.asked:
        room.think()
    assert made_by(room) == [(1, "player"), (2, "bot")]
    assert room.state.to_act == (0, 3)
    room.check()


def test_a_snapshot_in_the_middle_shows_ones_own_choice() -> None:
    """Cards laid aside are seen by their owner; to the others they are three backs."""
    room = passing()
    action = chosen(room, "bea")
    room.say("bea", Act, turn=1, action=action)
    own = snapshot_for(room.table, 1, room.now)["view"]["zones"]["passing/1"]
    assert set(own["cards"]) == set(action.split()[1:])
    for viewer in (SPECTATOR, 0, 2, 3):
        zone = snapshot_for(room.table, viewer, room.now)["view"]["zones"]["passing/1"]
        assert zone == {"backs": 3}


def test_a_choice_that_could_not_be_stored_was_not_made() -> None:
    """If the disk fails, the player may choose again, and choose other cards."""
    room = passing()
    room.broken = True
    answer = room.say("bea", Act, turn=1, action=chosen(room, "bea", 1))
    assert answer["code"] == "try_again"
    assert room.state.to_act == (0, 1, 2, 3)
    room.repair()
    other = chosen(room, "bea", 2)
    assert room.say("bea", Act, turn=1, action=other)["type"] == "ok"
    room.check()


def test_choices_that_arrive_together_all_count() -> None:
    """While one choice is on its way to the disk the others wait, and none is lost."""
    room = passing()
    room.held = True
    keys = [room.send(who, Act, turn=1, action=chosen(room, who)) for who in PEOPLE]
    for _ in PEOPLE:
        room.commit()
    assert [room.answers[key][0]["type"] for key in keys] == ["ok"] * 4
    assert room.state.turn == 2
    room.check()
