"""Pools and processes of bots, real and fake."""

from collections.abc import Iterator

import pytest

from server.bots import thinking
from server.bots.pool import BotPool
from server.bots.thinking import serve
from server.bots.workers import Processes
from tests.server.bots.asking import SLOW, Asking
from tests.server.bots.fake_process import FakeProcess


@pytest.fixture
def asking() -> Iterator[Asking]:
    """A pool of one process."""
    lateness: list[str] = []
    pool = BotPool(1, lambda game, strength, seconds, late: lateness.append(late))
    yield Asking(pool, lateness)
    pool.close()


@pytest.fixture
def slow(asking: Asking, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch) -> Asking:
    """A pool of one fake process, in which every bot thinks."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    asking.fakes = fakes
    return asking


@pytest.fixture
def one() -> Iterator[Processes]:
    """A worker place for one process."""
    processes = Processes(1, serve)
    yield processes
    processes.close()


@pytest.fixture
def heard() -> list[object]:
    return []
