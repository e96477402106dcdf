"""Days on which everything goes wrong at once, at a whole server.

People play at several tables while connections break, commands are sent twice, readers fall behind,
the disk refuses writes and the server is restarted. When the day is over, everybody sees what the
log says, and every command has one answer.
"""

from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
import structlog

from engine import GAMES
from protocol.version import JSON, MSGPACK
from server.connections.registry import TRANSIENT
from server.table.fold import replay
from server.table.messages import view_of
from server.tables.rows import entry_of
from tests.counts import count
from tests.server.house import Guest, House, open_house

NAMES = ("Ann", "Bea", "Cid", "Dan")
Order: TypeAlias = tuple[str, dict[str, Any]]
SMALL: dict[str, Any] = {"game": "black_queen", "seats": 2, "options": {"deals": 1, "columns": 11}}
FAULTS = {"commit_failed", "store_failed", "hello_failed", "tick_failed"}
"""What the log may complain of on a day with a bad disk."""


class Day:
    """Four people with the habits of a bad day. `said` is all they said, to be said again."""

    def __init__(self, house: House, rng: Random) -> None:
        self.house = house
        self.rng = rng
        self.guests = [Guest(house, rng.choice((MSGPACK, JSON))) for _ in NAMES]
        self.here = [False] * len(NAMES)
        self.said: list[tuple[Guest, int, str, dict[str, Any]]] = []
        self.codes: list[str] = []

    async def hour(self, house: House, mishaps: int) -> None:
        """Some moves and mishaps on one run of the server."""
        self.house = house
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
        house.store.broken = False
        house.store.let_go()
        for guest in self.guests:
            guest.wire.flow()
        await house.calm()

    async def evening(self, house: House) -> None:
        """Everybody comes once more and sees how things stand."""
        await self.hour(house, 0)
        for at in range(len(NAMES)):
            await self._come(at)
        await house.wait(2)

    async def _come(self, at: int) -> None:
        guest = self.guests[at]
        # A hello waits for the disk, and so would this test.
        self.house.store.let_go()
        if guest.token is None:
            guest.connect(self.house)
            answer = await guest.hello(name=NAMES[at])
        else:
            answer = await guest.back(self.house)
        self.here[at] = answer["type"] == "welcome"

    async def _lose(self, at: int) -> None:
        self.guests[at].lose()
        self.here[at] = False

    async def _play(self, at: int) -> None:
        guest = self.guests[at]
        for code, mirror in guest.tables.items():
            if mirror.my_turn and mirror.choices:
                action = self.rng.choice(mirror.choices.actions)
                turn = mirror.question.turn
                await self._say(guest, "act", table=code, turn=turn, action=action)
                break
        if self.rng.random() < 0.5:
            await self.house.calm()

    async def _order(self, at: int) -> None:
        guest, rng = self.guests[at], self.rng
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
        await self._say(guest, type, **fields)

    async def _say(self, guest: Guest, type: str, **fields: Any) -> None:
        number = await guest.send(type, **fields)
        self.said.append((guest, number, type, fields))

    async def _repeat(self, at: int) -> None:
        """Say something again, now or from long ago."""
        own = [said for said in self.said if said[0] is self.guests[at]]
        if own:
            guest, number, type, fields = self.rng.choice(own[-6:])
            await guest.send(type, number, **fields)

    async def _disturb(self, at: int) -> None:
        """Time passes, a reader stops or goes on, the disk fails or works again."""
        match self.rng.randrange(5):
            case 0:
                await self.house.wait(self.rng.choice((0.5, 5, 31)))
            case 1:
                self.guests[at].wire.stuck = not self.guests[at].wire.stuck
                if not self.guests[at].wire.stuck:
                    self.guests[at].wire.flow()
            case 2:
                self.house.store.broken = not self.house.store.broken
            case 3 if self.house.store.kept is None:
                self.house.store.keep_back()
            case _:
                self.house.store.let_go()
                await self.house.calm()

    def _look_round(self) -> None:
        for guest in self.guests:
            self.codes += [code for code in guest.tables if code not in self.codes]


async def check(day: Day) -> None:
    """What must hold when all is quiet and everybody is here."""
    house = day.house
    for code in house.loaded():
        stored = await house.store.load(code)
        assert stored is not None
        log = [entry_of(row) for row in stored[1]]
        replayed = list(replay(GAMES, log))
        assert replayed[-1][1].state == house.state(code)
    for guest in day.guests:
        for code in house.game_server.tables.directory.tables_of(guest.player):
            mirror, table = guest.tables[code], house.table(code)
            assert mirror.seq == table.state.seq
            assert mirror.seat == table.state.seat_of(guest.player)
            assert mirror.seat is not None
            if table.state.play is not None:
                assert mirror.view == view_of(table, mirror.seat)
            assert [seat.away for seat in mirror.info.seats] == [False] * len(mirror.info.seats)
            assert mirror.question.to_act == table.state.to_act


def check_answers(day: Day) -> None:
    """Whatever is said again is answered as it was, once it has been settled."""
    reads = ("watch", "sync", "hint")
    for guest, number, type, _ in day.said:
        settled = [a for a in guest.answers[number] if a.get("code") not in TRANSIENT]
        if type not in reads:
            assert all(answer == settled[0] for answer in settled)


@pytest.mark.parametrize("seed", range(count(12)))
async def test_after_a_bad_day_everybody_sees_what_the_log_says(
    tmp_path: Path, seed: int, log_events: list[structlog.typing.EventDict]
) -> None:
    """Nothing is lost, nothing is done twice, nobody is left behind."""
    rng = Random(seed)
    now = 1_000_000.0
    day: Day | None = None
    limits: dict[str, Any] = {
        "send_buffer_bytes": 8192,
        "chat_per_minute": 1000,
        "max_tables_per_player": 4,
    }
    for last in (False, False, True):
        async with open_house(tmp_path, now=now, **limits) as house:
            if day is None:
                day = Day(house, rng)
            if last:
                await day.evening(house)
                await check(day)
                check_answers(day)
            else:
                await day.hour(house, 120)
        now = house.now + 1
    complaints = {event["event"] for event in log_events if event["log_level"] == "error"}
    assert complaints <= FAULTS
