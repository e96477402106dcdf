"""Fixtures for every test of the server, such as a log that fails on forbidden fields."""

from collections.abc import Iterator
from math import inf

import pytest
import structlog
from structlog.testing import LogCapture

from bots import Bot
from bots.random_bot import RandomBot
from engine import AnyGame
from server.bots import pool, thinking
from server.bots.workers import Processes, Worker
from server.ops.logs import AllowedFields, add_trace
from tests.postgres import Cluster
from tests.server.bots.fake_process import FakeProcess
from tests.server.faults.failing_game import SamplingBot
from tests.server.on_which_pairs import pairs_of
from tests.server.pairs import LOCAL, REMOTE, Services, running_on


@pytest.fixture(autouse=True)
def log_events() -> Iterator[list[structlog.typing.EventDict]]:
    """The logged events so far; a forbidden field fails the test."""
    capture = LogCapture()
    # A measurement that another test ran may have set the level.
    structlog.reset_defaults()
    structlog.configure(processors=[AllowedFields(strict=True), capture])
    yield capture.entries
    structlog.reset_defaults()


@pytest.fixture
def traced_lines(log_events: list[structlog.typing.EventDict]) -> list[structlog.typing.EventDict]:
    """The logged events so far, each with the trace id of its command."""
    capture = LogCapture()
    structlog.configure(processors=[AllowedFields(strict=True), add_trace, capture])
    return capture.entries


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the stores that it is for."""
    chosen = pairs_of(metafunc.definition)
    if REMOTE in chosen:
        metafunc.parametrize("pair", chosen, indirect=True)


@pytest.fixture(autouse=True)
def pair(request: pytest.FixtureRequest) -> Iterator[str]:
    """The store of the servers that this test opens (`pairs.py`)."""
    name: str = getattr(request, "param", LOCAL)
    if name == LOCAL:
        yield name
        return
    cluster: Cluster = request.getfixturevalue("postgresql")
    services = Services(cluster)
    with running_on(services):
        yield name
    assert services.servers, "a test that opens no server belongs on one pair (on_which_pairs.py)"


@pytest.fixture(autouse=True)
def plain_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots answer in place, as without Numba: these tests have a clock of their own.

    Bots that search in processes are tested in `bots/test_pool.py` and with whole programs.
    """
    monkeypatch.setattr("bots.recipe.available", lambda: False)


@pytest.fixture(autouse=True)
def logs_are_played_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay logs without pauses, since the clock of these tests does not advance meanwhile."""
    monkeypatch.setattr("server.tables.resting.AT_ONCE", inf)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> list[FakeProcess]:
    """The fake bot processes that were started, in order."""
    all_of_them: list[FakeProcess] = []

    def start(self: Processes, worker: Worker) -> FakeProcess:
        process = FakeProcess(
            lambda result, seconds: self._done(worker, result, seconds), lambda: self._lost(worker)
        )
        all_of_them.append(process)
        return process

    monkeypatch.setattr(Processes, "_start", start)
    return all_of_them


@pytest.fixture
def sampling_bots(monkeypatch: pytest.MonkeyPatch) -> dict[str, AnyGame]:
    """The games, by id, whose bots sample the cards; other bots play at random."""
    games: dict[str, AnyGame] = {}

    def bot(game: str, strength: int) -> Bot:
        return SamplingBot(games[game]) if game in games else RandomBot()

    monkeypatch.setattr(thinking, "bot_of", bot)
    monkeypatch.setattr(pool, "thinks_apart", lambda game, strength: False)
    return games
