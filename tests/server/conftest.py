"""For every test of the server: a log that fails on fields it must never get."""

from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import LogCapture

from bots import Bot
from bots.random_bot import RandomBot
from engine import AnyGame
from server.bots import service, thinking
from server.bots.workers import Processes, Worker
from server.ops.logs import AllowedFields, add_trace
from tests.server.bots.fake_process import FakeProcess
from tests.server.faults.failing_game import SamplingBot


@pytest.fixture(autouse=True)
def log_events() -> Iterator[list[structlog.typing.EventDict]]:
    """The events logged so far; one with a field that is not allowed fails the test."""
    capture = LogCapture()
    structlog.configure(processors=[AllowedFields(strict=True), capture])
    yield capture.entries
    structlog.reset_defaults()


@pytest.fixture
def traced_lines(log_events: list[structlog.typing.EventDict]) -> list[structlog.typing.EventDict]:
    """The same, each with the trace id of the command that it is for."""
    capture = LogCapture()
    structlog.configure(processors=[AllowedFields(strict=True), add_trace, capture])
    return capture.entries


@pytest.fixture(autouse=True)
def plain_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots answer in place, as without Numba: these tests have a clock of their own.

    Those that search, in processes, are for `bots/test_pool.py` and the tests of whole programs.
    """
    monkeypatch.setattr("bots.recipe.available", lambda: False)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> list[FakeProcess]:
    """The processes of bots that were started so far, in order; none of them is real."""
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
    """The games, by id, of which bots sample the cards; the bots of all others play anything."""
    games: dict[str, AnyGame] = {}

    def bot(game: str, strength: int) -> Bot:
        return SamplingBot(games[game]) if game in games else RandomBot()

    monkeypatch.setattr(thinking, "bot_of", bot)
    monkeypatch.setattr(service, "thinks_apart", lambda game, strength: False)
    return games
