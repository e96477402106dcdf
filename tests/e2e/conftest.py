"""Every end-to-end test gets its own folder, its own environment, and a clean end."""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.e2e.processes import Programs
from tests.postgres import Cluster


@pytest.fixture
async def programs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Programs]:
    """Starts programs; at the end none is still running and none has written a traceback.

    Their database is a file, or by the marks of `databases.py` one in PostgreSQL.
    """
    started = Programs(tmp_path)
    with ExitStack() as stack:
        if getattr(request, "param", "sqlite") == "postgresql":
            cluster: Cluster = request.getfixturevalue("postgresql")
            started.use_database(stack.enter_context(cluster.database()))
        yield started
        await started.end()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Draws that pytest-randomly's seed repeats."""
    seed = request.config.getoption("randomly_seed", 0)
    return Random(f"{seed} {request.node.name}")
