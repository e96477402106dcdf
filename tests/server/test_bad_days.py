"""Days on which everything goes wrong at once, at a whole server.

People play at several tables while connections break, commands are sent twice, readers fall behind,
the disk refuses writes and the server is restarted. At the end of the day everybody sees what the
log says, and every command has one answer.
"""

from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
import structlog

from engine import GAMES
from protocol.version import JSON, MSGPACK
from server.sessions.registry import TRANSIENT
from server.table.fold import replay
from server.table.messages import view_of
from server.tables.rows import entry_of
from tests.counts import count
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server

NAMES = ("Ann", "Bea", "Cid", "Dan")
Order: TypeAlias = tuple[str, dict[str, Any]]
SMALL: dict[str, Any] = {"game": "black_queen", "seats": 2, "options": {"deals": 1, "columns": 11}}
FAULTS = {"commit_failed", "store_failed", "hello_failed", "tick_failed"}
"""What the log may complain of on a day with a bad disk."""


class Day:
    """Four people on a bad day. `said` are all their commands, to be repeated."""

    def __init__(self, server: ServerHarness, rng: Random) -> None:
        self.server = server
        self.rng = rng
        self.clients = [TestClient(server, rng.choice((MSGPACK, JSON))) for _ in NAMES]
        self.here = [False] * len(NAMES)
        self.said: list[tuple[TestClient, int, str, dict[str, Any]]] = []
        self.codes: list[str] = []

    async def hour(self, server: ServerHarness, mishaps: int) -> None:
        """Make some moves and mishaps on one run of the server."""
        self.server = server
        self.here = [False] * len(NAMES)
        for _ in range(mishaps):
            at = self.rng.randrange(len(NAMES))
            if not self.here[at]:
                await self._come(at)
                continue
            deed = self.rng.choices(
                (self._play, self._order, self._repeat, self._lose, self._disturb),
                (12, 3, 2, 1, 2),
            )[0]
            await deed(at)
            self._look_round()
        server.store.broken = False
        server.store.release_writes()
        for client in self.clients:
            client.wire.drain()
        await server.settle()

    async def evening(self, server: ServerHarness) -> None:
        """Let everybody reconnect once more and see the tables."""
        await self.hour(server, 0)
        for at in range(len(NAMES)):
            await self._come(at)
        await server.wait(2)

    async def _come(self, at: int) -> None:
        client = self.clients[at]
        # A hello waits for the disk, and so would this test.
        self.server.store.release_writes()
        if client.token is None:
            client.connect(self.server)
            answer = await client.hello(name=NAMES[at])
        else:
            answer = await client.reconnect(self.server)
        self.here[at] = answer["type"] == "welcome"

    async def _lose(self, at: int) -> None:
        self.clients[at].disconnect()
        self.here[at] = False

    async def _play(self, at: int) -> None:
        client = self.clients[at]
        for code, mirror in client.tables.items():
            if mirror.my_turn and mirror.choices:
                action = self.rng.choice(mirror.choices.actions)
                turn = mirror.question.turn
                await self._say(client, "act", table=code, turn=turn, action=action)
                break
        if self.rng.random() < 0.5:
            await self.server.settle()

    async def _order(self, at: int) -> None:
        client, rng = self.clients[at], self.rng
        code = rng.choice(self.codes) if self.codes else "NOWHERE"
        orders: list[Order] = [
            ("create_table", SMALL),
            ("join", {"table": code}),
            ("join", {"table": code}),
            ("ready", {"table": code}),
            ("start", {"table": code, "fill": rng.randrange(2)}),
            ("start", {"table": code, "fill": 1}),
            ("watch", {"table": code}),
            ("leave", {"table": code}),
            ("sync", {"table": code}),
            ("hint", {"table": code}),
            ("rematch", {"table": code}),
            ("chat", {"table": code, "text": "what a day"}),
        ]
        type, fields = rng.choice(orders)
        await self._say(client, type, **fields)

    async def _say(self, client: TestClient, type: str, **fields: Any) -> None:
        number = await client.send(type, **fields)
        self.said.append((client, number, type, fields))

    async def _repeat(self, at: int) -> None:
        """Repeat a command, of now or of long ago."""
        own = [said for said in self.said if said[0] is self.clients[at]]
        if own:
            client, number, type, fields = self.rng.choice(own[-6:])
            await client.send(type, number, **fields)

    async def _disturb(self, at: int) -> None:
        """Let time pass, a reader stop or go on, the disk fail or work again."""
        match self.rng.randrange(5):
            case 0:
                await self.server.wait(self.rng.choice((0.5, 5, 31)))
            case 1:
                self.clients[at].wire.blocked = not self.clients[at].wire.blocked
                if not self.clients[at].wire.blocked:
                    self.clients[at].wire.drain()
            case 2:
                self.server.store.broken = not self.server.store.broken
            case 3 if self.server.store.held_writes is None:
                self.server.store.hold_writes()
            case _:
                self.server.store.release_writes()
                await self.server.settle()

    def _look_round(self) -> None:
        for client in self.clients:
            self.codes += [code for code in client.tables if code not in self.codes]


async def check(day: Day) -> None:
    """Check what must hold when all is quiet and everybody is here."""
    server = day.server
    for code in server.loaded():
        stored = await server.store.load(code)
        assert stored is not None
        log = [entry_of(row) for row in stored[1]]
        replayed = list(replay(GAMES, log))
        assert replayed[-1][1].state == server.state(code)
    for client in day.clients:
        for code in server.game_server.tables.directory.tables_of(client.player):
            mirror, table = client.tables[code], server.table(code)
            assert mirror.seq == table.state.seq
            assert mirror.seat == table.state.seat_of(client.player)
            assert mirror.seat is not None
            if table.state.play is not None:
                assert mirror.view == view_of(table, mirror.seat)
            assert [seat.away for seat in mirror.info.seats] == [False] * len(mirror.info.seats)
            assert mirror.question.to_act == table.state.to_act


async def check_answers(day: Day) -> None:
    """Check that every repeated command is answered as before, once it was settled.

    An answer that is not stored is a final refusal, and the command is refused again, perhaps with
    another code.
    """
    reads = ("watch", "sync", "hint")
    for client, number, type, _ in day.said:
        settled = [a for a in client.answers[number] if a.get("code") not in TRANSIENT]
        if type in reads or all(answer == settled[0] for answer in settled):
            continue
        store, player, name = day.server.store, client.player, client.client_id
        assert await store.answer(player, name, number, day.codes) is None, (type, settled)
        assert {answer["type"] for answer in settled} == {"error"}, (type, settled)


@pytest.mark.parametrize("seed", range(count(12)))
async def test_after_a_bad_day_everybody_sees_what_the_log_says(
    tmp_path: Path, seed: int, log_events: list[structlog.typing.EventDict]
) -> None:
    """After a bad day nothing is lost or done twice, and everybody sees what the log says."""
    rng = Random(seed)
    now = 1_000_000.0
    day: Day | None = None
    limits: dict[str, Any] = {
        "send_buffer_bytes": 8192,
        "chat_per_minute": 1000,
        "max_tables_per_player": 4,
    }
    for last in (False, False, True):
        async with open_server(tmp_path, now=now, **limits) as server:
            if day is None:
                day = Day(server, rng)
            if last:
                await day.evening(server)
                await check(day)
                await check_answers(day)
            else:
                await day.hour(server, 120)
        now = server.now + 1
    complaints = {event["event"] for event in log_events if event["log_level"] == "error"}
    assert complaints <= FAULTS
