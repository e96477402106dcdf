"""The scripted tables of the bench, against a real server."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.load import Load
from bench.processes import UNLIMITED, BenchError, Listener, serving

pytestmark = pytest.mark.e2e


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Listener]:
    with serving(*UNLIMITED, data=str(tmp_path)) as listener:
        yield listener


class RoundTrips(list[float]):
    """Round trips, with a signal once there are `enough`."""

    def __init__(self, enough: int) -> None:
        super().__init__()
        self.reached = asyncio.Event()
        self._enough = enough

    def append(self, trip: float) -> None:
        super().append(trip)
        if len(self) >= self._enough:
            self.reached.set()


class WatchedLoad(Load):
    """A load with a signal for the first fault."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.noticed = asyncio.Event()

    def fault(self, words: str) -> None:
        super().fault(words)
        self.noticed.set()


async def test_tables_play_without_a_fault(server: Listener) -> None:
    """Held tables make no move, then play at once or at a pace, with each move acknowledged.

    Three moves of a table that may make one an interval take more than an interval.
    """
    load = Load(server.url)
    await load.open_tables(tables := 2)
    assert load.round_trips == []
    trips = load.round_trips = RoundTrips(enough=40)
    load.play()
    await trips.reached.wait()
    load.hold()
    assert all(0 < trip < 60 for trip in trips)
    paced = load.round_trips = RoundTrips(enough=3 * tables)
    loop, interval = asyncio.get_running_loop(), 0.2
    start = loop.time()
    load.play(interval)
    await paced.reached.wait()
    # Some table made three of the moves; one may have been under way, and timers may be early.
    assert loop.time() - start >= interval - 0.02
    load.hang_up()
    load.check()


async def test_a_lost_server_is_a_fault(server: Listener) -> None:
    """A connection that ends under load is a fault."""
    load = WatchedLoad(server.url)
    await load.open_tables(1)
    os.kill(server.pid, signal.SIGKILL)
    await load.noticed.wait()
    with pytest.raises(BenchError, match="a connection was lost"):
        load.check()
    load.hang_up()


async def test_no_server_is_an_error() -> None:
    """Without a server the load raises an error and gives no figure."""
    with pytest.raises(OSError, match="Connect"):
        await Load("ws://127.0.0.1:9").open_tables(1)
