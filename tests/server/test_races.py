"""What happens between two waits of the server, and what is left in memory at the end."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from bots import Decision
from engine import AnyGame
from server.bots.pool import BotPool
from server.bots.standby import BotChoice
from server.bots.thinking import BotQuestion
from server.game_server import GameServer
from server.store import EntryRow
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


class Pauses:
    """A gate that stops at a read (the first of its name, or a later one) until released."""

    def __init__(self, name: str, times: int = 1) -> None:
        self.reached = asyncio.Event()
        self._name = name
        self._left = times
        self._go = asyncio.Event()

    async def __call__(self, name: str) -> None:
        self._left -= name == self._name
        if not self._left and not self.reached.is_set():
            self.reached.set()
            await self._go.wait()

    def go(self) -> None:
        self._go.set()


async def meanwhile(
    server: ServerHarness,
    at: str,
    first: Callable[[], Awaitable[object]],
    then: Callable[[], Awaitable[object]],
) -> None:
    """Start `first`, stop it at a read, do all of `then`, and release it."""
    pauses = Pauses(at)
    server.store.gate = pauses
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_run(first))
        await pauses.reached.wait()
        await then()
        pauses.go()
    server.store.gate = None
    await server.settle()


async def _run(work: Callable[[], Awaitable[object]]) -> None:
    await work()


async def asleep(server: ServerHarness, *names: str) -> tuple[str, list[TestClient]]:
    """A paused table that is not in memory, with its people away."""
    code, clients = await server.match_of(*names)
    for client in clients:
        client.disconnect()
    await server.wait(100)
    assert code not in server.loaded()
    return code, clients


async def test_a_paused_table_sleeps_until_somebody_comes(tmp_path: Path) -> None:
    """A paused table sleeps in the store, unlisted, and wakes with its player."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await asleep(server, "Ann")
        zoe = await server.client("Zoe")
        assert (await zoe.ask("list_tables"))["tables"] == []
        assert server.game_server.live.directory.phases() == {"paused": 1}
        await ann.reconnect()
        await server.settle()
        assert server.state(code).phase == "playing"
        assert ann.tables[code].info.phase == "playing"
        while not ann.tables[code].my_turn:
            await server.settle()
        assert (await ann.move(code))["type"] == "ok"


async def test_two_who_come_at_once_load_a_table_once(tmp_path: Path) -> None:
    """Two who come at once load a table once."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await asleep(server, "Ann", "Bea")
        await meanwhile(server, "load", ann.reconnect, lambda: asyncio.sleep(0))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_run(bea.reconnect))
            tasks.create_task(_run(lambda: ann.send("sync", table=code)))
        await server.settle()
        assert ann.tables[code].seq == bea.tables[code].seq
        seqs = [row.seq for row in await entries(server, code)]
        assert seqs == list(range(1, len(seqs) + 1))


async def entries(server: ServerHarness, code: str) -> list[EntryRow]:
    stored = await server.store.load(code)
    assert stored is not None
    return stored[1]


async def test_a_table_that_goes_back_to_sleep_during_a_hello_is_loaded_again(
    tmp_path: Path,
) -> None:
    """A table that was unloaded during a hello is loaded again."""
    async with open_server(tmp_path) as server:
        first, (ann,) = await asleep(server, "Ann")
        await ann.reconnect()
        second = await ann.open_table()
        await ann.ask("start", table=second, fill=0)
        ann.disconnect()
        await server.wait(100)
        assert server.loaded() == set()
        walter = await server.client("Walter")
        ann.connect(server)
        ann.tables.clear()
        pauses = Pauses("load", times=2)
        server.store.gate = pauses
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_run(ann.hello))
            await pauses.reached.wait()
            (loaded,) = server.loaded()
            await walter.ask("watch", table=loaded)
            await walter.ask("leave", table=loaded)
            assert server.loaded() == set()
            pauses.go()
        await server.settle()
        for code in (first, second):
            assert server.state(code).phase == "playing"
            assert (
                ann.tables[code].seq == server.state(code).seq == len(await entries(server, code))
            )


async def test_a_table_that_closes_while_a_command_waits_is_unknown(tmp_path: Path) -> None:
    """A command for a table that closes meanwhile gets `unknown_table`."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        number = 0

        async def join_again() -> None:
            nonlocal number
            number = await bea.send("join", 1, table=code)

        await meanwhile(server, "answer", join_again, lambda: ann.ask("leave", table=code))
        assert [answer.get("code") for answer in bea.answers[1]][-1] == "unknown_table"


async def test_a_player_lost_while_their_join_is_written_is_away(tmp_path: Path) -> None:
    """A player lost while their join is written is absent."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        await bea.ask("watch", table=code)
        await bea.send("join", table=code)
        bea.disconnect()
        await server.settle()
        assert server.table(code).clocks.is_away(1)
        assert ann.tables[code].info.seats[1].away or ann.new_messages("presence")[-1]["away"]
        await server.wait(31)
        assert server.state(code).seat_of(bea.player) is None


async def test_a_player_lost_while_their_table_is_written_loses_nothing(tmp_path: Path) -> None:
    """A player lost while their table is written finds it on return."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        await ann.send("create_table", game="black_queen")
        ann.disconnect()
        await server.settle()
        await ann.reconnect()
        (mirror,) = ann.tables.values()
        assert (mirror.seat, mirror.info.host) == (0, 0)
        assert not server.table(mirror.table).clocks.is_away(0)


async def test_a_bot_that_thinks_longer_than_its_table_is_awake_is_not_heard(
    tmp_path: Path,
) -> None:
    """A bot's move for a table that slept meanwhile is dropped."""
    async with open_server(tmp_path) as server:
        thinker = SlowPool()
        game_server = server.game_server
        game_server.effects._bots = thinker
        ann = await server.client("Ann")
        code = await ann.open_table(seats=2)
        await ann.ask("start", table=code, fill=0)
        while not thinker.asked:
            await ann.move(code)
        ann.disconnect()
        await server.wait(31)
        assert code not in server.loaded()
        thinker.answer()
        await server.settle()
        await ann.reconnect()
        await server.settle()
        assert server.state(code).phase == "playing"
        rows = await entries(server, code)
        assert len(rows) == server.state(code).seq
        thinker.answer()
        await server.settle()
        assert len(await entries(server, code)) == server.state(code).seq == len(rows) + 1


async def test_a_bot_that_thinks_longer_than_its_table_lives_closes_it_no_second_time(
    tmp_path: Path, log_events: list[structlog.typing.EventDict]
) -> None:
    """A bot's answer for a closed table changes nothing."""
    async with open_server(tmp_path) as server:
        thinker = SlowPool()
        server.game_server.effects._bots = thinker
        ann = await server.client("Ann")
        code = await ann.open_table(seats=2)
        await ann.ask("start", table=code, fill=0)
        while not thinker.asked:
            await ann.move(code)
        ann.disconnect()
        await server.wait(5000)
        rows = await entries(server, code)
        assert rows[-1].kind == "closed"
        thinker.answer()
        await server.settle()
        assert await entries(server, code) == rows
        assert "commit_failed" not in [event["event"] for event in log_events]


class SlowPool(BotPool):
    """Bots that answer on request."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[BotQuestion, asyncio.Future[BotChoice]]] = []

    async def choose(self, question: BotQuestion, rules: AnyGame | None = None) -> BotChoice:
        answer: asyncio.Future[BotChoice] = asyncio.get_running_loop().create_future()
        self.asked.append((question, answer))
        return await answer

    def answer(self) -> None:
        question, answer = self.asked.pop(0)
        if not answer.cancelled():
            action = question.position.choices.actions[0]
            answer.set_result(BotChoice(Decision(action), question.strength))


async def test_nothing_is_kept_of_what_is_over(tmp_path: Path) -> None:
    """After all tables and people are gone the server's memory is as at the beginning."""
    async with open_server(tmp_path) as server:
        empty = sizes(server.game_server)
        clients = [await server.client(f"G{number}") for number in range(6)]
        codes = []
        for host, other in zip(clients[::2], clients[1::2], strict=True):
            code = await host.open_table(options={"deals": 1})
            codes.append(code)
            await other.ask("join", table=code)
            await host.ask("chat", table=code, text="hello")
            await host.ask("start", table=code)
            await other.ask("hint", table=code)
            await other.ask("watch", table=codes[0])
            await other.refusal("join", table="NOWHERE")
        assert sizes(server.game_server) != empty
        for number, client in enumerate(clients):
            await client.ask("leave", table=codes[number // 2])
        for client in clients:
            client.disconnect()
        await server.wait(10_000)
        fresh = await server.client("Zoe")
        code = await fresh.open_table()
        await fresh.ask("chat", table=code, text="the bucket of the others is full again")
        await fresh.ask("leave", table=code)
        fresh.disconnect()
        await server.wait(10_000)
        # Hints go with the tables that they were worked out for.
        gc.collect()
        left = sizes(server.game_server)
        assert left.pop("chat") == 1
        empty.pop("chat")
        assert left == empty


def sizes(game_server: GameServer) -> dict[str, int]:
    """The sizes of the server's collections."""
    return {
        "online": len(game_server.connections._online),
        "arriving": len(game_server.connections._in_handshake),
        "waiting": len(game_server.connections._pending),
        "touched": len(game_server.connections.outboxes.ready),
        "live": len(game_server.live),
        "audiences": len(game_server.subscribers),
        "loading": len(game_server.tables._loading),
        "alarms": len(game_server.live.alarms),
        "lobby": len(game_server.tables.directory),
        "players": len(game_server.tables.directory._players),
        "tables_of": len(game_server.tables.directory._tables_of),
        "lagging": len(game_server.slow_readers._slow),
        "chat": len(game_server.lobby.chatted._buckets),
        "questions": len(game_server.questions),
        "hints": len(game_server.hints),
        "known hints": len(game_server.hints._known),
    }
