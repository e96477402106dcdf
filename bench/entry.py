"""The address before all nodes: a proxy that leads to the ready ones, as those in deploy/ do."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

HEALTH_SECONDS = 1.0
HEALTH_TIMEOUT_SECONDS = 3.0
REQUEST = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
PIECE = 65_536


class Entry:
    """Carries connections to the nodes at `ports`, each to the one that has fewest of them."""

    def __init__(self, ports: Iterable[int]) -> None:
        self.url = ""
        self.ports = (*ports,)
        self._ready = set(self.ports)
        self._carried: Counter[int] = Counter()

    async def look_after(self, port: int) -> None:
        """Ask a node again and again whether it is ready."""
        while True:
            try:
                async with asyncio.timeout(HEALTH_TIMEOUT_SECONDS):
                    is_ready = await _is_ready(port)
            except (OSError, TimeoutError):
                is_ready = False
            (self._ready.add if is_ready else self._ready.discard)(port)
            await asyncio.sleep(HEALTH_SECONDS)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection until either side ends it."""
        for port in sorted(self._ready, key=self._carried.__getitem__):
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
            self._carried[port] += 1
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(_carry(reader, far_writer))
                    tasks.create_task(_carry(far_reader, writer))
            finally:
                self._carried[port] -= 1
            return
        writer.transport.abort()


@asynccontextmanager
async def entry(ports: Iterable[int]) -> AsyncIterator[Entry]:
    """A proxy before the nodes at these ports."""
    proxy = Entry(ports)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", backlog=2048)
    async with server, asyncio.TaskGroup() as tasks:
        proxy.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        looks = [tasks.create_task(proxy.look_after(port)) for port in proxy.ports]
        try:
            yield proxy
        finally:
            for look in looks:
                look.cancel()


async def _is_ready(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(REQUEST)
        return b" 200 " in await reader.readline()
    finally:
        writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(PIECE):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
