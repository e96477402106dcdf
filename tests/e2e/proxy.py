"""A TCP proxy between client and server that a test can cut, freeze and close."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Proxy:
    """Passes bytes on both ways. Clients connect to `url`."""

    def __init__(self, port: int) -> None:
        self.url = ""
        self.accepted = 0
        self._port = port
        self._open = True
        self._links: set[_Link] = set()

    def cut(self) -> None:
        """End every connection at once, as a router does that forgets them."""
        for link in tuple(self._links):
            link.cut()

    def freeze(self) -> None:
        """From now on nothing gets through on the connections there are, and nobody is told."""
        for link in self._links:
            link.freeze()

    def thaw(self) -> None:
        """The bytes held back are passed on, late."""
        for link in self._links:
            link.thaw()

    def half_open(self) -> None:
        """The server learns that its connections are gone, the clients do not."""
        for link in tuple(self._links):
            link.half_open()

    def close(self) -> None:
        """End every connection and take no new ones."""
        self._open = False
        self.cut()

    def reopen(self) -> None:
        self._open = True

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either side ends it."""
        if not self._open:
            writer.transport.abort()
            return
        self.accepted += 1
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.transport.abort()
            return
        link = _Link(writer, far_writer)
        self._links.add(link)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(link.carry(reader, far_writer))
                tasks.create_task(link.carry(far_reader, writer))
        finally:
            link.cut()
            self._links.discard(link)


class _Link:
    """One connection through the proxy."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self._near = near
        self._far = far
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._half_open = False

    def cut(self) -> None:
        self._flowing.set()
        self._near.transport.abort()
        self._far.transport.abort()

    def freeze(self) -> None:
        self._flowing.clear()

    def thaw(self) -> None:
        self._flowing.set()

    def half_open(self) -> None:
        self._half_open = True
        self._far.transport.abort()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                await self._flowing.wait()
                if not writer.transport.is_closing():
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        if not self._half_open:
            self.cut()


@asynccontextmanager
async def proxy(port: int) -> AsyncIterator[Proxy]:
    """A proxy in front of the server at `port`."""
    between = Proxy(port)
    async with await asyncio.start_server(between.accept, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        between.url = f"ws://127.0.0.1:{port}"
        yield between
        between.close()
