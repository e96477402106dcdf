"""The log: every kind of entry survives writing, and bad logs are refused.

The machine in `test_machine` compares live tables with their replay; here are the edges.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts import Viewer, seen_by
from engine.views import fold
from protocol.to_server import Act, Join, Rematch, Start, TableSettings
from server.names import CommandKey
from server.store import EntryRow
from server.table.clocks import Clocks
from server.table.entries import (
    Acted,
    Body,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    Entry,
    HandedBack,
    Left,
    Moved,
    Opened,
    Paused,
    Readied,
    Reopened,
    Resumed,
    Seated,
    Started,
    TakenOver,
    TimedOut,
)
from server.table.errors import BadLog
from server.table.fold import replay
from server.table.history import History
from server.table.log_format import body_text, parse_body
from server.tables.rows import entry_of, entry_rows
from tests.server.table.harness import GAMES, TIMING, TableHarness
from tests.server.table.test_moves import playing

TEXT = st.text(max_size=20)
SEAT = st.integers(0, 7)
OPTIONS = st.dictionaries(TEXT, st.booleans() | st.integers(-100, 100) | TEXT, max_size=3)
SETTINGS = st.builds(TableSettings, private=st.booleans(), turn_seconds=st.integers(0, 100))
BODIES: st.SearchStrategy[Body] = st.one_of(
    st.builds(
        Opened,
        game=TEXT,
        version=SEAT,
        seats=SEAT,
        options=OPTIONS,
        settings=SETTINGS,
        seed=st.none() | TEXT,
    ),
    st.builds(Seated, SEAT, TEXT, TEXT),
    st.builds(Moved, SEAT, SEAT),
    st.builds(Left, SEAT, st.booleans(), st.none() | SEAT, TEXT),
    st.builds(BotAdded, SEAT, SEAT, TEXT),
    st.builds(BotRemoved, SEAT),
    st.builds(Readied, SEAT, st.booleans()),
    st.builds(Configured, OPTIONS, SETTINGS),
    st.builds(Started),
    st.builds(Dealt, TEXT, TEXT),
    st.builds(TakenOver, SEAT, SEAT),
    st.builds(HandedBack, SEAT),
    st.builds(TimedOut, SEAT),
    st.builds(Paused),
    st.builds(Resumed),
    st.builds(Reopened),
    st.builds(Closed, st.sampled_from(["left", "expired", "abandoned", "finished"])),
    st.builds(Acted, SEAT, TEXT, st.sampled_from(["player", "bot", "stand_in", "clock"])),
)
KEYS = st.none() | st.builds(CommandKey, TEXT, TEXT, SEAT)


@given(seq=st.integers(1, 1000), at=st.floats(0, 1e10), body=BODIES, key=KEYS)
def test_every_entry_survives_the_store(
    seq: int, at: float, body: Body, key: CommandKey | None
) -> None:
    """Every kind of entry is read back equal from its row."""
    entry = Entry(seq, at, body, key)
    (row,) = entry_rows("TABLE", (entry,))
    assert entry_of(row) == entry
    assert parse_body(body.kind, body_text(body)) == body


@pytest.mark.parametrize(
    ("kind", "text"),
    [("sung", "{}"), ("act", '{"seat": 0}'), ("act", "{"), ("seated", '{"seat": "x"}')],
)
def test_a_row_that_is_no_entry_is_refused(kind: str, text: str) -> None:
    """A row with unknown kind, wrong fields or broken JSON is a bad log."""
    with pytest.raises(BadLog):
        entry_of(EntryRow("TABLE", 1, kind, 0.0, text))


@pytest.mark.parametrize(
    "damage",
    [
        lambda log: log[1:],
        lambda log: [],
        lambda log: [log[0], *log[2:]],
        lambda log: [log[0], log[1], log[1]],
        lambda log: [log[0]._replace(body=replace(log[0].body, version=99)), *log[1:]],
    ],
    ids=["no beginning", "empty", "gap", "repeated", "other version"],
)
def test_what_is_no_log_of_ours_is_refused(
    damage: Callable[[Sequence[Entry]], Sequence[Entry]],
) -> None:
    """A log must begin with `opened`, have every number once, and suit this version."""
    table = playing()
    with pytest.raises(BadLog):
        list(replay(GAMES, damage(table.log)))


def random_match(seed: int) -> TableHarness:
    """A table after some moves of a match of Black Queen with several deals."""
    table = TableHarness("black_queen", 2, options={"deals": 3, "columns": 0})
    table.ask("bea", Join)
    table.ask("ann", Start)
    rng = Random(seed)
    for _ in range(rng.randrange(52, 130)):
        seat = table.state.to_act[0]
        action = rng.choice(table.game.choices(table.state.play, seat).actions)
        table.ask(("ann", "bea")[seat], Act, turn=table.state.turn, action=action)
    return table


PLAYERS = {-1: "walter", 0: "ann", 1: "bea"}


@pytest.mark.parametrize("viewer", PLAYERS)
def test_what_was_missed_is_told_from_every_number_of_this_deal(viewer: Viewer) -> None:
    """From any entry of this deal the missed facts follow without a gap."""
    table = random_match(1)
    history = table.actor.history
    at_deal = max(n for n, facts in enumerate(table.facts, 1) if has_deal(facts))
    view = fold(())
    for seq in range(at_deal - 1, table.state.seq + 1):
        missed = history.facts_since(seq, PLAYERS[viewer])
        assert missed is not None
        assert [number for number, _ in missed] == list(range(seq + 1, table.state.seq + 1))
        assert [facts for _, facts in missed] == [seen_by(f, viewer) for f in table.facts[seq:]]
        facts = [fact for step in table.facts[at_deal - 1 :] for fact in seen_by(step, viewer)]
        view = fold(facts[first_of_deal(facts) :])
        assert view == table.game.view(table.state.play, viewer)


def test_facts_that_are_kept_are_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached facts are used without replaying a move."""
    table = random_match(3)
    history = table.actor.history
    kept, states = History(table.game, table.start, keep=True), [table.start]
    for entry, step in replay(GAMES, table.log):
        kept.extend(states[-1], (entry,), step.steps)
        states.append(step.state)
    expected = history.steps(), [history.facts_for_seat(seat) for seat in (0, 1)]
    monkeypatch.setattr(kept._game, "apply", None)
    monkeypatch.setattr(table.game, "start", None)
    assert (kept.steps(), [kept.facts_for_seat(seat) for seat in (0, 1)]) == expected
    assert [*kept.facts_of_deal("bea")] == [*expected[1][1]]
    assert kept.seat_at(table.state.seq, "bea") == history.seat_at(table.state.seq, "bea") == 1
    assert kept.seat_at(table.state.seq + 1, "bea") is None


def has_deal(facts: Sequence[object]) -> bool:
    return any(getattr(fact, "verb", "") == "deal_started" for fact in facts)


def first_of_deal(facts: Sequence[object]) -> int:
    return next(n for n, fact in enumerate(facts) if has_deal([fact]))


def test_what_lies_before_this_deal_is_forgotten() -> None:
    """A client that was away since before this deal, or names a future entry, gets a snapshot."""
    table = random_match(2)
    history = table.actor.history
    at_deal = max(n for n, facts in enumerate(table.facts, 1) if has_deal(facts))
    assert at_deal > 10
    assert history.facts_since(at_deal - 2, "bea") is None
    assert history.facts_since(0, "bea") is None
    assert history.facts_since(table.state.seq + 1, "bea") is None


def test_before_a_match_everything_is_remembered() -> None:
    """Before a match all events can be told from the beginning."""
    table = TableHarness(seats=3)
    table.ask("bea", Join)
    missed = table.actor.history.facts_since(0, "walter")
    assert missed is not None
    assert [seq for seq, _ in missed] == [1, 2, 3]
    assert [*table.actor.history.facts_for_seat(0), *table.actor.history.facts_of_deal("ann")] == []


def test_a_rematch_shows_no_cards_of_the_last_match() -> None:
    """In the lobby after a match there is nothing to fold."""
    table = playing(rounds=1)
    for who in ("ann", "bea"):
        seat = table.state.seat_of(who)
        assert seat is not None
        action = table.game.choices(table.state.play, seat).actions[0]
        table.ask(who, Act, turn=1, action=action)
    table.ask("ann", Rematch)
    assert table.state.play is None


def test_a_loaded_table_gives_everybody_time_to_come_back() -> None:
    """After loading a table turn clock and absence start anew."""
    table = playing()
    clocks = Clocks(TIMING)
    clocks.loaded(table.state, table.now, table.now + 5000)
    assert clocks.is_away(0)
    assert clocks.is_away(1)
    assert clocks.overdue(table.state, table.now + 5029) == ()
    assert clocks.overdue(table.state, table.now + 5030) == (0, 1)


def test_a_loaded_lobby_expires_when_it_would_have() -> None:
    """A loaded lobby expires when it would have."""
    table = TableHarness()
    clocks = Clocks(TIMING)
    clocks.loaded(table.state, table.now, table.now + 1799)
    assert clocks.closing(table.state, table.now + 1799) is None
    assert clocks.closing(table.state, table.now + 1800) == "expired"
