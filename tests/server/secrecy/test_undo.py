"""Moves that were taken back are known only to the player who took them back.

Bots are asked as if they had never been made, and worlds that look alike to the player still do
after they have gone back.
"""

from collections import Counter
from collections.abc import AsyncIterator
from itertools import count as numbers
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import Budget, Decision, Position
from engine.choices import Action
from engine.facts import Seat
from server.bots import thinking
from server.table.undo import turns_of
from tests.counts import count
from tests.games.catalogue import BROKEN
from tests.server.client import TestClient
from tests.server.controllable_store import ControllableStore
from tests.server.harness import ServerHarness, open_server
from tests.server.secrecy.two_worlds import (
    FrameRecorder,
    PairedMove,
    ScriptedPair,
    TwoWorldsRunner,
    pair_of,
)

SECONDS = 10
"""How long bots wait, so that they move when the test says."""


class Script:
    """The moves of one world, each seat's in order; a bot makes those of its seat."""

    in_place = True
    needs_facts = False

    def __init__(self, moves: tuple[PairedMove, ...], world: int, viewer: Seat) -> None:
        self._viewer = viewer
        self._moves: dict[Seat, list[Action]] = {}
        for turn, _ in moves:
            self._moves.setdefault(turn.seat, []).append(turn.actions[world])
        self.made = Counter[Seat]()
        self.at_turn: dict[int, Counter[Seat]] = {}

    def next(self, seat: Seat) -> Action | None:
        """The next move of a seat; None at the end of the script."""
        moves = self._moves.get(seat, [])
        return moves[self.made[seat]] if self.made[seat] < len(moves) else None

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        action = self.next(position.seat)
        if action is None or position.seat == self._viewer:
            # A hint: it says what the position offers first.
            return Decision(position.choices.actions[0])
        self.made[position.seat] += 1
        return Decision(action)


class UndoRunner(TwoWorldsRunner):
    """Plays both worlds with the viewer as the only person, who takes moves back."""

    undone = 0

    async def _frames(self, pair: ScriptedPair, at: int) -> list[bytes | str]:
        script = Script(pair.script, at, pair.viewer)
        self.patch.setattr(thinking, "bot_of", lambda game, strength: script)
        server, ann = await self._alone(pair, at)
        rng = Random(len(pair.script))
        while server.state("TABLE").phase == "playing":
            state = server.state("TABLE")
            script.at_turn.setdefault(state.turn, script.made.copy())
            if any(script.next(seat) is None for seat in state.to_act):
                break
            await self._probe(ann, rng, "no such move")
            turns = turns_of(state.undo_points or (), pair.viewer)
            if turns and rng.random() < 0.15 and state.undone < 5:
                turn = rng.choice(turns)
                script.made = script.at_turn[turn].copy()
                assert (await ann.ask("undo", table="TABLE", turn=turn))["type"] == "ok"
                self.undone += 1
            elif pair.viewer in state.to_act:
                action = script.next(pair.viewer)
                script.made[pair.viewer] += 1
                moved = await ann.ask("act", table="TABLE", turn=state.turn, action=action)
                assert moved["type"] == "ok", moved
            else:
                server.now += SECONDS
                await server.settle()
        await ann.ask("sync", table="TABLE")
        return ann.frames

    async def _alone(self, pair: ScriptedPair, at: int) -> tuple[ServerHarness, FrameRecorder]:
        world = pair.worlds[at]
        server, codec = self._server(pair, at)
        ann = self.clients(server, codec)
        await ann.hello()
        await ann.ask(
            "create_table",
            game=world.game.info.id,
            seats=world.setup.seats,
            options=dict(world.setup.options),
            settings={"bot_delay": SECONDS},
        )
        if pair.viewer:
            await ann.ask("sit", table="TABLE", seat=pair.viewer)
        await ann.ask("start", table="TABLE", fill=0)
        return server, ann


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[UndoRunner]:
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    yield UndoRunner(store, tmp_path, monkeypatch)
    await store.close()


@pytest.mark.parametrize("game", BROKEN)
async def test_worlds_that_look_alike_do_so_after_an_undo(runner: UndoRunner, game: str) -> None:
    """Worlds that look alike do so after an undo."""
    subject = BROKEN[game].subject(None)
    differing = 0
    for number in numbers():
        pair = pair_of(subject, number)
        if pair.viewer < 0:
            continue
        one, two = await runner.both(pair)
        assert one == two
        differing += pair.differ
        if differing >= count(5) and runner.undone >= count(30):
            break


class Listener:
    """A bot that plays its first move, and records everything it is told."""

    in_place = True
    needs_facts = True

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        self.asked.append(position)
        return Decision(position.choices.actions[0])


async def match_with(server: ServerHarness) -> tuple[str, TestClient]:
    """A match of Black Queen against two bots, always with equal cards."""
    ann = await server.client("Ann")
    code = await ann.open_table(seats=3, seed=7, options={"columns": 0})
    await ann.ask("start", table=code, fill=0)
    return code, ann


async def test_bots_are_asked_as_if_it_had_never_been_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's positions are equal to those of a match without the undone moves."""
    straight, back = Listener(), Listener()
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: straight)
    async with open_server(tmp_path / "straight") as server:
        code, ann = await match_with(server)
        await server.play(code, 8, ann)
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: back)
    async with open_server(tmp_path / "back") as server:
        code, ann = await match_with(server)
        await server.play(code, 3, ann)
        before = len(back.asked)
        for at in (-1, -1, -1):
            await ann.move(code, at)
        assert len(back.asked) > before
        turns = turns_of(server.state(code).undo_points or (), 0)
        await ann.ask("undo", table=code, turn=turns[3])
        abandoned = len(back.asked)
        await server.play(code, 5, ann)
    assert back.asked[abandoned:] == straight.asked[before:]


async def test_bots_draw_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A position is asked with another seed after an undo."""
    drawn: list[float] = []

    class Gambler(Listener):
        def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
            drawn.append(rng.random())
            return super().choose(position, budget, rng)

    gambler: Any = Gambler()
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: gambler)
    async with open_server(tmp_path) as server:
        code, ann = await match_with(server)
        for _ in range(3):
            await server.play(code, 1, ann)
            await ann.ask("undo", table=code)
    assert len(set(drawn)) == len(drawn)
