"""A server in several processes: gateways, tables, and a broker between them."""

import asyncio
import re
from http.client import RemoteDisconnected
from pathlib import Path

from tests.e2e.processes import Programs, Server
from tests.e2e.program import SECONDS
from tests.e2e.test_disk import ready
from tests.mosquitto import Mosquitto

ROLE_READY = re.compile(r"^Roles: [a-z, ]+\. Health and figures at http://127\.0\.0\.1:(\d+)/$")


class ClusterProcesses:
    """Starts the processes of one server on the bus at `broker`."""

    def __init__(self, programs: Programs, broker: Mosquitto) -> None:
        self._programs = programs
        self.bus = f"{broker.url}/{broker.topic()}"

    async def gateway(self, node: str, *flags: str, source: Path | None = None) -> Server:
        """A gateway that is ready for connections, if not for games; `source` as in `Programs`."""
        return await self._programs.serve(
            "--roles", "gateway", "--bus", self.bus, "--node", node, *flags, source=source
        )

    async def whole(self, node: str, *flags: str) -> Server:
        """A process with all roles, one of several, that is ready for connections."""
        return await self._programs.serve("--bus", self.bus, "--node", node, *flags)

    async def tables(self) -> Server:
        """A process with all tables that has begun."""
        return await self.role("tables", "t1")

    async def role(self, roles: str, node: str, *flags: str, source: Path | None = None) -> Server:
        """A process without players that has begun."""
        program = await self._programs.start_server(
            "--roles", roles, "--bus", self.bus, "--node", node, *flags, source=source
        )
        line = await program.line(lambda text: True)
        found = ROLE_READY.match(line)
        assert found, f"{line!r}\n{program}"
        return Server(program, "", int(found[1]), self._programs.data)


async def until_ready(*servers: Server) -> None:
    """Wait until all of these say that games can be played.

    One that has too much to do hangs up on who asks, and is asked again.
    """
    async with asyncio.timeout(SECONDS):
        for server in servers:
            while not await _is_ready(server):
                pass


async def _is_ready(server: Server) -> bool:
    try:
        return (await ready(server))[0] == 200
    except RemoteDisconnected:
        return False


async def until_without_tables(gateway: Server) -> None:
    """Wait until a gateway says that no games can be played, as there are no tables."""
    async with asyncio.timeout(SECONDS):
        while await ready(gateway) != (503, "no tables can be reached\n"):
            pass
