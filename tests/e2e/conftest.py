"""Every end-to-end test gets its own folder, its own environment, and a clean end."""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.e2e.databases import databases
from tests.e2e.processes import Programs
from tests.postgres import Cluster


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what needs programs on each kind of database (`databases.py`)."""
    marks = metafunc.definition.iter_markers("parametrize")
    if "programs" in metafunc.fixturenames and all(mark.args[0] != "programs" for mark in marks):
        module = metafunc.module.__name__.rpartition(".")[2]
        found = databases(module, metafunc.function.__name__)
        if len(found) > 1:
            metafunc.parametrize("programs", found, indirect=True)


@pytest.fixture
async def programs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Programs]:
    """Starts programs; at the end none is still running and none has written a traceback.

    Their database is a file or one in PostgreSQL.
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
