"""What people do at a table whose rules raise somewhere.

Every command is recorded when it is sent. The disk is held while several people's commands gather
at the table, so that an exception in one of them finds others before and behind it.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from bots.random_bot import random_action
from engine.facts import Seat
from server.table.state import TableState
from tests.server.client import TestClient
from tests.server.faults.harness import FaultHarness

AWAY_SECONDS = 31


@dataclass
class Scenario:
    """The actions at the table `code`, with every command that was sent for it."""

    harness: FaultHarness
    rng: Random
    code: str = ""
    commands: list[tuple[TestClient, int, str, dict[str, Any]]] = field(default_factory=list)

    # What scenarios are made of

    async def play_from_lobby(self) -> None:
        """Open a table, play its match to the end, and begin another one."""
        ann, bea, *_ = self.harness.players
        settings = {"turn_seconds": 20, "hints": True}
        number = await self.send(
            ann, "create_table", game=self.harness.game.info.id, settings=settings
        )
        await self.harness.server.settle()
        if not ann.answers[number]:
            await self.reconnect_closed()
        self.code = str(ann.answers[number][-1].get("table", "NONE"))
        await self.send(bea, "join", table=self.code)
        await self.send(self.harness.spectator, "watch", table=self.code)
        for _ in range(2):
            self.harness.store.hold_writes()
            for client in self.harness.players:
                await self.send(client, "ready", table=self.code)
            await self.send(bea, "chat", table=self.code, text="good luck")
            await self.send(self.harness.spectator, "sync", table=self.code)
            await self.settle()
            if self.phase() == "lobby":
                await self.send(ann, "start", table=self.code, fill=0)
                await self.settle()
            await self.play_rounds(6)
            await self.send(ann, "rematch", table=self.code)
            await self.settle()

    async def resume_table(self, code: str) -> None:
        """Let the players of a stored table come back, which loads it."""
        self.code = code
        for client in self.harness.players:
            client.tables.pop(code, None)
            client.disconnect()
            await client.reconnect()
        await self.send(self.harness.spectator, "watch", table=code)
        await self.settle()

    async def reconnect_closed(self) -> None:
        """Reconnect disconnected clients, and repeat every unanswered command."""
        gone = [client for client in self.harness.everybody if client.closed() is not None]
        for client in gone:
            await self._resend(client)
        if gone:
            await self.settle()

    async def everybody_leaves(self) -> None:
        """Let everybody leave."""
        for client in self.harness.players:
            await self.send(client, "leave", table=self.code)
        await self.send(self.harness.spectator, "leave", table=self.code)
        await self.settle()

    async def play_rounds(self, rounds: int) -> None:
        """Send several people's commands at once, again and again, with absences between."""
        for at in range(rounds):
            await self.reconnect_closed()
            await self.round()
            await self.play_at_healthy_table()
            if at == 1:
                await self.absence(self.harness.players[-1])

    async def round(self) -> None:
        """Make a move, and chat while it is on its way to the disk."""
        harness, code = self.harness, self.code
        state = harness.known(code)
        seats = self.players_by_seat(state) if state is not None else {}
        ann, bea, *_ = harness.players
        harness.store.hold_writes()
        if state is not None and state.phase == "playing":
            await self._moves(state, seats)
        await self.send(harness.spectator, "sync", table=code)
        await self.send(bea, "chat", table=code, text="well")
        for client in seats.values():
            if code in client.tables and client.tables[code].my_turn:
                await self.send(client, "hint", table=code)
        await self.send(ann, "act", table=code, turn=1, action="play 2C")
        await self.send(ann, "sync", table=code)
        await self.settle()

    async def absence(self, client: TestClient) -> None:
        """Let somebody be away until a bot stands in and clocks run out."""
        client.disconnect()
        await self.harness.server.wait(AWAY_SECONDS)
        await self._resend(client)
        await self.settle()

    async def play_at_healthy_table(self) -> None:
        """Play a round at the healthy table, which must go on."""
        harness = self.harness
        code, (eve, fay) = harness.healthy, harness.others
        state = harness.server.state(code)
        if state.phase == "finished":
            for order in ("rematch", "start"):
                await self._send_until_done(eve, order, table=code)
        for client in (eve, fay):
            mirror = client.tables[code]
            if mirror.my_turn:
                turn, action = mirror.question.turn, mirror.choices.actions[0]
                await self._send_until_done(client, "act", table=code, turn=turn, action=action)
        assert harness.server.state(code).seq > state.seq

    # Commands

    async def send(self, client: TestClient, type: str, **fields: Any) -> int:
        """Send a command and record it."""
        number = await client.send(type, **fields)
        self.commands.append((client, number, type, fields))
        return number

    async def _resend(self, client: TestClient) -> None:
        await reconnected(client)
        for whose, number, type, fields in self.commands:
            if whose is client and not client.answers[number]:
                await client.send(type, number, **fields)

    async def _send_until_done(self, client: TestClient, type: str, **fields: Any) -> None:
        """Send a command until it is done, over new connections if needed."""
        number = await client.send(type, **fields)
        for _ in range(3):
            await self.harness.server.settle()
            answers = client.answers[number]
            if answers and answers[-1]["type"] == "ok":
                return
            if client.closed() is not None:
                await reconnected(client)
            await client.send(type, number, **fields)
        raise AssertionError(f"{type} was not done: {client.answers[number]}")

    async def settle(self) -> None:
        """Release the disk, and let everything due happen."""
        self.harness.store.release_writes()
        await self.harness.server.settle()

    async def _moves(self, state: TableState, seats: dict[Seat, TestClient]) -> None:
        """Answer the present question and the next one, each by the players asked."""
        game, code, turn, play, to_act = (
            self.harness.game,
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
            await self.send(seats[asked[0]], "act", table=code, turn=turn, action=action)
            play = game.apply(play, asked[0], action).state
            still = tuple(seat for seat in to_act if seat != asked[0])
            to_act = game.to_act(play)
            turn = turn if still and to_act == still else turn + 1

    def players_by_seat(self, state: TableState) -> dict[Seat, TestClient]:
        """The clients of the seated players."""
        by_id = {client.player: client for client in self.harness.players}
        return {
            seat: by_id[chair.player]
            for seat, chair in enumerate(state.chairs)
            if chair.player in by_id
        }

    def phase(self) -> str:
        """The phase of the table; closed if it is gone."""
        state = self.harness.known(self.code)
        return "closed" if state is None else state.phase


async def reconnected(client: TestClient) -> None:
    """Reconnect, and try again if that fails."""
    for _ in range(3):
        client.disconnect()
        await client.reconnect()
        if client.closed() is None:
            return
    raise AssertionError(f"{client.player} cannot come back: {client.closed()}")
