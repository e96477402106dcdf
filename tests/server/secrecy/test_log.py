"""The log of a table tells each player what they could see, and no more during the match.

Two worlds that look alike to a player are told alike, whatever seat they ask for; and every game
that reveals a secret on purpose is detected.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine import SPECTATOR, Catalogue
from engine.facts import seen_by
from protocol.to_server import TableSettings
from server.table.clocks import Clocks, Timing
from server.table.entries import Acted, Body, Dealt, Entry, Left, Opened, Seated, Started
from server.table.fold import advance, open_table, replay
from server.table.log_view import NOBODY, LogView, ViewedEntry
from tests.conformance.faults import Faults
from tests.counts import count
from tests.games.catalogue import BROKEN
from tests.server.secrecy.two_worlds import AnySubject, ScriptedPair, pair_of

PAIRS = 3
"""So many are compared of each game."""
LEAKS = [
    pytest.param(faults, leaky, id=f"{game}-{leaky.__name__}")
    for game, faults in BROKEN.items()
    for leaky in faults.leaky[:1]
]


def log_view_of(pair: ScriptedPair, at: int, **settings: Any) -> LogView:
    """The past of a table with one of the worlds, with one player a seat."""
    world = pair.worlds[at]
    setup, info = world.setup, world.game.info
    chosen = TableSettings(**settings)
    opened = Opened(info.id, info.version, setup.seats, dict(setup.options), chosen)
    bodies: list[Body] = [opened]
    bodies += [Seated(seat, f"p{seat}", f"P{seat}") for seat in range(setup.seats)]
    bodies += [Started(), Dealt(setup.shuffler.seed.hex())]
    bodies += [Acted(turn.seat, turn.actions[at]) for turn, _ in pair.script]
    log_view = LogView("TABLE", world.game, open_table(world.game, opened), Clocks(Timing()))
    log = [Entry(seq, float(seq), body) for seq, body in enumerate(bodies, start=1)]
    for entry, advanced in replay(Catalogue((world.game,)), log):
        log_view.add(entry, advanced)
    return log_view


def reader(pair: ScriptedPair) -> str:
    """The player who is the viewer of the pair, without a seat if that is a spectator."""
    return "walter" if pair.viewer == SPECTATOR else f"p{pair.viewer}"


def all_told(log_view: LogView, player: str) -> Iterator[list[ViewedEntry]]:
    """Everything that a player can ask for."""
    for seat in (None, *range(len(log_view.state.chairs))):
        yield list(log_view.told(player, seat, 0))


def going_on(subject: AnySubject) -> Iterator[ScriptedPair]:
    """Pairs of worlds in which the match is still in play."""
    pairs = (pair_of(subject, number) for number in range(1000))
    return (pair for pair in pairs if log_view_of(pair, 0).state.phase == "playing")


@pytest.mark.parametrize("game", BROKEN)
def test_worlds_that_look_alike_are_told_alike(game: str) -> None:
    """Logs of worlds that look alike to a player are equal, for whatever seat."""
    for pair in islice(going_on(BROKEN[game].subject(None)), count(PAIRS)):
        one, two = (log_view_of(pair, at) for at in (0, 1))
        who = reader(pair)
        assert list(all_told(one, who)) == list(all_told(two, who))
        for told in all_told(one, who):
            facts = [fact for entry in told for fact in entry.facts]
            steps = pair._steps(0)
            seen = [fact for step in steps for fact in seen_by(step.facts, pair.viewer)]
            assert facts[-len(seen) :] == seen


@pytest.mark.parametrize(("faults", "leaky"), LEAKS)
def test_a_game_that_leaks_by_facts_is_told_differently(faults: Faults, leaky: type[Any]) -> None:
    """The logs differ for a game that tells a viewer too much."""
    for pair in islice(going_on(faults.subject(leaky())), count(4)):
        views = [[seen_by(step.facts, pair.viewer) for step in pair._steps(at)] for at in (0, 1)]
        logs = [list(all_told(log_view_of(pair, at), reader(pair))) for at in (0, 1)]
        assert (views[0] == views[1]) == (logs[0] == logs[1])


@pytest.mark.parametrize("watchable", [True, False])
def test_a_match_that_is_over_lies_open_if_it_could_be_watched(watchable: bool) -> None:
    """A finished watchable match is open to all; otherwise each player has their own log."""
    subject = BROKEN["schnapsen"].subject(None)
    pairs = (pair_of(subject, number) for number in range(1000))
    pair = next(pair for pair in pairs if log_view_of(pair, 0).state.phase == "finished")
    log_view = log_view_of(pair, 0, watchable=watchable)
    assert log_view.is_shut("walter") != watchable
    for who in ("walter", "p0"):
        for seat in (0, 1):
            told = list(log_view.told(who, seat, 0))
            match = [entry for entry in told if entry.seq > 4]
            own = NOBODY if who == "walter" else 0
            assert {entry.viewer for entry in match} == {seat if watchable else own}
    hands = {
        repr([fact.changes for entry in log_view.told("p0", seat, 0) for fact in entry.facts])
        for seat in (0, 1)
    }
    assert len(hands) == (2 if watchable else 1)


@pytest.mark.parametrize("watchable", [True, False])
def test_a_match_that_is_on_is_open_to_nobody(watchable: bool) -> None:
    """During a match strangers are told what spectators see, or nothing, and players their seat."""
    pair = next(going_on(BROKEN["whist"].subject(None)))
    log_view = log_view_of(pair, 0, watchable=watchable)
    for seat in (None, 0, 1):
        walter = {entry.viewer for entry in log_view.told("walter", seat, 0)}
        assert walter == {SPECTATOR if watchable else NOBODY}
        mine = {entry.viewer for entry in log_view.told("p1", seat, 3)}
        assert mine == {1}


def test_who_got_up_learns_no_more_than_they_saw() -> None:
    """A player who got up is told what spectators saw from then on."""
    pair = next(going_on(BROKEN["hearts"].subject(None)))
    log_view = log_view_of(pair, 0)
    seq = len(log_view) + 1
    world = pair.worlds[0]
    entry = Entry(seq, 99.0, Left(1, strength=0, bot="Bot"))
    log_view.add(entry, advance(world.game, log_view.state, (entry,)))
    *_, left = log_view.told("p1", None, 0)
    assert (left.viewer, left.then) == (1, SPECTATOR)
    assert left.view == world.game.view(log_view.state.play, SPECTATOR)
    assert log_view.viewer(seq, "p1", 1) == SPECTATOR
    assert log_view.viewer(seq - 1, "p1", 1) == 1
