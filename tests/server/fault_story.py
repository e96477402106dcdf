"""What people do at a table whose rules raise somewhere, and what must hold when they have done it.

Every command is noted when it is sent. The disk is held while several people's commands gather at
the table, so that an exception in one of them finds others before and behind it.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bots.random_bot import random_action
from engine import AnyGame, Catalogue
from engine.facts import Seat
from server.ops.settings import Settings
from server.store import AnswerRow, EntryRow, TableRow, Write
from server.store.writer import Done
from server.table.entries import Key
from server.table.fold import replay
from server.table.state import TableState
from server.tables.rows import entry_of
from tests.server.failing import Failing
from tests.server.house import QUICK, Guest, House, MoodyStore
from tests.server.table.both_at_once import BothAtOnce

AWAY_SECONDS = 31
OTHER_TURN_SECONDS = 10


class LogStore(MoodyStore):
    """A store whose tables and answers lie in memory: `logs` is what would be on the disk."""

    logs: defaultdict[str, list[EntryRow]]
    outcomes: dict[Key, EntryRow | AnswerRow]

    def commit(self, write: Write, done: Done) -> None:
        if self.kept is None and not self.broken:
            for row in write.entries:
                self.logs[row.table].append(row)
                if row.player is not None and row.client is not None and row.command is not None:
                    self.outcomes[Key(row.player, row.client, row.command)] = row
            for answer in write.answers:
                self.outcomes[Key(answer.player, answer.client, answer.command)] = answer
        super().commit(write, done)

    async def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | None:
        return self.outcomes.get(Key(player, client, command))

    async def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        numbers = (key.command for key in self.outcomes if key[:2] == (player, client))
        return max(numbers, default=0)

    async def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        rows = self.logs[code]
        if not rows:
            return None
        return TableRow(code, "", 1, False, "playing", None, rows[-1].seq, 0.0), list(rows)


@dataclass
class Stage:
    """A server with a sound table in play, and people for another table.

    `seats` will play at the table whose rules raise; `walter` watches.
    """

    house: House
    store: LogStore
    failing: Failing
    seats: tuple[Guest, ...]
    walter: Guest
    others: tuple[Guest, Guest]
    healthy: str
    lost: list[str] = field(default_factory=list)

    @property
    def game(self) -> AnyGame:
        """The same rules, which never raise."""
        return self.failing.game

    def known(self, code: str) -> TableState | None:
        """A table as it is now, if it is in memory and open."""
        table = self.house.game_server.live.get(code)
        return None if table is None or table.state.phase == "closed" else table.state


@asynccontextmanager
async def on_stage(
    folder: Path, game: AnyGame, people: int, sampling_bots: dict[str, AnyGame]
) -> AsyncIterator[Stage]:
    """The stage for a game: everybody is welcome, and the other table is being played at."""
    failing = Failing(game)
    sampling_bots[game.info.id] = failing
    settings: dict[str, Any] = {**QUICK, "data": folder, "chat_per_minute": 10**6}
    chosen = Settings(**settings)
    store = await LogStore.open(chosen.database)
    store.logs, store.outcomes, store.careless = defaultdict(list), {}, True
    house = House(chosen, Catalogue((failing, BothAtOnce())), store)
    lost: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: lost.append(repr(context.get("exception")))
    )
    try:
        names = ("Ann", "Bea", "Cid", "Dan")[:people]
        seats = tuple([await house.guest(name) for name in names])
        walter, eve, fay = [await house.guest(name) for name in ("Walter", "Eve", "Fay")]
        slow = {"turn_seconds": OTHER_TURN_SECONDS}
        options = {"rounds": 4}
        healthy = await eve.open_table(game="both_at_once", options=options, settings=slow)
        await fay.ask("join", table=healthy)
        await eve.ask("start", table=healthy)
        yield Stage(house, store, failing, seats, walter, (eve, fay), healthy, lost)
    finally:
        house.pool.close()
        house.library.close()
        await store.close()


async def came_back(guest: Guest) -> None:
    """Reconnect, and try again if that fails."""
    for _ in range(3):
        guest.lose()
        await guest.back()
        if guest.closed() is None:
            return
    raise AssertionError(f"{guest.player} cannot come back: {guest.closed()}")


@dataclass
class Story:
    """What is done at the table `code`, and every command that was sent for it."""

    stage: Stage
    rng: Random
    code: str = ""
    said: list[tuple[Guest, int, str, dict[str, Any]]] = field(default_factory=list)

    # The ways a story goes

    async def from_the_lobby(self) -> None:
        """A table is opened and its match played to the end, then another one is begun."""
        ann, bea, *_ = self.stage.seats
        settings = {"turn_seconds": 20, "hints": True}
        number = await self.say(
            ann, "create_table", game=self.stage.game.info.id, settings=settings
        )
        await self.stage.house.calm()
        if not ann.answers[number]:
            await self.come_again()
        self.code = str(ann.answers[number][-1].get("table", "NONE"))
        await self.say(bea, "join", table=self.code)
        await self.say(self.stage.walter, "watch", table=self.code)
        for _ in range(2):
            self.stage.store.keep_back()
            for guest in self.stage.seats:
                await self.say(guest, "ready", table=self.code)
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
        for guest in self.stage.seats:
            guest.tables.pop(code, None)
            guest.lose()
            await guest.back()
        await self.say(self.stage.walter, "watch", table=code)
        await self.settle()

    async def come_again(self) -> None:
        """Clients that were disconnected reconnect, and repeat every command without an answer."""
        gone = [guest for guest in self._everybody() if guest.closed() is not None]
        for guest in gone:
            await self._say_again(guest)
        if gone:
            await self.settle()

    async def end(self) -> None:
        """Everybody leaves."""
        for guest in self.stage.seats:
            await self.say(guest, "leave", table=self.code)
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
        stage.store.keep_back()
        if state is not None and state.phase == "playing":
            await self._moves(state, seats)
        await self.say(stage.walter, "sync", table=code)
        await self.say(bea, "chat", table=code, text="well")
        for guest in seats.values():
            if code in guest.tables and guest.tables[code].my_turn:
                await self.say(guest, "hint", table=code)
        await self.say(ann, "act", table=code, turn=1, action="play 2C")
        await self.say(ann, "sync", table=code)
        await self.settle()

    async def absence(self, guest: Guest) -> None:
        """Somebody is away until a bot stands in; meanwhile clocks run out."""
        guest.lose()
        await self.stage.house.wait(AWAY_SECONDS)
        await self._say_again(guest)
        await self.settle()

    async def go_on_elsewhere(self) -> None:
        """At the table that nothing is wrong with a round is played, whatever happens here."""
        stage = self.stage
        code, (eve, fay) = stage.healthy, stage.others
        state = stage.house.state(code)
        if state.phase == "finished":
            for order in ("rematch", "start"):
                await self._insist(eve, order, table=code)
        for guest in (eve, fay):
            mirror = guest.tables[code]
            if mirror.my_turn:
                turn, action = mirror.question.turn, mirror.choices.actions[0]
                await self._insist(guest, "act", table=code, turn=turn, action=action)
        assert stage.house.state(code).seq > state.seq

    # Saying things

    async def say(self, guest: Guest, type: str, **fields: Any) -> int:
        """Send a command and note it."""
        number = await guest.send(type, **fields)
        self.said.append((guest, number, type, fields))
        return number

    async def _say_again(self, guest: Guest) -> None:
        await came_back(guest)
        for whose, number, type, fields in self.said:
            if whose is guest and not guest.answers[number]:
                await guest.send(type, number, **fields)

    async def _insist(self, guest: Guest, type: str, **fields: Any) -> None:
        """Say something until it has been done, over a new connection if need be."""
        number = await guest.send(type, **fields)
        for _ in range(3):
            await self.stage.house.calm()
            answers = guest.answers[number]
            if answers and answers[-1]["type"] == "ok":
                return
            if guest.closed() is not None:
                await came_back(guest)
            await guest.send(type, number, **fields)
        raise AssertionError(f"{type} was not done: {guest.answers[number]}")

    async def settle(self) -> None:
        """The disk goes on, and everything that is due happens."""
        self.stage.store.let_go()
        await self.stage.house.calm()

    async def _moves(self, state: TableState, seats: dict[Seat, Guest]) -> None:
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

    def _everybody(self) -> tuple[Guest, ...]:
        return (*self.stage.seats, self.stage.walter, *self.stage.others)

    def _players(self, state: TableState) -> dict[Seat, Guest]:
        by_id = {guest.player: guest for guest in self.stage.seats}
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
        for guest, number, type, _ in self.said:
            answers = guest.answers[number]
            if len(answers) != 1:
                codes = [answer.get("code", answer["type"]) for answer in answers]
                yield f"{type} has {len(answers)} answers: {codes}"

    def _left_waiting(self) -> Iterator[str]:
        game_server = self.stage.house.game_server
        for guest in (*self.stage.seats, self.stage.walter, *self.stage.others):
            if number := game_server.connections.highest_pending(guest.player, guest.client):
                yield f"command {number} is being carried out for ever"
        for table in game_server.live:
            if table.busy:
                yield f"{table.code} waits for the disk"
            due, alarm = table.due(), game_server.live.alarms.at(table.code)
            if due is not None and (alarm is None or alarm > max(due, self.stage.house.now)):
                yield f"{table.code} is due at {due}, its alarm is set to {alarm}"
            if not table.state.seq:
                yield f"{table.code} has no entry and is in memory"

    def _lost_thread(self) -> Iterator[str]:
        """Everybody has seen every number, or was told that there is nothing more to see."""
        state = self.stage.known(self.code)
        for guest in (*self.stage.seats, self.stage.walter):
            mirror = guest.tables.get(self.code)
            if guest.closed() is not None:
                yield f"{guest.player} was hung up on: {guest.closed()}"
            elif mirror is not None and state is None:
                yield f"{guest.player} was not told that the table is closed"
            elif mirror is not None and state is not None and mirror.seq != state.seq:
                yield f"{guest.player} has seen {mirror.seq} of {state.seq}"

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
        for seat, guest in self._players(state).items():
            mirror = guest.tables.get(self.code)
            if mirror is None:
                yield f"seat {seat} does not see the table it sits at"
            elif seat in state.to_act and state.phase == "playing" and not mirror.choices:
                yield f"seat {seat} is asked and was offered nothing"
