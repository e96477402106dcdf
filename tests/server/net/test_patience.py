"""The time until `hello` counts the client's delay, and not the server's."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from bench.attackers import open_websocket
from server.net.patience import LOOK_SECONDS, MOST_HELD_SECONDS, HelloTimeout
from server.sessions.fair_queue import FairQueue
from server.store import Store
from tests.server.socket_server import SocketServer, open_socket_server

PATIENCE = 0.2


class Timer:
    def __init__(self, due: float, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """The part of an event loop that a timer uses, with a manual clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(self.now + delay, call))
        return self.timers[-1]

    def run_until(self, moment: float) -> None:
        while due := [each for each in self.timers if each.due <= moment and not each.cancelled]:
            first = min(due, key=lambda each: each.due)
            self.timers.remove(first)
            self.now = max(self.now, first.due)
            first.call()
        self.now = moment


def begun(seconds: float) -> tuple[Loop, HelloTimeout, list[float]]:
    """A timer, and the times at which it expired."""
    loop, over = Loop(), list[float]()
    patience = HelloTimeout(
        cast(asyncio.AbstractEventLoop, loop), seconds, lambda: over.append(loop.now)
    )
    return loop, patience, over


def test_whoever_sends_nothing_has_so_much_time() -> None:
    """A client that sends nothing has a limited time, after reading what has arrived."""
    loop, _, over = begun(10.0)
    loop.run_until(60.0)
    assert over == [10.0 + LOOK_SECONDS]


def test_the_time_stands_still_while_the_client_waits_for_us() -> None:
    """The time stands still while the client waits for the server."""
    loop, patience, over = begun(10.0)
    loop.run_until(4.0)
    patience.hold()
    loop.run_until(50.0)
    patience.hold()
    patience.go_on()
    loop.run_until(100.0)
    patience.go_on()
    loop.run_until(300.0)
    assert over == [106.0 + LOOK_SECONDS]


def test_nobody_waits_for_us_for_ever() -> None:
    """The total time is at most two minutes."""
    loop, patience, over = begun(10.0)
    for second in range(1, 300):
        loop.run_until(second - 0.5)
        patience.hold()
        loop.run_until(second)
        patience.go_on()
        if over:
            break
    assert over == [pytest.approx(20.0, abs=1.0)]
    loop, patience, over = begun(10.0)
    patience.hold()
    loop.run_until(600.0)
    assert over == [MOST_HELD_SECONDS + LOOK_SECONDS]


def test_what_arrives_at_the_last_moment_is_in_time() -> None:
    """Data that arrives at the last moment is read before the timer expires."""
    loop, patience, over = begun(10.0)
    loop.run_until(10.0)
    patience.hold()
    loop.run_until(50.0)
    assert over == []
    patience.go_on()
    loop.run_until(60.0)
    assert over == [50.0 + LOOK_SECONDS]


def test_a_byte_at_a_time_gives_no_more_moments() -> None:
    """Each byte after the time does not extend it by another moment."""
    loop, patience, over = begun(10.0)
    for step in range(1000):
        loop.run_until(9.9 + step * LOOK_SECONDS / 2)
        if over:
            break
        with patience.held():
            pass
    assert over == [pytest.approx(10.0 + LOOK_SECONDS, abs=LOOK_SECONDS / 2)]


def test_the_time_for_hello_is_that_for_the_handshake_and_more() -> None:
    """The time for hello includes the handshake, and ends with hello."""
    loop, patience, over = begun(5.0)
    late: list[float] = []
    loop.run_until(3.0)
    patience.extend(5.0, lambda: late.append(loop.now))
    loop.run_until(9.0)
    assert (over, late) == ([], [])
    with patience.held():
        patience.end()
    loop.run_until(99.0)
    assert (over, late) == ([], [])


async def connected(server: SocketServer) -> tuple[StreamReader, StreamWriter]:
    at = urlsplit(server.url)
    return await asyncio.open_connection(at.hostname, at.port)


async def outlast_another(server: SocketServer) -> None:
    """Return when a new silent connection was given up."""
    reader, writer = await connected(server)
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()


def waited(server: SocketServer, type: str) -> float:
    """The seconds that commands of a type have taken so far, by the figures."""
    figure = f'blackqueen_command_seconds_sum{{type="{type}"}} '
    lines = server.metrics.render()[1].decode().splitlines()
    return sum(float(line.removeprefix(figure)) for line in lines if line.startswith(figure))


class Standstill:
    """Keeps the fair queue from giving turns."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        queue._under_way = True

    def end(self) -> None:
        self._queue._serve()


async def test_whoever_waits_for_the_store_is_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client waiting for the store is kept, while a later silent one is closed with 4001."""
    go_on = asyncio.Event()
    read = Store.last_command

    async def slow(self: Store, *names: Any) -> int:
        await go_on.wait()
        return await read(self, *names)

    monkeypatch.setattr(Store, "last_command", slow)
    async with open_socket_server(tmp_path, hello_seconds=PATIENCE) as server:
        async with server.client() as raw:
            token = raw.welcome["token"]
        async with server.socket() as waiting, server.socket() as silent:
            hello = {"type": "hello", "id": 1, "version": 1, "client": "c", "token": token}
            await waiting.send_message(hello)
            assert await silent.closed() == (4001, "hello_first")
            await outlast_another(server)
            go_on.set()
            assert (await waiting.receive())[0]["type"] == "welcome"


async def test_whoever_waits_for_their_turn_is_not_cut(tmp_path: Path) -> None:
    """A client waiting for its turn is kept, in handshake, hello or request."""
    async with (
        open_socket_server(tmp_path, hello_seconds=PATIENCE) as server,
        server.socket() as waiting,
        asyncio.TaskGroup() as tasks,
    ):
        standstill = Standstill(server.game_server.fair_queue)
        hello = {"type": "hello", "id": 1, "version": 1, "client": "c", "name": "Ann"}
        await waiting.send_message(hello)
        opening = await connected(server)
        handshake = tasks.create_task(open_websocket(*opening))
        reader, writer = await connected(server)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        await outlast_another(server)
        standstill.end()
        assert (await waiting.receive())[0]["type"] == "welcome"
        # The figures tell what they felt.
        assert waited(server, "hello") > PATIENCE
        await handshake
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK\r\n")
        for each in (writer, opening[1]):
            each.close()
            await each.wait_closed()
