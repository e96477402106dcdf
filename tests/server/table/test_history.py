"""What a player may be told of the past: by where they sat when it happened."""

from pathlib import Path

import pytest

from engine import SPECTATOR
from engine.facts import Fact, seen_by
from protocol.to_server import Act, AddBot, Join, Leave, Ready, Rematch, RemoveBot, Sit, Start
from server.table.entries import Seated
from server.table.history import MOST_BEFORE_MATCH
from tests.server.table.harness import TableHarness
from tests.type_errors import type_errors


def hands_named(facts: tuple[Fact, ...]) -> set[object]:
    """The seats whose hands were dealt face up."""
    return {
        fact.args["seat"]
        for fact in facts
        for change in fact.changes
        if fact.verb == "hand_dealt" and change.do == "move" and not isinstance(change.cards, int)
    }


def with_a_bot() -> TableHarness:
    """Ann at seat 0 and a bot at seat 1 in a match, to which Bea comes late."""
    table = TableHarness("black_queen", 2, options={"columns": 0, "deals": 1})
    table.ask("ann", AddBot, strength=0, seat=1)
    table.ask("ann", Start)
    return table


def play_on(table: TableHarness, moves: int) -> None:
    """Make this many moves by the players who are asked, or fewer if the match ends."""
    for _ in range(moves):
        if table.state.phase != "playing":
            return
        seat = table.state.to_act[0]
        chair = table.state.chairs[seat]
        if chair.kind == "bot":
            table.wait(60)
            table.bot_moves()
            continue
        action = table.game.choices(table.state.play, seat).actions[0]
        table.ask(chair.player, Act, turn=table.state.turn, action=action)


def test_a_latecomer_is_told_of_the_past_what_everybody_saw() -> None:
    """A latecomer is told what everybody saw of the past, and the bot's hand is not told."""
    table = with_a_bot()
    at_deal = table.state.seq
    table.ask("bea", Join)
    history = table.actor.history
    assert isinstance(table.log[-1].body, Seated)
    assert hands_named(history.facts_for_seat(1)) == {1}
    assert hands_named(history.facts_of_deal("bea")) == set()
    assert hands_named(history.facts_of_deal("ann")) == {0}
    assert history.facts_since(at_deal, "bea") is None


def test_a_latecomer_is_told_what_happens_from_then_on() -> None:
    """From the entry after they sat down a latecomer is told the seat's facts."""
    table = with_a_bot()
    table.ask("bea", Join)
    seated = table.state.seq
    play_on(table, 6)
    missed = table.actor.history.facts_since(seated, "bea")
    assert missed is not None
    assert [seq for seq, _ in missed] == list(range(seated + 1, table.state.seq + 1))
    assert [facts for _, facts in missed] == [seen_by(f, 1) for f in table.facts[seated:]]


def test_whoever_gets_up_and_comes_back_is_told_what_they_saw_themselves() -> None:
    """A player who came back is told what they saw themselves at each time."""
    table = with_a_bot()
    table.ask("bea", Join)
    seated = table.state.seq
    table.ask("ann", Leave)
    left = table.state.seq
    history = table.actor.history
    assert history.facts_since(left - 1, "ann") is None
    assert hands_named(history.facts_of_deal("ann")) == set()
    table.ask("ann", Join, seat=0)
    assert hands_named(history.facts_of_deal("ann")) == {0}
    assert history.facts_since(seated, "ann") is None
    assert [history.seat_at(seq, "ann") for seq in (seated, left, table.state.seq)] == [0, None, 0]


def test_a_new_seat_after_a_rematch_brings_no_facts_of_its_own() -> None:
    """A player who changes seats after a match is not told their new seat's facts."""
    table = with_a_bot()
    play_on(table, 1000)
    last = table.state.seq
    table.ask("ann", Rematch)
    table.ask("ann", RemoveBot, seat=1)
    table.ask("ann", Sit, seat=1)
    history = table.actor.history
    assert history.facts_since(last - 1, "ann") is None
    assert hands_named(history.facts_of_deal("ann")) == set()
    assert hands_named(history.facts_for_seat(1)) == {1}
    now = history.facts_since(table.state.seq, "ann")
    assert now == ()


def test_a_stranger_is_told_what_everybody_saw() -> None:
    """A stranger is told what everybody saw."""
    table = with_a_bot()
    at_deal = next(facts for facts in table.facts if facts and facts[0].verb == "deal_started")
    assert [*table.actor.history.facts_of_deal("walter")] == [*seen_by(at_deal, SPECTATOR)]


def test_no_more_is_told_one_by_one_than_was_asked_for() -> None:
    """The number of missed events is limited."""
    table = with_a_bot()
    play_on(table, 6)
    history, last = table.actor.history, table.state.seq
    assert len(history.facts_since(last - 3, "ann", 3) or ()) == 3
    assert history.facts_since(last - 4, "ann", 3) is None


def test_what_happens_before_a_match_is_not_remembered_for_ever() -> None:
    """What happens before a match is remembered only up to a limit."""
    table = TableHarness("black_queen", 2, options={"columns": 0, "deals": 1})
    for number in range(3 * MOST_BEFORE_MATCH):
        table.ask("ann", Ready, ready=number % 2 == 0)
    history, last = table.actor.history, table.state.seq
    assert len(history.steps()) <= MOST_BEFORE_MATCH
    assert history.facts_since(1, "ann", last) is None
    table.ask("ann", Start, fill=0)
    assert hands_named(history.facts_of_deal("ann")) == {0}


PREAMBLE = """
from server.table.history import History
from server.table.messages import past_facts

history: History
features: frozenset[str]
"""
RIGHT = 'past_facts(history.facts_of_deal("ann"), features)'
WRONG = {
    "past_facts(history.facts_for_seat(0), features)": 'type "SeatFacts"; expected "PlayerFacts"',
    "past_facts(history.steps()[0].facts, features)": 'expected "PlayerFacts"',
}


@pytest.mark.timeout(180)
def test_what_a_bot_is_given_cannot_be_sent(tmp_path: Path) -> None:
    """Facts for bots, filtered or not, cannot be sent as messages."""
    found = type_errors(tmp_path, PREAMBLE, [RIGHT, *WRONG])
    assert found[RIGHT] == []
    for line, words in WRONG.items():
        assert any(words in error for error in found[line]), found[line]
