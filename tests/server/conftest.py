"""What every test of the server has: a log that refuses what it should never have been given."""

from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import LogCapture

from bots import roster
from server.logs import AllowedFields


@pytest.fixture(autouse=True)
def log_events() -> Iterator[list[structlog.typing.EventDict]]:
    """The events logged so far; one with a field that is not allowed fails the test."""
    capture = LogCapture()
    structlog.configure(processors=[AllowedFields(strict=True), capture])
    yield capture.entries
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def plain_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots answer in place, as without Numba: these tests have a clock of their own.

    Those that search, in processes, are for `test_bot_pool.py` and the tests of whole programs.
    """
    monkeypatch.setattr(roster, "available", lambda: False)
