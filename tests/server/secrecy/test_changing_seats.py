"""What a player is sent depends on what they could see at the time, in whatever seat.

Two worlds are compared in which a player was entitled to equal knowledge at every entry, among
people who change seats, leave, come back, are replaced, kicked and stood in for, up to a rematch.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bots import Budget, Candidate, Decision, Position
from engine.facts import SPECTATOR, seen_by
from server.bots import questions, thinking
from server.bots.questions import bot_question
from server.table.entries import Seated
from server.table.history import History, PlayerFacts, ToldEntry
from tests.counts import count
from tests.games.catalogue import BROKEN, SERVER_SUBJECTS
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.changing_seats import (
    ChangingSeatsRunner,
    WholeMatchPair,
    whole_match_pair_of,
)

PAIRS = 5
"""So many are played of each game."""
HIDING = [game for game, subject in SERVER_SUBJECTS.items() if subject.hides]
"""Games in which something stays hidden from a player to the end of the match."""


@pytest.fixture
async def runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ChangingSeatsRunner]:
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    yield ChangingSeatsRunner(store, tmp_path, monkeypatch)
    await store.close()


def pairs(
    game: str, wanted: Callable[[WholeMatchPair], bool] = lambda pair: True
) -> list[WholeMatchPair]:
    """The first pairs of a game that are `wanted`."""
    subject = BROKEN[game].subject(None)
    drawn = (whole_match_pair_of(subject, number) for number in range(20 * count(PAIRS)))
    return list(islice(filter(wanted, drawn), count(PAIRS)))


@pytest.mark.parametrize("game", BROKEN)
async def test_who_comes_and_goes_is_told_what_they_could_see(
    runner: ChangingSeatsRunner, game: str
) -> None:
    """A player who could see alike at every entry is sent equal bytes."""
    wanted = pairs(game, lambda pair: pair.hides or game not in HIDING)
    for pair in wanted if game in HIDING else wanted[: count(2)]:
        one, two = await runner.both(pair)
        assert one == two


def of_the_seat_held_now(
    history: History, seq: int, player: str, most: int
) -> tuple[ToldEntry, ...] | None:
    """The faulty past of earlier versions: that of the seat a player holds now."""
    last = history._last
    seat = history.seat_at(last, player)
    if not history._remembers(seq) or any(
        entry.seq > seq and isinstance(entry.body, Seated) and entry.body.player == player
        for entry in history._entries
    ):
        return None
    viewer = SPECTATOR if seat is None else seat
    return tuple(
        ToldEntry(step.seq, PlayerFacts(seen_by(step.facts, viewer)))
        for step in history.steps()
        if step.seq > seq
    )


def of_the_whole_deal(history: History, player: str) -> PlayerFacts:
    """The faulty past of the seat a player holds now, since the deal began."""
    seat = history.seat_at(history._last, player)
    return PlayerFacts(history.facts_for_seat(SPECTATOR if seat is None else seat))


async def test_the_past_of_a_seat_held_now_is_noticed(
    runner: ChangingSeatsRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that tells the past of the present seat is detected in each game."""
    monkeypatch.setattr(History, "facts_since", of_the_seat_held_now)
    for game in HIDING:
        assert await differ(runner, pairs(game, lambda pair: pair.hides))


async def test_a_latecomer_who_is_told_the_whole_deal_is_noticed(
    runner: ChangingSeatsRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that tells a latecomer their seat's earlier facts is detected."""
    monkeypatch.setattr(History, "facts_of_deal", of_the_whole_deal)
    assert await differ(runner, late_pairs())


class Rememberer:
    """A bot that values its moves by what it was told of its cards before they were seen."""

    in_place = True
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        told = [str(f.args.get("cards")) for f in position.facts if f.verb == "cards_given"]
        action = position.choices.actions[0]
        return Decision(action, (Candidate(action, sum(map(ord, "".join(told)))),))


@pytest.mark.parametrize("known", [False, True], ids=["the player's facts", "the seat's facts"])
async def test_a_hint_says_no_more_than_its_player_was_told(
    runner: ChangingSeatsRunner, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """A hint for a latecomer does not use what the seat was shown before."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Rememberer())
    if known:
        monkeypatch.setattr(
            questions,
            "bot_question",
            lambda t, ask, f: bot_question(t, replace(ask, purpose="move"), f),
        )
    assert await differ(runner, late_pairs()) == known


def late_pairs() -> list[WholeMatchPair]:
    """Pairs in which the observer takes a seat that was told differently in each world."""

    def wanted(pair: WholeMatchPair) -> bool:
        return pair.late is not None and pair.told(0, pair.late[0]) != pair.told(1, pair.late[0])

    return pairs("hearts", wanted)


async def differ(runner: ChangingSeatsRunner, pairs: list[WholeMatchPair]) -> bool:
    """Whether a viewer of one of the pairs can tell its worlds apart."""
    assert len(pairs) == count(PAIRS)
    for pair in pairs:
        one, two = await runner.both(pair)
        if one != two:
            return True
    return False
