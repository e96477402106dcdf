"""The connections of a client beside the first, each as long as a node has one of its tables."""

import asyncio
from collections.abc import Callable

from protocol.client import ClientSession
from protocol.client_events import ClientEvent
from protocol.dial import Backoff
from protocol.errors import ConnectionLost, ProtocolError
from protocol.node_connection import NodeConnection
from protocol.node_socket import NodeSocket


class NodeVisits:
    """Keeps the other connections: `socket_of` makes sockets; `tell` and `fail` get the results."""

    def __init__(
        self,
        session: ClientSession,
        patience: Backoff,
        socket_of: Callable[[NodeConnection], NodeSocket],
        tell: Callable[[list[ClientEvent]], None],
        fail: Callable[[ConnectionLost | ProtocolError], None],
    ) -> None:
        self._session = session
        self._patience = patience
        self._socket_of = socket_of
        self._tell = tell
        self._fail = fail
        self._changed = asyncio.Event()
        self._tasks: dict[NodeConnection, asyncio.Task[None]] = {}
        self._sockets: dict[NodeConnection, NodeSocket] = {}

    async def go_on(self) -> None:
        """Keep connections to the nodes that the session names, for as long as it names them."""
        async with asyncio.TaskGroup() as visits:
            while True:
                await self._changed.wait()
                self._changed.clear()
                others = set(self._session.others)
                for at in self._tasks.keys() - others:
                    self._tasks.pop(at).cancel()
                for at in others - self._tasks.keys():
                    self._tasks[at] = visits.create_task(self._visit(at))

    def look_around(self) -> None:
        """Check for new nodes to connect to, and for messages to send."""
        if self._tasks.keys() != set(self._session.others):
            self._changed.set()
        for socket in self._sockets.values():
            socket.wake()

    async def _visit(self, at: NodeConnection) -> None:
        socket = self._sockets[at] = self._socket_of(at)
        try:
            async with asyncio.TaskGroup() as tasks:
                work = [tasks.create_task(each()) for each in (socket.send, socket.watch)]
                await self._stay(socket)
                for task in work:
                    task.cancel()
        finally:
            del self._sockets[at]
            await socket.close()

    async def _stay(self, socket: NodeSocket) -> None:
        """Read from a node, over as many connections as it takes."""
        loop, at = asyncio.get_running_loop(), socket.at
        seconds = self._patience.give_up_after
        wait, reason, deadline = at.tries > 0, "", loop.time() + seconds
        while not self._session.refused_for_good and loop.time() <= deadline:
            if wait:
                await asyncio.sleep(socket.delay())
            wait, welcomes = True, at.welcomes
            try:
                await socket.open()
                reason = self._lose(socket, await socket.hear())
            except (ConnectionLost, ProtocolError) as error:
                reason = self._lose(socket, str(error))
            if at.welcomes > welcomes:
                deadline = loop.time() + seconds
        self._fail(self._session.refused_for_good or gave_up(self._patience, reason))

    def _lose(self, socket: NodeSocket, reason: str) -> str:
        """Handle the end of a connection; if it was silent, the first is asked about its tables."""
        silent = socket.was_silent or not socket.at.online
        self._tell(self._session.lost(reason, socket.at))
        if silent:
            self._session.unreachable(socket.at)
            self._tell([])
        return reason


def gave_up(patience: Backoff, reason: str) -> ConnectionLost:
    """The error for a server that stayed away for too long."""
    return ConnectionLost(f"gave up after {patience.give_up_after:g} seconds: {reason}")
