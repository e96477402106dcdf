"""Gives every end-to-end test its own folder, its own environment, and a clean end."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.databases import databases
from tests.e2e.processes import Programs, Server
from tests.postgres import Cluster

if TYPE_CHECKING:
    from tests.chromium import Chromium

PAGE_SERVER = (
    *("--plain-bots", "--address-pages-per-second", "0", "--chat-per-minute", "100000"),
    *("--messages-per-second", "10000", "--message-burst", "10000", "--send-buffer-bytes", "65536"),
    *("--allowed-hosts", "house.lan"),
)
"""A server that everybody may ask for as much as they like; who does not read lags soon.

Browsers know it by another name, too (`tests.chromium.HOUSE`).
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests that need programs on each kind of database (`databases.py`)."""
    marked = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    module = metafunc.module.__name__.rpartition(".")[2]
    found = databases(module, metafunc.function.__name__)
    for fixture in {"programs", "page_server"} & set(metafunc.fixturenames) - marked:
        if len(found) > 1:
            metafunc.parametrize(fixture, found, indirect=True)


@pytest.fixture
async def programs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Programs]:
    """Start programs; at the end none may still run, and none may have written a traceback.

    Their database is a file or one in PostgreSQL.
    """
    started = Programs(tmp_path)
    with ExitStack() as stack:
        if getattr(request, "param", "sqlite") == "postgresql":
            cluster: Cluster = request.getfixturevalue("postgresql")
            started.use_database(stack.enter_context(cluster.database()))
        yield started
        await started.end()


@pytest.fixture(scope="session")
def page_server(
    request: pytest.FixtureRequest,
    chromium: "Chromium",
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """Yield a server for all page tests that do not change it; it has open tables of other players.

    At the end it stops cleanly and has written no traceback.
    """
    started = Programs(tmp_path_factory.mktemp("page"))
    with ExitStack() as stack:
        if getattr(request, "param", "sqlite") == "postgresql":
            cluster: Cluster = request.getfixturevalue("postgresql")
            started.use_database(stack.enter_context(cluster.database()))
        server = chromium.run(started.serve(*PAGE_SERVER))
        yield server
        chromium.run(server.stop())
        chromium.run(started.end())
