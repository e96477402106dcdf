"""Background work survives an exception: clocks, counters, closing, housekeeping."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.game_server import GameServer
from server.net.gateway import Socket
from server.ops import isolation
from server.ops.isolation import forever
from server.sessions.connection import Connection
from server.sessions.fair_queue import FairQueue, Share
from server.sessions.slow_readers import SlowReaders
from server.store import Store
from server.ticker import Ticker, load_sleepers
from tests.server.harness import open_server
from tests.server.socket_server import open_socket_server


def failing_first(function: Callable[..., Any]) -> tuple[Callable[..., Any], asyncio.Event]:
    """A function whose first call raises, and the event of its next call."""
    calls: list[None] = []
    again = asyncio.Event()

    def call(*args: Any, **kwargs: Any) -> Any:
        calls.append(None)
        if len(calls) == 1:
            raise ZeroDivisionError
        again.set()
        return function(*args, **kwargs)

    return call, again


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "AGAIN_SECONDS", 0)


async def test_what_goes_on_for_ever_does_so_after_an_exception() -> None:
    """Each endless task survives an exception, which costs one round."""
    rounds: list[int] = []

    async def work() -> None:
        rounds.append(len(rounds))
        if len(rounds) < 4:
            raise MemoryError
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await forever("tick_failed", work)
    assert rounds == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["tick", "next_tick"])
async def test_the_ticker_goes_on_after_a_tick_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The ticker goes on after a failed tick."""
    call, again = failing_first(getattr(GameServer, name))
    monkeypatch.setattr(GameServer, name, call)
    ticker = Ticker()
    async with open_server(tmp_path) as server, asyncio.TaskGroup() as tasks:
        ticking = tasks.create_task(ticker.run(server.game_server, lambda: server.now))
        ticker.wake(0)
        await asyncio.sleep(0)
        while not again.is_set():
            ticker.wake(0)
            await asyncio.sleep(0)
        ticking.cancel()


async def test_sleeping_tables_are_loaded_after_one_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sleeping table whose loading raises does not keep the others from loading."""
    async with open_server(tmp_path) as server:
        codes = [(await server.table_of("Ann", "Bea"))[0] for _ in range(2)]
    call, again = failing_first(GameServer.wake_one)
    monkeypatch.setattr(GameServer, "wake_one", call)
    async with open_server(tmp_path, now=server.now + 1) as server, asyncio.TaskGroup() as tasks:
        loading = tasks.create_task(load_sleepers(server.game_server))
        for code in codes:
            server.game_server.tables.load_queue.put(code)
        await again.wait()
        loading.cancel()


async def test_no_clock_waits_for_a_table_to_be_loaded(tmp_path: Path) -> None:
    """No clock waits for a table to be loaded."""
    async with open_server(tmp_path) as server:
        sleeping = []
        for _ in range(3):
            code, _ = await server.match_of("Ann", "Bea")
            sleeping.append(code)
    async with open_server(tmp_path, now=server.now + 1) as server:
        code, (_, bea) = await server.match_of(
            "Ann", "Bea", settings={"turn_seconds": 40, "bot_delay": 0}
        )
        stuck = asyncio.Event()

        async def never(name: str) -> None:
            if name == "load":
                await stuck.wait()

        server.store.gate = never
        turn = server.state(code).turn
        server.now += 35
        await server.game_server.tick()
        assert server.game_server.tables.load_queue
        async with asyncio.TaskGroup() as tasks:
            loading = tasks.create_task(server.game_server.wake_one())
            await asyncio.sleep(0)
            for _ in range(3):
                server.now += 41
                await server.game_server.tick()
                # The bot that moves in a player's place does so in the loop's next turn.
                await asyncio.sleep(0)
                await server.store.flushed()
                turn += 1
                assert server.state(code).turn == turn
            assert server.loaded() == {code}
            stuck.set()
            server.store.gate = None
            await loading
        await server.settle()
        assert server.loaded() >= {*sleeping, code}
        assert bea.tables[code].seq == server.state(code).seq


async def test_a_table_is_woken_once_however_often_it_is_due(tmp_path: Path) -> None:
    """A table that is due is queued once for loading, and not if it is awake."""
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.table_of("Ann", "Bea")
    async with open_server(tmp_path, now=server.now + 1) as server:
        for _ in range(2):
            server.game_server.tables.load_queue.put(code)
        await server.game_server.wake_one()
        assert not server.game_server.tables.load_queue
        assert server.loaded() == {code}
        server.game_server.tables.load_queue.put("GONE")
        await server.game_server.wake_one()
        assert server.loaded() == {code}
        await ann.reconnect(server)


async def test_connections_are_counted_down_whatever_their_end_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed connections are counted whatever their end raises."""
    gone = asyncio.Event()

    def fail(slow_readers: SlowReaders, connection: Connection) -> None:
        gone.set()
        raise ZeroDivisionError

    monkeypatch.setattr(SlowReaders, "forget", fail)
    async with open_socket_server(tmp_path, max_connections=1) as server:
        for _ in range(2):
            async with server.client() as client:
                assert client.welcome["type"] == "welcome"
            await gone.wait()
            gone.clear()
        assert b"blackqueen_connections 0.0" in server.metrics.render()[1]


async def fail(socket: Socket, code: int, reason: str) -> None:
    raise ZeroDivisionError


def fail_at_once(socket: Socket, code: int, reason: str) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(("name", "broken"), [("_hang_up", fail), ("close", fail_at_once)])
async def test_a_connection_that_cannot_be_closed_does_not_end_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, broken: Callable[..., Any]
) -> None:
    """A connection that cannot be closed keeps neither server nor player up."""
    monkeypatch.setattr(Socket, name, broken)
    async with (
        open_socket_server(tmp_path) as server,
        server.client() as ann,
        server.socket() as again,
    ):
        hello = {"version": 1, "client": "c", "token": ann.welcome["token"]}
        assert (await again.ask("hello", **hello))["type"] == "welcome"
        assert (await again.ask("ping"))["type"] == "pong"


async def test_slow_readers_are_looked_at_after_one_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an error at one slow reader the others are checked."""
    async with open_server(tmp_path, send_buffer_bytes=4096) as server:
        clients = [await server.client(name) for name in ("Ann", "Bea")]
        for client in clients:
            client.wire.blocked = True
            while client.connection.lagging_since is None:
                await client.send("games")
        call, again = failing_first(SlowReaders._check_one)
        monkeypatch.setattr(SlowReaders, "_check_one", call)
        for client in clients:
            client.wire.drain()
        server.now += 1
        await server.game_server.tick()
        assert again.is_set()
        assert sorted(client.closed() or () for client in clients) == [(), (1011, "internal")]
        assert [client.connection.lagging_since for client in clients if not client.closed()] == [
            None
        ]


async def test_a_batch_is_reported_whatever_counting_it_raises(tmp_path: Path) -> None:
    """A batch is reported even if counting it raises."""

    def observe(writes: int, failed: int, seconds: float) -> None:
        raise ZeroDivisionError

    store = await Store.open(f"sqlite:///{tmp_path / 'db.sqlite'}", observe=observe)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    await store.ping()
    await store.close()


async def test_a_turn_that_fails_costs_its_own_reader() -> None:
    """A turn that raises costs only its own reader."""
    read: list[str] = []
    done = asyncio.Event()

    class Bad:
        wants_more = True
        wanted = 1.0
        share = Share()

        def take_turn(self) -> float:
            raise ZeroDivisionError

    class Good:
        wants_more = False
        wanted = 1.0
        share = Share()

        def take_turn(self) -> float:
            read.append("good")
            done.set()
            return 1.0

    turns = FairQueue(asyncio.get_running_loop())
    turns.wait(Bad())
    turns.wait(Good())
    await done.wait()
    done.clear()
    turns.wait(Good())
    await done.wait()
    assert read == ["good", "good"]
