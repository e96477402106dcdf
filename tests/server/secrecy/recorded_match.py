"""Matches at a whole server, with every frame to seats and spectators recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.cards import TOKENS
from engine.choices import Action, Choices, Pick, random_action
from protocol.features import INTERNAL_VALUES, WORDS
from protocol.version import JSON, MSGPACK
from protocol.wire_form import WireForm
from server.table.entries import Entry
from server.tables.rows import entry_of
from tests.games.server_subject import Opening, Openings
from tests.server.client import TestClient
from tests.server.harness import ServerHarness

MISCHIEF = 0.04
"""How often somebody does something else than what is asked."""
LONGEST = 1000
"""Rounds after which a match that does not end is left as it is."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """One message to a player, sent when the table stood at entry `seq`."""

    player: str
    seq: int
    message: WireForm


@dataclass
class RecordedMatch:
    """A match: every message with its receiver, every command with its sender, and the log."""

    code: str
    game: str
    seats: int
    sent: list[SentMessage] = field(default_factory=list)
    said: dict[tuple[str, int], Mapping[str, Any]] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)


class RecordingClient(TestClient):
    """A client that checks nothing, and only keeps and counts messages."""

    recording: RecordedMatch | None = None
    question: Mapping[str, Any] = {}
    seq = 0

    async def send_message(self, message: object) -> None:
        assert isinstance(message, dict)
        if self.recording is not None:
            self.recording.said[self.player, message["id"]] = message
        await super().send_message(message)

    def _receive(self, frame: bytes | str) -> None:
        recording = self.recording
        for message in self.compact.long_form(self.codec.load(frame)):
            if message.get("id") is not None:
                self.answers[message["id"]].append(message)
            if recording is None:
                continue
            seq = self.server.state(recording.code).seq
            recording.sent.append(SentMessage(self.player, seq, message))
            if message["type"] in ("table", "event"):
                self.seq = max(self.seq, message["seq"])
                self.question = message.get("question", self.question)


def verb(action: Action) -> str:
    """The verb of a move, its first word."""
    return action.partition(" ")[0]


class MatchRecorder:
    """One table with people in most seats, a spectator, and some disturbances."""

    def __init__(
        self,
        server: ServerHarness,
        rng: Random,
        opening: Opening,
        bots: Sequence[int],
        alone: bool = False,
    ) -> None:
        self.alone = alone
        self.server = server
        self.rng = rng
        self.bots = bots
        self.opening = opening
        self.seats = opening.seats
        self.people: dict[int, RecordingClient] = {}
        self.onlookers: list[RecordingClient] = []

    async def open(self) -> None:
        """Seat everybody; the spectator watches from the beginning."""
        rng = self.rng
        host = await self._person("Hal")
        number = await host.send(
            "create_table",
            game=self.opening.game,
            seats=self.seats,
            options=dict(self.opening.options),
            settings={"latecomers": "anyone"},
        )
        await self.server.settle()
        self.code = str(host.answers[number][0]["table"])
        self.recording = RecordedMatch(self.code, self.opening.game, self.seats)
        self.people[0] = host
        host.recording = self.recording
        await host.send("sync", table=self.code)
        if not self.alone:
            await self._onlooker()
        humans = 1 if self.alone else rng.randint(max(1, self.seats - 2), self.seats)
        for seat in range(1, humans):
            self.people[seat] = await self._person(f"P{seat}")
            self.people[seat].recording = self.recording
            await self.people[seat].send("join", table=self.code, seat=seat)
        await self.server.settle()
        await host.send("start", table=self.code, fill=rng.choice(self.bots))
        await self.server.settle()
        for person in (*self.people.values(), *self.onlookers):
            await person.send("sync", table=self.code)

    @property
    def going_on(self) -> bool:
        table = self.server.game_server.live.get(self.code)
        return table is not None and table.state.phase == "playing"

    async def step(self) -> None:
        """Let the players who are asked move, with a disturbance now and then."""
        if not self.going_on:
            return
        state = self.server.state(self.code)
        asked = self.rng.choice(state.to_act)
        if self.rng.random() < MISCHIEF:
            await self._mischief(asked)
        if self.alone and self.rng.random() < 0.06:
            await self._take_back()
            return
        person = self.people.get(asked)
        if person is not None and person.question.get("choices"):
            action = self._choose(_choices(person.question["choices"]))
            turn = person.question["turn"]
            await person.send("act", table=self.code, turn=turn, action=action)

    async def _take_back(self) -> None:
        """Take moves back to any turn of the deal, with a spectator now and then."""
        moments = self.server.state(self.code).undo_points
        turn = self.rng.choice(moments).turn if moments and self.rng.random() < 0.5 else None
        if self.rng.random() < 0.05:
            await self._onlooker()
        await self.people[0].send("undo", table=self.code, turn=turn)

    def _choose(self, choices: Choices) -> Action:
        rare = [action for action in choices.actions if verb(action) in self.opening.rare]
        if rare and self.rng.random() < 0.5:
            return self.rng.choice(rare)
        return random_action(choices, self.rng)

    async def close(self) -> RecordedMatch:
        stored = await self.server.store.load(self.code)
        assert stored is not None
        self.recording.log = [entry_of(row) for row in stored[1]]
        for person in (*self.people.values(), *self.onlookers):
            person.disconnect()
        return self.recording

    async def _mischief(self, asked: int) -> None:
        rng, code = self.rng, self.code
        anybody = rng.choice([*self.people.values(), *self.onlookers])
        token = rng.choice(TOKENS)
        match rng.randrange(9):
            case 0:
                await anybody.send("sync", table=code)
            case 1:
                anybody.disconnect()
                anybody.connect(self.server)
                await anybody.hello(resume={code: rng.randint(0, anybody.seq)})
            case 2:
                await anybody.send("act", table=code, turn=0, action=f"play {token}")
            case 3:
                turn = self.server.state(code).turn
                tried = rng.choice(self.opening.attempts)
                await anybody.send("act", table=code, turn=turn, action=tried)
            case 4 if asked in self.people:
                await self.people[asked].send("hint", table=code)
            case 5:
                await anybody.send("chat", table=code, text="well played")
            case 6:
                await self._onlooker()
            case 7 if len(self.people) > 1:
                await self._swap(rng.choice([seat for seat in self.people if seat]))
            case _:
                await anybody.send("list_tables")
                seat = rng.choice((None, *range(self.seats)))
                await anybody.send("log", table=code, seat=seat)

    async def _swap(self, seat: int) -> None:
        """Replace a player by a bot, and the bot by a new player."""
        await self.people.pop(seat).send("leave", table=self.code)
        await self.server.settle()
        if self.going_on:
            newcomer = self.rng.choice(self.onlookers)
            await newcomer.send("join", table=self.code, seat=seat)
            await self.server.settle()
            if self.server.state(self.code).seat_of(newcomer.player) == seat:
                self.onlookers.remove(newcomer)
                self.people[seat] = newcomer
                await self._onlooker()

    async def _person(self, name: str) -> RecordingClient:
        person = RecordingClient(self.server, self.rng.choice((MSGPACK, JSON)))
        # In msgpack events come in the compact form.
        person.features = (WORDS, INTERNAL_VALUES)
        await person.hello(name=name)
        return person

    async def _onlooker(self) -> None:
        walter = await self._person("Walter")
        walter.recording = self.recording
        await walter.send("watch", table=self.code)
        self.onlookers.append(walter)


def _choices(plain: Mapping[str, Any]) -> Choices:
    picks = [Pick(**{**pick, "cards": tuple(pick["cards"])}) for pick in plain.get("picks", ())]
    return Choices(tuple(plain.get("actions", ())), tuple(picks))


async def record_matches(
    server: ServerHarness,
    rng: Random,
    numbers: Sequence[int],
    bots: Sequence[int],
    openings: Openings,
    alone: bool = False,
) -> list[RecordedMatch]:
    """Play these matches side by side to their ends, with bots of these strengths.

    In matches of one person `alone`, moves are taken back.
    """
    matches = [MatchRecorder(server, rng, openings(rng, number), bots, alone) for number in numbers]
    for match in matches:
        await match.open()
    for _ in range(LONGEST):
        for match in matches:
            await match.step()
        await server.settle()
        if not any(match.going_on for match in matches):
            break
    return [await match.close() for match in matches]
