"""The two pairs of bus and store that the tests of the server run on.

`LOCAL` is a bus in this process and SQLite. `REMOTE` is a real Mosquitto and a real PostgreSQL
(`Services`): the server is then one of several that may share both, like a process of a cluster.
The fixture `pair` (`conftest.py`) chooses for each test, and `open_server` uses what it chose.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from server.bus.encoded import EncodedBus
from server.crossing.encoding import decode, encode
from server.game_server import Buses, GameServer
from server.store import Node
from server.store.database import database_url, migrate, open_engine
from tests.mosquitto import Mosquitto
from tests.postgres import Cluster
from tests.server.bus.worlds import MqttWorld
from tests.server.store.nodes import STEADY

LOCAL, REMOTE = "local", "mqtt-postgresql"
NODE = Node("a", times=STEADY)
TEMPLATE = "with_tables"
"""The database that those of the tests are copies of: a copy is cheaper than the migrations."""


class Network:
    """The bus of one server by a broker: its gateway, and its node with tables."""

    def __init__(self, world: MqttWorld) -> None:
        self._world = world
        self._names = tuple(f"{role}.{NODE.name}" for role in ("gateway", "tables"))
        self.buses = Buses(*(EncodedBus(world.join(name), encode, decode) for name in self._names))

    async def ready(self, server: GameServer) -> None:
        """Return when the gateway knows the node."""
        await self._world.until(lambda: server._gateway.nodes.is_ready)

    @property
    def is_busy(self) -> bool:
        """Whether anything that one role sent the other has not arrived."""
        return self._world.is_busy


class Services:
    """A broker and a database server; each folder of a test has a database of its own."""

    def __init__(self, broker: Mosquitto, cluster: Cluster) -> None:
        self.servers = 0
        self._broker = broker
        self._cluster = cluster
        self._databases: dict[Path, str] = {}
        self._stack = ExitStack()

    def url(self, folder: Path) -> str:
        """The database that belongs to `folder`: a server that opens it again is a restart."""
        if folder not in self._databases:
            new = self._cluster.database(template(self._cluster))
            self._databases[folder] = self._stack.enter_context(new)
        return self._databases[folder]

    @asynccontextmanager
    async def network(self) -> AsyncIterator[Network]:
        """A bus for one server."""
        self.servers += 1
        async with MqttWorld.running(self._broker) as world:
            yield Network(world)

    def close(self) -> None:
        """Delete the databases."""
        self._stack.close()


def template(cluster: Cluster) -> str:
    """The name of a database with empty tables, made when it is first asked for."""
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
