"""The two stores on which the tests of the server run.

`LOCAL` is SQLite. `REMOTE` is a real PostgreSQL (`Services`): the server is then a node, which may
share it with others. The fixture `pair` (`conftest.py`) chooses for each test, and `open_server`
uses what it chose.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from server.store import NodeDetails
from server.store.database import database_url, migrate, open_engine, upgrade
from tests.postgres import Cluster
from tests.server.store.nodes import STEADY

LOCAL, REMOTE = "local", "postgresql"
NODE = NodeDetails("a", times=STEADY, address="ws://127.0.0.1:8765/n/a/")
TEMPLATE = "with_tables"
"""The database that those of the tests are copies of: a copy is cheaper than the migrations."""


class Services:
    """A database server; each folder of a test has a database of its own."""

    def __init__(self, cluster: Cluster) -> None:
        self.servers = 0
        self._cluster = cluster
        self._databases: dict[Path, str] = {}
        self._stack = ExitStack()

    def url(self, folder: Path) -> str:
        """The database of `folder`; opening it again is a restart."""
        self.servers += 1
        if folder not in self._databases:
            new = self._cluster.database(template(self._cluster))
            self._databases[folder] = self._stack.enter_context(new)
        return self._databases[folder]

    def close(self) -> None:
        """Delete the databases."""
        self._stack.close()


def begin_file(url: str) -> None:
    """Put a copy of a file with empty tables where `url` names an SQLite file in an empty folder.

    To create the tables takes half of the time that a server takes from start to end.
    """
    file = Path(database_url(url).database or "")
    if file.parent.exists() and any(file.parent.iterdir()):
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(0o600)
    file.write_bytes(_file_with_tables())


@cache
def _file_with_tables() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder, "template.sqlite3")
        upgrade(database_url(f"sqlite:///{file}"), lambda: None)
        return file.read_bytes()


def template(cluster: Cluster) -> str:
    """The name of a database with empty tables, created on first use."""
    if not cluster.has(TEMPLATE):
        cluster.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        url = database_url(cluster.url(TEMPLATE))
        engine = open_engine(url, writes=True)
        with engine.begin() as connection:
            migrate(connection, url, lambda: None)
        engine.dispose()
    return TEMPLATE


current: Services | None = None
"""What servers are opened on; None for `LOCAL`."""


@contextmanager
def running_on(services: Services) -> Iterator[None]:
    """Open servers on these services until the end of the block."""
    global current
    current = services
    try:
        yield
    finally:
        current = None
        services.close()
