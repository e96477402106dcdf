"""A TCP proxy between client and server that a test can cut, freeze and close."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

NARROW_BYTES = 16_384
"""What a narrow path to the server takes in while its bytes are not passed on."""


class Proxy:
    """A TCP proxy that forwards bytes both ways. Clients connect to `url`.

    Through a narrow proxy the server notices soon that a client does not read.
    """

    def __init__(self, port: int, *, narrow: bool = False) -> None:
        self.url = ""
        self.port = 0
        self.accepted = 0
        self._port = port
        self._narrow = narrow
        self._open = True
        self._silent = False
        self._links: set[_Link] = set()

    def cut(self) -> None:
        """End every connection at once, as a router does that loses its state."""
        for link in tuple(self._links):
            link.cut()

    def freeze(self) -> None:
        """Forward nothing more on the existing connections, which stay open."""
        for link in self._links:
            link.freeze()

    def silence(self) -> None:
        """Forward nothing in either direction, on new connections neither, until `thaw`."""
        self._silent = True
        self.freeze()

    @property
    def held(self) -> int:
        """Return the number of connections with bytes that are held back."""
        return sum(link.held for link in self._links)

    def drop(self) -> None:
        """Freeze all connections and refuse new ones until `reopen` and `thaw`."""
        self._open = False
        self.freeze()

    def thaw(self) -> None:
        """Forward the bytes that were held back."""
        self._silent = False
        for link in self._links:
            link.thaw()

    def half_open(self) -> None:
        """Close the connections to the server only; the clients do not notice."""
        for link in tuple(self._links):
            link.half_open()

    def close(self) -> None:
        """End every connection and accept no new ones."""
        self._open = False
        self.cut()

    def reopen(self) -> None:
        self._open = True

    def lead_to(self, port: int) -> None:
        """Forward connections to another server from now on."""
        self._port = port

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either side ends it."""
        if not self._open:
            writer.transport.abort()
            return
        self.accepted += 1
        try:
            far_reader, far_writer = await self._reach()
        except OSError:
            writer.transport.abort()
            return
        link = _Link(writer, far_writer)
        if self._silent:
            link.freeze()
        self._links.add(link)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(link.carry(reader, far_writer))
                tasks.create_task(link.carry(far_reader, writer))
        finally:
            link.cut()
            self._links.discard(link)

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if not self._narrow:
            return await asyncio.open_connection("127.0.0.1", self._port)
        # The size of a packet decides how much the server's side of the path holds back.
        far = socket.socket()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW_BYTES)
        far.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, NARROW_BYTES // 8)
        far.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(far, ("127.0.0.1", self._port))
        except OSError:
            far.close()
            raise
        return await asyncio.open_connection(sock=far, limit=NARROW_BYTES)


class _Link:
    """One connection through the proxy."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self._near = near
        self._far = far
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._half_open = False
        self.held = False

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
                if not self._flowing.is_set():
                    self.held = True
                    await self._flowing.wait()
                if not writer.transport.is_closing():
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        if not self._half_open:
            self.cut()


@asynccontextmanager
async def proxy(port: int, *, narrow: bool = False) -> AsyncIterator[Proxy]:
    """A proxy in front of the server at `port`."""
    between = Proxy(port, narrow=narrow)
    async with await asyncio.start_server(between.accept, "127.0.0.1") as server:
        between.port = server.sockets[0].getsockname()[1]
        between.url = f"ws://127.0.0.1:{between.port}"
        yield between
        between.close()
