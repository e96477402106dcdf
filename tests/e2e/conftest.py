"""Every end-to-end test gets its own folder, its own environment, and a clean end."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.e2e.processes import Programs


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[Programs]:
    """Starts programs; at the end none is still running and none has written a traceback."""
    started = Programs(tmp_path)
    yield started
    await started.end()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Draws that pytest-randomly's seed repeats."""
    seed = request.config.getoption("randomly_seed", 0)
    return Random(f"{seed} {request.node.name}")
