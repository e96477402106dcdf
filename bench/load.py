"""Scripted tables: clients that play the first choice they are offered.

How fast they answer can be changed while they play: not at all, at once, or at a steady pace.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from math import ceil
from time import perf_counter
from typing import Any

from bench.clients import Follower, Message
from bench.processes import BenchError

SEATS = 4
# The longest possible match, so that no table ends during the measurement.
GAME = {"game": "black_queen", "seats": SEATS, "options": {"deals": 100}}
SERVED_SECONDS = 120.0


def next_slot(now: float, interval: float, share: float) -> float:
    """A table's next time: once per `interval`, shifted by `share` of an interval.

    Different shares spread the tables over the interval, like real players.
    """
    offset = interval * share
    return offset + ceil((now - offset) / interval) * interval


class Load:
    """All scripted tables of one server, with further fields of `hello`.

    `address` gives the address of this machine from which a table's players come.
    """

    def __init__(
        self,
        url: str,
        hello: Message | None = None,
        address: Callable[[int], str | None] = lambda table: None,
    ) -> None:
        self.url = url
        self.hello = hello or {}
        self.players: list[SeatedPlayer] = []
        self.round_trips: list[float] = []
        """Seconds from sending a move to reading its `ok`, since the list was last emptied."""
        self._address = address
        self._interval: float | None = None
        self._tables = 0
        self._parked: list[tuple[int, Callable[[], None]]] = []
        self._faults: list[str] = []
        self._loop = asyncio.get_running_loop()

    @property
    def table(self) -> str:
        """The code of one of the tables."""
        return self.players[0].table

    async def open_tables(self, count: int) -> None:
        """Seat four clients at each of `count` more tables and start their matches."""
        for _ in range(count):
            await self._open(SEATS, GAME, {})

    async def open_with_bots(self, game: str, strength: int) -> None:
        """Seat one client at one more table, and bots of this strength beside it."""
        await self._open(1, {"game": game}, {"fill": strength})

    async def _open(self, people: int, game: Message, start: Message) -> None:
        table, self._tables = self._tables, self._tables + 1
        host, *others = [await self._enter(table) for _ in range(people)]
        code = (await host.ask("create_table", **game))["table"]
        for other in others:
            await other.ask("join", table=code)
        for player in (host, *others):
            player.table = code
        await host.ask("start", table=code, **start)

    async def leave(self) -> None:
        """Everybody leaves the table, which closes it, and hangs up."""
        for player in self.players:
            await player.ask("leave", table=player.table)
        self.hang_up()
        self.players.clear()

    def hang_up(self) -> None:
        """Close all connections."""
        for player in self.players:
            player.hang_up()

    def hold(self) -> None:
        """Stop answering questions; moves under way are still answered by the server."""
        self._interval = None

    def play(self, interval: float = 0) -> None:
        """Answer one question per table every `interval` seconds; 0: each at once."""
        self._interval = interval
        parked, self._parked = self._parked, []
        for table, act in parked:
            self.schedule(table, act)

    def schedule(self, table: int, act: Callable[[], None]) -> None:
        """Let a player act at the next time of their table."""
        if self._interval is None:
            self._parked.append((table, act))
        elif self._interval == 0:
            act()
        else:
            share = table / self._tables
            self._loop.call_at(next_slot(self._loop.time(), self._interval, share), act)

    def fault(self, words: str) -> None:
        """Note what went wrong, for `check`."""
        self._faults.append(words)

    def check(self) -> None:
        """`BenchError` if any command was refused or a connection was lost."""
        if self._faults:
            raise BenchError(f"{len(self._faults)} faults under load, first: {self._faults[0]}")

    async def _enter(self, table: int) -> "SeatedPlayer":
        player = SeatedPlayer(self, table, f"load-{len(self.players)}", self._address(table))
        await player.come(self.url)
        self.players.append(player)
        return player


class SeatedPlayer(Follower):
    """A player who answers each question at the time that the load says."""

    def __init__(self, load: Load, number: int, name: str, source: str | None) -> None:
        super().__init__(name, source)
        self._load = load
        self._number = number
        self._move = 0
        self._sent = 0.0
        self._turn = -1
        self._token: str | None = None
        self._legends: set[str] = set()

    async def come(self, url: str, *, anew: bool = False) -> None:
        """Connect and say hello; who comes back has a token, and if not `anew` what they know."""
        hello = dict(self._load.hello)
        if self._token is not None:
            known = {} if anew or self.knows is None else {self.table: self.knows}
            hello |= {"token": self._token, "resume": known}
        if "legends" in hello:
            hello["legends"] = (*self._legends,)
        self._token = (await self.enter(url, **hello))["token"]

    def heard(self, message: Message) -> None:
        """Schedule the answer to a question, and note the round trip of a move."""
        kind = message["type"]
        if kind == "ok":
            if message["id"] == self._move:
                self._load.round_trips.append(perf_counter() - self._sent)
            return
        super().heard(message)
        if kind in ("event", "table"):
            question = message.get("question")
            # A snapshot may repeat a question that has an answer under way.
            if question is not None and question.get("choices") and question["turn"] != self._turn:
                self._turn = question["turn"]
                action = first_action(question["choices"])
                self._load.schedule(self._number, lambda: self._act(action))
        elif kind == "legend":
            self._legends.add(message["digest"])
        elif kind == "error":
            self._load.fault(f"{message['code']}: {message['reason']}")

    def lost(self) -> None:
        """Tell the load that the server closed the connection."""
        super().lost()
        self._load.fault("a connection was lost")

    def _act(self, action: str) -> None:
        self._sent = perf_counter()
        self._move = self.send("act", table=self.table, turn=self._turn, action=action)


def first_action(choices: dict[str, Any]) -> str:
    """The first action of choices as they are on the wire."""
    if actions := choices.get("actions"):
        return str(actions[0])
    pick = choices["picks"][0]
    return " ".join((pick["verb"], *pick["cards"][: pick["least"]]))


async def served(
    followers: Iterable[Follower], coming: Callable[[Any], Coroutine[Any, Any, None]]
) -> dict[str, Any]:
    """Let all come at once by `coming`; the seconds until each was shown their table.

    Those who were closed instead are counted, and it is told why the first was.
    """
    everybody, began = [*followers], perf_counter()
    async with asyncio.timeout(SERVED_SECONDS), asyncio.TaskGroup() as tasks:
        for each in everybody:
            tasks.create_task(each.until_shown(coming(each)))
    closed = [each.closed for each in everybody if each.closed]
    return {"served": perf_counter() - began, "closed": len(closed), "why": closed[:1]}
