"""A store on each kind of database, closed after the test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import Store
from tests.postgres import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of the test's own; tests about files take SQLite (`on_sqlite`)."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'cards.sqlite3'}"
        return
    cluster: Cluster = request.getfixturevalue("postgresql")
    with cluster.database() as found:
        yield found


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    yield opened
    await opened.close()
