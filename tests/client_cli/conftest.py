"""Fixtures for tests of whole commands: programs of their own and a clean end."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.processes import Programs


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[Programs]:
    """Starts `blackqueen` programs, and ends all of them after the test."""
    started = Programs(tmp_path)
    yield started
    await started.end()
