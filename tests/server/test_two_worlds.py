"""Two worlds that are equal in what a seat may know send that seat the same bytes.

A match is played up to some move; what one viewer cannot know is dealt anew, which gives a second
world. Both are then played at a server of their own, by the same commands at the same times, and
every frame to that viewer must be the same: events, snapshots, choices, hints, errors, what is told
after a lost connection. The worlds come from the conformance suite of the games.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import count as numbers
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from bots import Budget, Candidate, Decision, Position
from engine import Catalogue, Setup, Shuffler, Viewer, seed_from_int
from engine.choices import Action, random_action
from engine.facts import OPEN, Seat
from engine.game import Options
from protocol.version import JSON, MSGPACK
from server import bot_pool, bot_questions, desk, reception, tables
from server.settings import Settings
from server.table.plain import view_of
from tests.conformance.black_queen import black_queen
from tests.conformance.black_queen_leaky import LEAKY
from tests.conformance.playing import play, replay
from tests.conformance.subject import Subject, World
from tests.conformance.whist import whist
from tests.conformance.whist_broken import LooseTongue, Omen, SeenStock, WiseBids
from tests.counts import count
from tests.server.house import Guest, House, MoodyStore
from tests.server.recording import MOST_COLUMNS

# Games have states of different kinds, and each is only ever given its own.
AnySubject: TypeAlias = Subject[Any]
AnyWorld: TypeAlias = World[Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two worlds, and the moves that show `viewer` no difference between them."""

    viewer: Viewer
    worlds: tuple[AnyWorld, AnyWorld]
    moves: tuple[tuple[Seat, Action], ...]

    @property
    def differ(self) -> bool:
        """Whether somebody who sees every card could tell the worlds apart at any time."""
        one, two = (
            [
                world.game.view(step.state, OPEN)
                for step in replay(world.game, world.setup, self.moves)
            ]
            for world in self.worlds
        )
        return one != two


def short_match(subject: AnySubject, rng: Random) -> tuple[int, Options]:
    """A number of seats and options by which a match of the game is soon over."""
    if subject.game.info.id == "whist":
        return rng.choice((3, 4)), {"cards": rng.randint(1, 4), "hook": rng.random() < 0.5}
    seats = rng.choice((2, 2, 3, 3, 4))
    return seats, {"deals": 1, "columns": rng.randint(0, MOST_COLUMNS[seats])}


def pair_of(subject: AnySubject, seed: int) -> Pair:
    rng = Random(seed)
    seats, options = short_match(subject, rng)
    setup = Setup(seats, options, Shuffler(seed_from_int(seed)))
    played = play(subject.game, setup, rng)
    at, viewer = rng.randrange(len(played.moves)), rng.choice(played.viewers)
    other = subject.rebuild(subject.game, played, at, subject.scramble(played, at, viewer, rng))
    worlds = World(subject.game, setup), other
    moves = alike(subject, worlds, viewer, list(played.moves[:at]), rng)
    return Pair(viewer, worlds, tuple(moves))


def alike(
    subject: AnySubject,
    worlds: tuple[AnyWorld, AnyWorld],
    viewer: Viewer,
    made: list[tuple[Seat, Action]],
    rng: Random,
) -> Iterator[tuple[Seat, Action]]:
    """The moves that were made, then any that both worlds allow, while they look the same."""
    states = [world.game.start(world.setup).state for world in worlds]
    while asked := worlds[0].game.to_act(states[0]):
        seat = asked[0]
        choices = [
            world.game.choices(state, seat) for world, state in zip(worlds, states, strict=True)
        ]
        action = made.pop(0)[1] if made else random_action(choices[0], rng)
        if not all(offered.allows(action) for offered in choices):
            return
        states = [
            world.game.apply(state, seat, action).state
            for world, state in zip(worlds, states, strict=True)
        ]
        one, two = (subject.permitted(state, viewer) for state in states)
        if one != two:
            return
        yield seat, action


class Eye(Guest):
    """A client that keeps what it is sent and folds nothing, since what leaks may not fold."""

    offered: tuple[Action, ...] = ()

    def _follow(self, message: Mapping[str, Any]) -> None:
        if message.get("id") is not None:
            self.answers[message["id"]].append(dict(message))
        if "question" in message:
            self.offered = tuple(message["question"].get("choices", {}).get("actions", ()))


class Stage:
    """Where both worlds are played: whatever is drawn at random elsewhere is the same in both."""

    def __init__(self, store: MoodyStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self.folder = folder
        self.patch = monkeypatch

    async def frames(self, pair: Pair, world: AnyWorld) -> list[bytes | str]:
        """All that the viewer is sent while the match is played in `world`."""
        self._draw_alike(world.setup.shuffler.seed)
        settings = Settings(
            data=self.folder, messages_per_second=1e6, message_burst=10**6, chat_per_minute=10**6
        )
        house = House(settings, Catalogue((world.game,)), self.store)
        codec = JSON if len(pair.moves) % 2 else MSGPACK
        seats = [Eye(house, codec) for _ in range(world.setup.seats)]
        walter = Eye(house, codec)
        for guest in (*seats, walter):
            await guest.hello()
        eye = walter if pair.viewer < 0 else seats[pair.viewer]
        await seats[0].ask(
            "create_table",
            game=world.game.info.id,
            seats=world.setup.seats,
            options=dict(world.setup.options),
            settings={"turn_seconds": 100},
        )
        await walter.ask("watch", table="TABLE")
        for guest in seats[1:]:
            await guest.ask("join", table="TABLE")
        await seats[0].ask("start", table="TABLE")
        rng = Random(len(pair.moves))
        for turn, (seat, action) in enumerate(pair.moves, start=1):
            await self._probe(eye, rng, turn)
            house.now += 1
            await seats[seat].send("act", table="TABLE", turn=turn, action=action)
            await house.calm()
        await eye.ask("sync", table="TABLE")
        assert house.state("TABLE").turn == len(pair.moves) + 1
        return eye.frames

    async def _probe(self, eye: Eye, rng: Random, turn: int) -> None:
        """Somebody curious tries this and that."""
        match rng.randrange(8):
            case 0:
                await eye.ask("hint", table="TABLE")
            case 1:
                await eye.ask("sync", table="TABLE")
            case 2 | 3:
                card = rng.choice("23456789TJQKA") + rng.choice("CDSH")
                wrong = rng.choice((f"play {card}", f"play {card}@1", f"bid {rng.randrange(6)}"))
                if wrong not in eye.offered:
                    await eye.ask("act", table="TABLE", turn=turn, action=wrong)
            case 4:
                eye.lose()
                eye.connect(eye.house)
                await eye.hello(resume={"TABLE": rng.randint(0, turn + 8)})
            case 5:
                await eye.ask("list_tables")

    def _draw_alike(self, seed: bytes) -> None:
        drawn = numbers(1)
        self.patch.setattr(tables, "token_bytes", lambda size: seed)
        # Bots draw by the seed of the match, which is another in each world, and by a label.
        self.patch.setattr(bot_questions, "sha256", lambda text: sha256(text.removeprefix(seed)))
        self.patch.setattr(desk, "new_code", lambda private: "TABLE")
        self.patch.setattr(reception, "token_hex", lambda size: f"player{next(drawn)}")
        self.patch.setattr(reception, "token_urlsafe", lambda size: f"token{next(drawn)}")


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    store = await MoodyStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.careless = True
    yield Stage(store, tmp_path, monkeypatch)
    await store.close()


async def differs(stage: Stage, subject: AnySubject, seed: int) -> bool:
    """Whether the viewer of a pair can tell its worlds apart."""
    pair = pair_of(subject, seed)
    one, two = [await stage.frames(pair, world) for world in pair.worlds]
    return one != two


@pytest.mark.parametrize("subject", [black_queen(), whist()], ids=lambda subject: subject.name)
async def test_worlds_that_look_alike_send_the_same_bytes(
    stage: Stage, subject: AnySubject
) -> None:
    """Nothing a server sends to a seat depends on what that seat may not know."""
    lengths = []
    for seed in range(count(25)):
        pair = pair_of(subject, seed)
        one, two = [await stage.frames(pair, world) for world in pair.worlds]
        assert one == two
        if pair.differ:
            lengths.append(len(pair.moves))
    assert len(lengths) > 12
    assert sum(lengths) > 20 * len(lengths)


@pytest.mark.parametrize(
    "subject",
    [
        *(black_queen(leaky()) for leaky in LEAKY),
        *(whist(leaky()) for leaky in (SeenStock, Omen, LooseTongue, WiseBids)),
    ],
    ids=lambda subject: type(subject.game.game).__name__,
)
async def test_a_game_that_leaks_sends_different_bytes(stage: Stage, subject: AnySubject) -> None:
    """Whatever way a secret takes out of the game, some frame carries it."""
    for seed in range(60):
        if await differs(stage, subject, seed):
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
    stage: Stage, monkeypatch: pytest.MonkeyPatch, viewer: Viewer | None
) -> None:
    """A bot that would tell has nothing to tell; were it shown more, the frames would differ."""
    monkeypatch.setattr(bot_pool, "_bot", lambda game, strength: Spy())
    if viewer is not None:
        monkeypatch.setattr(bot_questions, "view_of", lambda table, seat: view_of(table, viewer))
    subject = black_queen()
    told = [seed for seed in range(15) if await differs(stage, subject, seed)]
    assert bool(told) == (viewer is not None)
