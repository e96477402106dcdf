"""Two worlds that one viewer cannot tell apart, each played at a server of its own.

Both are played by equal commands at equal times, except for hidden moves of others, and every frame
to that viewer is recorded. The worlds come from the conformance suite of the games, and so do the
moves that are tried in vain: every game in the suite is played here automatically.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count as numbers
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import Phase, given, seed, settings

from engine import Catalogue, Setup, Shuffler, Viewer, seed_from_int
from engine.choices import Action
from engine.facts import OPEN
from protocol.features import INTERNAL_VALUES, WORDS
from protocol.version import JSON, MSGPACK
from server.commands import handshake
from server.lobby import service
from server.ops.settings import Settings
from server.players import identities
from server.tables import registry
from tests.conformance.playing import Played, answer, frame, play, replay
from tests.conformance.subject import Subject, World
from tests.conformance.two_worlds import Turn, WorldPair
from tests.server.client import TestClient
from tests.server.controllable_store import ControllableStore
from tests.server.harness import ServerHarness

# Games have states of different kinds, and each is only ever given its own.
AnySubject: TypeAlias = Subject[Any]
AnyWorld: TypeAlias = World[Any]

BOTS_SEED = bytes(range(32))
SHORT = 120
"""Moves of the longest match that is played; long enough for two deals of most games."""


class PairedMove(NamedTuple):
    """A move in each world, and the illegal command of the viewer after it."""

    turn: Turn
    attempt: Action


@dataclass(frozen=True, slots=True)
class ScriptedPair:
    """Two worlds, and moves in them that show `viewer` no difference."""

    viewer: Viewer
    worlds: tuple[AnyWorld, AnyWorld]
    script: tuple[PairedMove, ...]

    @property
    def differ(self) -> bool:
        """Whether an observer of every card could tell the worlds apart at any time."""
        one, two = (
            [world.game.view(step.state, OPEN) for step in self._steps(at)]
            for at, world in enumerate(self.worlds)
        )
        return one != two

    @property
    def betrayed(self) -> bool:
        """Whether the game itself, without a server, shows the viewer a difference."""
        one, two = ([*self._sent(at)] for at in (0, 1))
        return one != two

    def _sent(self, at: int) -> Iterator[bytes | str]:
        game, steps = self.worlds[at].game, self._steps(at)
        yield from (frame(game, step, self.viewer) for step in steps)
        for step, (_, attempt) in zip(steps[1:], self.script, strict=True):
            yield answer(game, step.state, self.viewer, attempt)

    def _steps(self, at: int) -> tuple[Any, ...]:
        world = self.worlds[at]
        moves = [(turn.seat, turn.actions[at]) for turn, _ in self.script]
        return replay(world.game, world.setup, moves)


def pair_of(subject: AnySubject, number: int, viewer: Viewer | None = None) -> ScriptedPair:
    """The pair of this number: worlds of a short match, by any of the game's options.

    Without a `viewer` it is one of a seat or a spectator.
    """
    rng = Random(number)
    played = short_match(subject, rng)
    at, drawn = rng.randrange(len(played.moves)), rng.choice(played.viewers)
    viewer = drawn if viewer is None else viewer
    both = WorldPair(subject, played, at, viewer, rng)
    script = tuple(PairedMove(turn, in_vain(both, rng)) for turn in both.turns())
    return ScriptedPair(viewer, both.worlds, script)


def short_match(subject: AnySubject, rng: Random) -> Played[Any]:
    while True:
        for setup in some_setups(subject, rng):
            shuffler = Shuffler(seed_from_int(rng.getrandbits(64)))
            played = play(subject.game, replace(setup, shuffler=shuffler), rng)
            if len(played.moves) <= SHORT:
                return played


def some_setups(subject: AnySubject, rng: Random) -> list[Setup]:
    """A few of the suite's setups for the game, drawn by `rng` alone."""
    drawn: list[Setup] = []

    @seed(rng.getrandbits(64))
    @settings(max_examples=6, database=None, phases=[Phase.generate])
    @given(subject.setups)
    def draw(setup: Setup) -> None:
        drawn.append(setup)

    draw()
    # The first is the simplest, whatever the seed.
    return drawn[1:]


def in_vain(both: WorldPair[Any], rng: Random) -> Action:
    """A command of the viewer that is refused in both worlds at this point."""
    attempts = list(both.subject.plausible(both.steps[0].state))
    while True:
        attempt = rng.choice(attempts)
        answers = [answer(w.game, step.state, both.viewer, attempt) for w, step in both.pairs]
        if "ok" not in answers:
            return attempt


class FrameRecorder(TestClient):
    """A client that records frames without folding, since a leak may not fold."""

    def _follow(self, message: Mapping[str, Any]) -> None:
        if message.get("id") is not None:
            self.answers[message["id"]].append(dict(message))


class TwoWorldsRunner:
    """Plays both worlds, each at a server of its own, with equal other random draws."""

    clients: type[FrameRecorder] = FrameRecorder

    def __init__(
        self, store: ControllableStore, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.store = store
        self.folder = folder
        self.patch = monkeypatch

    async def both(self, pair: ScriptedPair) -> tuple[list[bytes | str], list[bytes | str]]:
        """Everything the viewer is sent in each world."""
        return await self._frames(pair, 0), await self._frames(pair, 1)

    async def _frames(self, pair: ScriptedPair, at: int) -> list[bytes | str]:
        """Everything the viewer is sent in one of the worlds."""
        server, seats, walter = await self._started(pair, at)
        observer = walter if pair.viewer < 0 else seats[pair.viewer]
        rng = Random(len(pair.script))
        for turn, attempt in pair.script:
            server.now += 1
            number, action = server.state("TABLE").turn, turn.actions[at]
            moved = await seats[turn.seat].ask("act", table="TABLE", turn=number, action=action)
            assert moved["type"] == "ok", moved
            await self._probe(observer, rng, attempt)
        await observer.ask("sync", table="TABLE")
        return observer.frames

    async def _started(
        self, pair: ScriptedPair, at: int, latecomers: str = "anyone", **more: Any
    ) -> tuple[ServerHarness, list[FrameRecorder], FrameRecorder]:
        """The server, the players by seat and the watcher of one world in a begun match."""
        world = pair.worlds[at]
        server, codec = self._server(pair, at, **more)
        seats = [self.clients(server, codec) for _ in range(world.setup.seats)]
        walter = self.clients(server, codec)
        for client in (*seats, walter):
            # Half of those that speak msgpack get events in the compact form.
            client.features = (WORDS, INTERNAL_VALUES) if len(pair.script) % 4 == 0 else ()
            await client.hello()
        await seats[0].ask(
            "create_table",
            game=world.game.info.id,
            seats=world.setup.seats,
            options=dict(world.setup.options),
            settings={"turn_seconds": 100, "latecomers": latecomers},
        )
        await walter.ask("watch", table="TABLE")
        for client in seats[1:]:
            await client.ask("join", table="TABLE")
        await seats[0].ask("start", table="TABLE")
        return server, seats, walter

    def _server(self, pair: ScriptedPair, at: int, **more: Any) -> tuple[ServerHarness, str]:
        """The server of one world, and its encoding."""
        world = pair.worlds[at]
        self._draw_alike(world.setup.shuffler.seed)
        unhurried = {"messages_per_second": 1e6, "message_burst": 10**6, "chat_per_minute": 10**6}
        settings = Settings(**{"data": self.folder, **unhurried, **more})
        server = self._harness(settings, Catalogue((world.game,)), self.store)
        return server, JSON if len(pair.script) % 2 else MSGPACK

    def _harness(
        self, settings: Settings, catalogue: Catalogue, store: ControllableStore
    ) -> ServerHarness:
        return ServerHarness(settings, catalogue, store)

    async def _probe(self, observer: FrameRecorder, rng: Random, attempt: Action) -> None:
        """Let the viewer try several illegal things."""
        state = observer.server.state("TABLE")
        match rng.randrange(8):
            case 0:
                await observer.ask("hint", table="TABLE")
            case 1:
                await observer.ask("sync", table="TABLE")
            case 2 | 3:
                tried = await observer.ask("act", table="TABLE", turn=state.turn, action=attempt)
                assert tried["type"] == "error", tried
            case 4:
                observer.disconnect()
                observer.connect(observer.server)
                await observer.hello(resume={"TABLE": rng.randint(0, state.seq + 4)})
            case 5:
                await observer.ask("list_tables")

    def _draw_alike(self, seed: bytes) -> None:
        drawn = numbers(1)
        # First the seed of the cards, which is another in each world, then that of the bots.
        seeds = cycle((seed, BOTS_SEED))
        self.patch.setattr(registry, "token_bytes", lambda size: next(seeds))
        self.patch.setattr(service, "new_code", lambda private: "TABLE")
        self.patch.setattr(identities, "token_hex", lambda size: f"player{next(drawn)}")
        self.patch.setattr(handshake, "token_urlsafe", lambda size: f"token{next(drawn)}")
