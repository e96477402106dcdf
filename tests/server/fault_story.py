"""What people do at a table whose rules raise somewhere, and what must hold when they have done it.

Every command is noted when it is sent. The disk is held while several people's commands gather at
the table, so that an exception in one of them finds others before and behind it.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bots.random_bot import random_action
from engine import AnyGame, Catalogue
from engine.facts import Seat
from server.ops.settings import Settings
from server.table.fold import replay
from server.table.state import TableState
from server.tables.rows import entry_of
from tests.server.client import TestClient
from tests.server.controllable_store import MemoryStore
from tests.server.failing import Failing
from tests.server.harness import FAST_SETTINGS, ServerHarness
from tests.server.table.minimal_games import BothAtOnce

AWAY_SECONDS = 31
OTHER_TURN_SECONDS = 10


@dataclass
class Stage:
    """A server with a sound table in play, and people for another table.

    `seats` will play at the table whose rules raise; `walter` watches.
    """

    server: ServerHarness
    store: MemoryStore
    failing: Failing
    seats: tuple[TestClient, ...]
    walter: TestClient
    others: tuple[TestClient, TestClient]
    healthy: str
    lost: list[str] = field(default_factory=list)

    @property
    def game(self) -> AnyGame:
        """The same rules, which never raise."""
        return self.failing.game

    def known(self, code: str) -> TableState | None:
        """A table as it is now, if it is in memory and open."""
        table = self.server.game_server.live.get(code)
        return None if table is None or table.state.phase == "closed" else table.state


@asynccontextmanager
async def on_stage(
    folder: Path, game: AnyGame, people: int, sampling_bots: dict[str, AnyGame]
) -> AsyncIterator[Stage]:
    """The stage for a game: everybody is welcome, and the other table is being played at."""
    failing = Failing(game)
    sampling_bots[game.info.id] = failing
    settings: dict[str, Any] = {**FAST_SETTINGS, "data": folder, "chat_per_minute": 10**6}
    chosen = Settings(**settings)
    store = await MemoryStore.open(chosen.database)
    store.logs, store.outcomes, store.players_only = defaultdict(list), {}, True
    server = ServerHarness(chosen, Catalogue((failing, BothAtOnce())), store)
    lost: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: lost.append(repr(context.get("exception")))
    )
    try:
        names = ("Ann", "Bea", "Cid", "Dan")[:people]
        seats = tuple([await server.client(name) for name in names])
        walter, eve, fay = [await server.client(name) for name in ("Walter", "Eve", "Fay")]
        slow = {"turn_seconds": OTHER_TURN_SECONDS}
        options = {"rounds": 4}
        healthy = await eve.open_table(game="both_at_once", options=options, settings=slow)
        await fay.ask("join", table=healthy)
        await eve.ask("start", table=healthy)
        yield Stage(server, store, failing, seats, walter, (eve, fay), healthy, lost)
    finally:
        server.pool.close()
        server.library.close()
        await store.close()


async def came_back(client: TestClient) -> None:
    """Reconnect, and try again if that fails."""
    for _ in range(3):
        client.disconnect()
        await client.reconnect()
        if client.closed() is None:
            return
    raise AssertionError(f"{client.player} cannot come back: {client.closed()}")


@dataclass
class Story:
    """What is done at the table `code`, and every command that was sent for it."""

    stage: Stage
    rng: Random
    code: str = ""
    said: list[tuple[TestClient, int, str, dict[str, Any]]] = field(default_factory=list)

    # The ways a story goes

    async def from_the_lobby(self) -> None:
        """A table is opened and its match played to the end, then another one is begun."""
        ann, bea, *_ = self.stage.seats
        settings = {"turn_seconds": 20, "hints": True}
        number = await self.say(
            ann, "create_table", game=self.stage.game.info.id, settings=settings
        )
        await self.stage.server.settle()
        if not ann.answers[number]:
            await self.come_again()
        self.code = str(ann.answers[number][-1].get("table", "NONE"))
        await self.say(bea, "join", table=self.code)
        await self.say(self.stage.walter, "watch", table=self.code)
        for _ in range(2):
            self.stage.store.hold_writes()
            for client in self.stage.seats:
                await self.say(client, "ready", table=self.code)
            await self.say(bea, "chat", table=self.code, text="good luck")
            await self.say(self.stage.walter, "sync", table=self.code)
            await self.settle()
            if self._phase() == "lobby":
                await self.say(ann, "start", table=self.code, fill=0)
                await self.settle()
            await self.play(6)
            await self.say(ann, "rematch", table=self.code)
            await self.settle()

    async def come_back(self, code: str) -> None:
        """The players of a stored table come back, and it is loaded."""
        self.code = code
        for client in self.stage.seats:
            client.tables.pop(code, None)
            client.disconnect()
            await client.reconnect()
        await self.say(self.stage.walter, "watch", table=code)
        await self.settle()

    async def come_again(self) -> None:
        """Clients that were disconnected reconnect, and repeat every command without an answer."""
        gone = [client for client in self._everybody() if client.closed() is not None]
        for client in gone:
            await self._say_again(client)
        if gone:
            await self.settle()

    async def end(self) -> None:
        """Everybody leaves."""
        for client in self.stage.seats:
            await self.say(client, "leave", table=self.code)
        await self.say(self.stage.walter, "leave", table=self.code)
        await self.settle()

    async def play(self, rounds: int) -> None:
        """Several people's commands at once, again and again; in between one of them is away."""
        for at in range(rounds):
            await self.come_again()
            await self.round()
            await self.go_on_elsewhere()
            if at == 1:
                await self.absence(self.stage.seats[-1])

    async def round(self) -> None:
        """A move, and what others say while it is on its way to the disk."""
        stage, code = self.stage, self.code
        state = stage.known(code)
        seats = self._players(state) if state is not None else {}
        ann, bea, *_ = stage.seats
        stage.store.hold_writes()
        if state is not None and state.phase == "playing":
            await self._moves(state, seats)
        await self.say(stage.walter, "sync", table=code)
        await self.say(bea, "chat", table=code, text="well")
        for client in seats.values():
            if code in client.tables and client.tables[code].my_turn:
                await self.say(client, "hint", table=code)
        await self.say(ann, "act", table=code, turn=1, action="play 2C")
        await self.say(ann, "sync", table=code)
        await self.settle()

    async def absence(self, client: TestClient) -> None:
        """Somebody is away until a bot stands in; meanwhile clocks run out."""
        client.disconnect()
        await self.stage.server.wait(AWAY_SECONDS)
        await self._say_again(client)
        await self.settle()

    async def go_on_elsewhere(self) -> None:
        """At the table that nothing is wrong with a round is played, whatever happens here."""
        stage = self.stage
        code, (eve, fay) = stage.healthy, stage.others
        state = stage.server.state(code)
        if state.phase == "finished":
            for order in ("rematch", "start"):
                await self._insist(eve, order, table=code)
        for client in (eve, fay):
            mirror = client.tables[code]
            if mirror.my_turn:
                turn, action = mirror.question.turn, mirror.choices.actions[0]
                await self._insist(client, "act", table=code, turn=turn, action=action)
        assert stage.server.state(code).seq > state.seq

    # Saying things

    async def say(self, client: TestClient, type: str, **fields: Any) -> int:
        """Send a command and note it."""
        number = await client.send(type, **fields)
        self.said.append((client, number, type, fields))
        return number

    async def _say_again(self, client: TestClient) -> None:
        await came_back(client)
        for whose, number, type, fields in self.said:
            if whose is client and not client.answers[number]:
                await client.send(type, number, **fields)

    async def _insist(self, client: TestClient, type: str, **fields: Any) -> None:
        """Say something until it has been done, over a new connection if need be."""
        number = await client.send(type, **fields)
        for _ in range(3):
            await self.stage.server.settle()
            answers = client.answers[number]
            if answers and answers[-1]["type"] == "ok":
                return
            if client.closed() is not None:
                await came_back(client)
            await client.send(type, number, **fields)
        raise AssertionError(f"{type} was not done: {client.answers[number]}")

    async def settle(self) -> None:
        """The disk goes on, and everything that is due happens."""
        self.stage.store.release_writes()
        await self.stage.server.settle()

    async def _moves(self, state: TableState, seats: dict[Seat, TestClient]) -> None:
        """What is asked now, then what will be asked next, each answered by the players asked."""
        game, code, turn, play, to_act = (
            self.stage.game,
            self.code,
            state.turn,
            state.play,
            state.to_act,
        )
        for _ in range(3):
            asked = [seat for seat in to_act if seat in seats]
            if not asked:
                return
            action = random_action(game.choices(play, asked[0]), self.rng)
            await self.say(seats[asked[0]], "act", table=code, turn=turn, action=action)
            play = game.apply(play, asked[0], action).state
            still = tuple(seat for seat in to_act if seat != asked[0])
            to_act = game.to_act(play)
            turn = turn if still and to_act == still else turn + 1

    def _everybody(self) -> tuple[TestClient, ...]:
        return (*self.stage.seats, self.stage.walter, *self.stage.others)

    def _players(self, state: TableState) -> dict[Seat, TestClient]:
        by_id = {client.player: client for client in self.stage.seats}
        return {
            seat: by_id[chair.player]
            for seat, chair in enumerate(state.chairs)
            if chair.player in by_id
        }

    def _phase(self) -> str:
        state = self.stage.known(self.code)
        return "closed" if state is None else state.phase

    # What must hold

    def problems(self) -> Iterator[str]:
        """Everything that does not hold now that all is quiet."""
        yield from self.stage.lost
        yield from self._unanswered()
        yield from self._left_waiting()
        yield from self._lost_thread()
        yield from self._log()
        if self.stage.failing.raised and self._phase() != "closed":
            yield from self._goes_on()

    def _unanswered(self) -> Iterator[str]:
        for client, number, type, _ in self.said:
            answers = client.answers[number]
            if len(answers) != 1:
                codes = [answer.get("code", answer["type"]) for answer in answers]
                yield f"{type} has {len(answers)} answers: {codes}"

    def _left_waiting(self) -> Iterator[str]:
        game_server = self.stage.server.game_server
        for client in (*self.stage.seats, self.stage.walter, *self.stage.others):
            if number := game_server.connections.highest_pending(client.player, client.client_id):
                yield f"command {number} is being carried out for ever"
        for table in game_server.live:
            if table.busy:
                yield f"{table.code} waits for the disk"
            due, alarm = table.due(), game_server.live.alarms.at(table.code)
            if due is not None and (alarm is None or alarm > max(due, self.stage.server.now)):
                yield f"{table.code} is due at {due}, its alarm is set to {alarm}"
            if not table.state.seq:
                yield f"{table.code} has no entry and is in memory"

    def _lost_thread(self) -> Iterator[str]:
        """Everybody has seen every number, or was told that there is nothing more to see."""
        state = self.stage.known(self.code)
        for client in (*self.stage.seats, self.stage.walter):
            mirror = client.tables.get(self.code)
            if client.closed() is not None:
                yield f"{client.player} was hung up on: {client.closed()}"
            elif mirror is not None and state is None:
                yield f"{client.player} was not told that the table is closed"
            elif mirror is not None and state is not None and mirror.seq != state.seq:
                yield f"{client.player} has seen {mirror.seq} of {state.seq}"

    def _log(self) -> Iterator[str]:
        entries = [entry_of(row) for row in self.stage.store.logs[self.code]]
        if not entries:
            return
        catalogue = Catalogue((self.stage.game,))
        last = list(replay(catalogue, entries))[-1][1].state
        state = self.stage.known(self.code)
        if state is not None and last != state:
            yield "the log does not replay to the table"
        if state is None and last.phase not in ("closed", "paused", "finished"):
            yield f"the table is gone, its log says {last.phase}"
        numbers = [entry.seq for entry in entries]
        if numbers != list(range(1, len(entries) + 1)):
            yield f"numbers are missing in the log: {numbers}"

    def _goes_on(self) -> Iterator[str]:
        """A table that is open after its rules raised is one where nobody lost anything."""
        state = self.stage.known(self.code)
        assert state is not None
        for seat, client in self._players(state).items():
            mirror = client.tables.get(self.code)
            if mirror is None:
                yield f"seat {seat} does not see the table it sits at"
            elif seat in state.to_act and state.phase == "playing" and not mirror.choices:
                yield f"seat {seat} is asked and was offered nothing"
