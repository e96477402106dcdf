"""Pools and processes of bots, real ones and fake ones."""

from collections.abc import AsyncIterator, Iterator

import pytest

from server.bots import thinking
from server.bots.pool import BotPool
from server.bots.thinking import serve
from server.bots.workers import Processes
from tests.server.bots.asking import SLOW, Asked, Asking
from tests.server.bots.fake_process import FakeProcess
from tests.server.bots.over_bus import AskedOverBus, BotWorld
from tests.server.bus.worlds import LossyWorld


@pytest.fixture
def asking() -> Iterator[Asking]:
    """A pool of one process."""
    lateness: list[str] = []
    pool = BotPool(1, lambda game, strength, seconds, late: lateness.append(late))
    yield Asking(pool, lateness)
    pool.close()


@pytest.fixture
def slow(asking: Asking, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch) -> Asking:
    """The same with fake processes; every bot thinks in them."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    asking.fakes = fakes
    return asking


@pytest.fixture(params=["in a pool", "over a bus"])
async def anywhere(
    request: pytest.FixtureRequest, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Asked]:
    """Bots that think in fake processes: those of a pool, or of a worker on a bus that repeats."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    if request.param == "in a pool":
        asking: Asked = request.getfixturevalue("asking")
        asking.fakes = fakes
        yield asking
        return
    network = BotWorld(LossyWorld("bots", loss=0.0, repeats=0.3, delay=0.1))
    network.add_worker("worker")
    await network.met()
    yield AskedOverBus(network.bots, network.lateness, fakes, network=network)
    network.close()


@pytest.fixture
def one() -> Iterator[Processes]:
    """A place for one process."""
    processes = Processes(1, serve)
    yield processes
    processes.close()


@pytest.fixture
def heard() -> list[object]:
    return []


@pytest.fixture
def slow_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that need a process, whatever they are."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)


@pytest.fixture
def network(fakes: list[FakeProcess]) -> Iterator[BotWorld]:
    """A bus that repeats and reorders, and loses nothing."""
    network = BotWorld(LossyWorld("network", loss=0.0, repeats=0.3, delay=0.1))
    yield network
    network.close()
