"""Tests of whole commands get programs of their own and a clean end."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.processes import Programs


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[Programs]:
    """Starts `blackqueen` programs; in the end none runs any more."""
    started = Programs(tmp_path)
    yield started
    await started.end()
