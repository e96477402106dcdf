"""Cards passed hidden: four seats that answer one question, each in its own time."""

from random import Random

from engine.choices import random_action
from engine.facts import SPECTATOR, AddressedFact, Viewer, seen_by
from protocol.to_server import Act, Join, Leave, Start, TableSettings
from server.table.effects import Publish
from server.table.entries import Acted, By
from server.table.messages import question_for, snapshot_for
from tests.server.table.harness import TableHarness

PEOPLE = ("ann", "bea", "cid", "dan")


def passing(people: int = 4, **settings: int) -> TableHarness:
    """A table at which people, and bots in the other seats, are to pass cards."""
    table = TableHarness("hearts", 4, options={"target": 1}, settings=TableSettings(**settings))
    for who in PEOPLE[1:people]:
        table.ask(who, Join)
    table.ask("ann", Start, fill=0)
    return table


def chosen(table: TableHarness, who: str, seed: int = 1) -> str:
    """Three cards of a player's hand."""
    seat = table.state.seat_of(who)
    assert seat is not None
    return random_action(table.game.choices(table.state.play, seat), Random(seed))


def made_by(table: TableHarness) -> list[tuple[int, By]]:
    """The seats that have passed so far, and who chose for each."""
    moves = [entry.body for entry in table.log if isinstance(entry.body, Acted)]
    return [(body.seat, body.by) for body in moves if body.action.startswith("pass")]


def cards_told(facts: tuple[AddressedFact, ...], viewer: Viewer) -> set[str]:
    """Every card that is named anywhere in what a viewer is sent."""
    words = repr(seen_by(facts, viewer)).replace("'", " ").split()
    return {word for word in words if len(word) == 2 and word[1] in "CDSH"}


def test_four_choices_in_any_order_are_one_turn() -> None:
    """Four passes in any order are one turn, after which one seat leads."""
    table = passing()
    for who, left in (("cid", (0, 1, 3)), ("ann", (1, 3)), ("dan", (1,))):
        assert table.ask(who, Act, turn=1, action=chosen(table, who))["type"] == "ok"
        assert (table.state.turn, table.state.to_act) == (1, left)
        table.check()
    table.ask("bea", Act, turn=1, action=chosen(table, "bea"))
    assert table.state.turn == 2
    assert len(table.state.to_act) == 1
    table.check()


def test_a_choice_that_was_made_stands() -> None:
    """A player who has passed cannot choose again."""
    table = passing()
    first = chosen(table, "bea", 1)
    table.ask("bea", Act, turn=1, action=first)
    assert table.refusal("bea", Act, turn=1, action=chosen(table, "ann", 2)) == "stale_turn"
    assert table.refusal("bea", Act, turn=1, action=first) == "stale_turn"
    assert not question_for(table.actor, 1, table.now).get("choices")
    assert question_for(table.actor, 0, table.now)["to_act"] == (0, 2, 3)


def test_others_learn_that_one_has_chosen_and_no_card() -> None:
    """The event of a choice names its cards only to its player."""
    table = passing()
    action = chosen(table, "bea")
    table.ask("bea", Act, turn=1, action=action)
    ((_, facts, _),) = table.last(Publish).steps
    assert cards_told(facts, 1) == set(action.split()[1:])
    for viewer in (SPECTATOR, 0, 2, 3):
        assert cards_told(facts, viewer) == set()


def test_when_all_have_chosen_each_is_told_what_they_gave_and_got() -> None:
    """After the last pass the cards are named to their givers and receivers only."""
    table = passing()
    passed = {}
    for seat, who in enumerate(PEOPLE):
        action = chosen(table, who)
        passed[seat] = set(action.split()[1:])
        table.ask(who, Act, turn=1, action=action)
    ((_, facts, _),) = table.last(Publish).steps
    exchange = tuple(fact for fact in facts if fact.verb == "cards_given")
    received = tuple(fact for fact in facts if fact.verb == "cards_received")
    for seat in range(4):
        assert cards_told(exchange, seat) == passed[seat]
        got = [fact.args for fact in seen_by(received, seat)]
        assert [args["giver"] for args in got] == [(seat - 1) % 4]
        assert set(str(got[0]["cards"]).split()) == passed[(seat - 1) % 4]
    assert cards_told(facts, SPECTATOR) == set()


def test_the_clock_chooses_for_those_alone_who_have_not() -> None:
    """When the clock runs out only missing passes are chosen for."""
    table = passing(turn_seconds=20)
    own = chosen(table, "cid")
    table.ask("cid", Act, turn=1, action=own)
    table.wait(20)
    assert sorted(ask.seat for ask in table.questions) == [0, 1, 3]
    table.ask("dan", Act, turn=1, action=chosen(table, "dan"))
    while table.questions:
        table.bot_moves()
    assert made_by(table) == [(2, "player"), (3, "player"), (0, "clock"), (1, "clock")]
    assert table.kinds.count("timed_out") == 2
    assert table.state.turn == 2
    table.check()


def test_bots_choose_beside_people() -> None:
    """Bots pass in their time and wait for the people."""
    table = passing(people=2)
    table.wait(1)
    while table.questions:
        table.bot_moves()
    assert table.state.to_act == (0, 1)
    table.wait(100)
    assert not table.questions
    table.check()


def test_a_stand_in_chooses_for_who_is_away() -> None:
    """A stand-in passes for an absent player, who plays on with the cards left."""
    table = passing()
    table.ask("ann", Act, turn=1, action=chosen(table, "ann"))
    table.disconnect("bea")
    table.wait(31)
    table.bot_moves()
    assert made_by(table) == [(0, "player"), (1, "stand_in")]
    table.reconnect("bea")
    assert table.standing_in() == []
    assert table.refusal("bea", Act, turn=1, action=chosen(table, "cid")) == "stale_turn"
    for who in ("cid", "dan"):
        table.ask(who, Act, turn=1, action=chosen(table, who))
    assert table.state.turn == 2
    table.check()


def test_a_player_who_is_back_in_time_chooses() -> None:
    """A player who returns in time passes themselves."""
    table = passing()
    table.disconnect("bea")
    table.ask("cid", Act, turn=1, action=chosen(table, "cid"))
    table.wait(31)
    assert table.standing_in() == [1]
    table.reconnect("bea")
    table.ask("bea", Act, turn=1, action=chosen(table, "bea"))
    while table.questions:
        table.bot_moves()
    assert made_by(table) == [(2, "player"), (1, "player")]
    assert table.state.to_act == (0, 3)
    table.check()


def test_a_seat_given_up_in_the_middle_is_played_by_a_bot() -> None:
    """A bot in a given-up seat passes, unless its player has."""
    table = passing()
    table.ask("bea", Act, turn=1, action=chosen(table, "bea"))
    for who in ("bea", "cid"):
        table.ask(who, Leave)
    table.wait(1)
    while table.questions:
        table.bot_moves()
    assert made_by(table) == [(1, "player"), (2, "bot")]
    assert table.state.to_act == (0, 3)
    table.check()


def test_a_snapshot_in_the_middle_shows_ones_own_choice() -> None:
    """A snapshot during passing shows one's own cards and others' backs."""
    table = passing()
    action = chosen(table, "bea")
    table.ask("bea", Act, turn=1, action=action)
    own = snapshot_for(table.actor, 1, table.now)["view"]["zones"]["passing/1"]
    assert set(own["cards"]) == set(action.split()[1:])
    for viewer in (SPECTATOR, 0, 2, 3):
        zone = snapshot_for(table.actor, viewer, table.now)["view"]["zones"]["passing/1"]
        assert zone == {"backs": 3}


def test_a_choice_that_could_not_be_stored_was_not_made() -> None:
    """If a pass could not be stored the player may choose again."""
    table = passing()
    table.broken = True
    answer = table.ask("bea", Act, turn=1, action=chosen(table, "bea", 1))
    assert answer["code"] == "try_again"
    assert table.state.to_act == (0, 1, 2, 3)
    table.repair()
    other = chosen(table, "bea", 2)
    assert table.ask("bea", Act, turn=1, action=other)["type"] == "ok"
    table.check()


def test_choices_that_arrive_together_all_count() -> None:
    """Passes that come during a write are all carried out."""
    table = passing()
    table.held = True
    keys = [table.send(who, Act, turn=1, action=chosen(table, who)) for who in PEOPLE]
    for _ in PEOPLE:
        table.commit()
    assert [table.answers[key][0]["type"] for key in keys] == ["ok"] * 4
    assert table.state.turn == 2
    table.check()
