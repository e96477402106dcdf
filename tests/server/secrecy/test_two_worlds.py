"""Two worlds that are equal in what a seat may know send that seat equal bytes.

Every frame must be equal: events, snapshots, choices, hints, errors, and what follows a lost
connection. Every game of the conformance suite is played, and every variant that reveals a secret
on purpose is detected.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import Budget, Candidate, Decision, Position
from engine import Viewer
from engine.facts import OPEN
from server.bots import questions, thinking
from server.bots.thinking import BotQuestion
from server.table.effects import AskBot
from server.table.messages import view_of
from server.table.table import Table
from tests.conformance.faults import Faults
from tests.counts import count
from tests.games.catalogue import BROKEN, SERVER_SUBJECTS
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.two_worlds import AnySubject, ScriptedPair, TwoWorldsRunner, pair_of

MOVES = 450
"""So many are made in worlds that differ."""
LEAKS = [
    pytest.param(faults, leaky, id=f"{game}-{leaky.__name__}")
    for game, faults in BROKEN.items()
    for leaky in faults.leaky
]


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TwoWorldsRunner]:
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    yield TwoWorldsRunner(store, tmp_path, monkeypatch)
    await store.close()


async def differs(runner: TwoWorldsRunner, subject: AnySubject, number: int) -> bool:
    """Whether the viewer of a pair can tell its worlds apart."""
    one, two = await runner.both(pair_of(subject, number))
    return one != two


@pytest.mark.parametrize("game", BROKEN)
async def test_worlds_that_look_alike_send_the_same_bytes(
    runner: TwoWorldsRunner, game: str
) -> None:
    """Nothing a server sends to a seat depends on what that seat may not know."""
    subject = BROKEN[game].subject(None)
    compared: list[ScriptedPair] = []
    for number in numbers():
        pair = pair_of(subject, number)
        one, two = await runner.both(pair)
        assert one == two
        if pair.differ:
            compared.append(pair)
        if sum(len(pair.script) for pair in compared) >= count(MOVES):
            break
    # Most worlds do differ, and they look alike for some time.
    assert 2 * len(compared) > number
    assert 15 * len(compared) < count(MOVES)
    _expect_varied(subject, compared)


def _expect_varied(subject: AnySubject, pairs: Sequence[ScriptedPair]) -> None:
    """Check that the worlds cover all rule sets, and that hidden moves differ at times."""
    turns = [turn for pair in pairs for turn, _ in pair.script]
    verbs = {turn.actions[0].partition(" ")[0] for turn in turns}
    assert verbs >= {*SERVER_SUBJECTS[subject.name].verbs}
    unseen = [turn.actions for turn in turns if subject.unseen(turn.actions[0])]
    assert not unseen or any(one != other for one, other in unseen)
    setups = [pair.worlds[0].setup for pair in pairs]
    for option in subject.game.options(setups[0].seats):
        assert {setup.options[option.name] for setup in setups} >= set(option.words)


@pytest.mark.parametrize(("faults", "leaky"), LEAKS)
async def test_a_game_that_leaks_sends_different_bytes(
    runner: TwoWorldsRunner, faults: Faults, leaky: type[Any]
) -> None:
    """Some frame differs for every game that leaks."""
    subject = faults.subject(leaky())
    pairs = (pair_of(subject, number) for number in range(300))
    for pair in islice((pair for pair in pairs if pair.betrayed), 20):
        one, two = await runner.both(pair)
        if one != two:
            return
    pytest.fail("no pair of worlds showed it")


class Spy:
    """A bot that weighs its moves by the hearts of its left neighbour, as far as it sees them."""

    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        seats = sum(zone.startswith("taken/") for zone in position.view.zones)
        hand = position.view.cards("hand", (position.seat + 1) % seats)
        action = position.choices.actions[0]
        return Decision(action, (Candidate(action, sum(card[1] == "H" for card in hand)),))


@pytest.mark.parametrize("viewer", [None, OPEN], ids=["its seat's view", "every card"])
async def test_a_hint_betrays_what_the_bot_was_shown(
    runner: TwoWorldsRunner, monkeypatch: pytest.MonkeyPatch, viewer: Viewer | None
) -> None:
    """A bot's hint reveals nothing, because it is shown nothing; shown more, frames differ.

    So do the questions that are sent to processes.
    """
    sent: list[BotQuestion] = []
    bot_question = questions.bot_question

    def asked(table: Table, ask: AskBot, needs_facts: bool) -> BotQuestion:
        sent.append(question := bot_question(table, ask, needs_facts=True))
        return question

    monkeypatch.setattr(questions, "bot_question", asked)
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Spy())
    if viewer is not None:
        monkeypatch.setattr(questions, "view_of", lambda table, seat: view_of(table, viewer))
    subject = BROKEN["black_queen"].subject(None)
    told, asked_otherwise = 0, 0
    for number in range(15):
        sent.clear()
        told += await differs(runner, subject, number)
        half = len(sent) // 2
        asked_otherwise += sent[:half] != sent[half:]
    assert bool(told) == bool(asked_otherwise) == (viewer is not None)


class Gambler:
    """A bot that tells what it draws."""

    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        action = position.choices.actions[0]
        return Decision(action, (Candidate(action, rng.random()),))


@pytest.mark.parametrize("careless", [False, True], ids=["its own seed", "the match's seed"])
async def test_what_bots_draw_betrays_no_card(
    runner: TwoWorldsRunner, monkeypatch: pytest.MonkeyPatch, careless: bool
) -> None:
    """Bots draw from a seed of their own, so their hints reveal no card."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Gambler())
    bot_question = questions.bot_question

    def asked(table: Table, ask: AskBot, needs_facts: bool) -> BotQuestion:
        question = bot_question(table, ask, needs_facts)
        return replace(question, seed=table.state.match_seed)

    if careless:
        monkeypatch.setattr(questions, "bot_question", asked)
    subject = BROKEN["black_queen"].subject(None)
    told = [number for number in range(15) if await differs(runner, subject, number)]
    assert bool(told) == careless
