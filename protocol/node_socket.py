"""The socket of one connection of a client's session, opened anew whenever it was lost."""

import asyncio
from collections.abc import Callable
from random import Random

from websockets.exceptions import ConnectionClosed

from protocol.client import ClientSession
from protocol.client_events import ClientEvent
from protocol.codec import Codec
from protocol.compact_reader import CompactReader
from protocol.dial import Backoff, ServerSocket, dial, parting
from protocol.errors import ConnectionLost
from protocol.node_connection import NodeConnection
from protocol.silence_watcher import SilenceWatcher
from protocol.to_client import Error
from protocol.to_server import ToServer


class NodeSocket:
    """A connection's socket: `at` is the connection in the session; `tell` gets the client events.

    `was_silent` is whether the client closed the last socket because it was silent.
    """

    def __init__(
        self,
        session: ClientSession,
        at: NodeConnection,
        codec: Codec,
        patience: Backoff,
        tell: Callable[[list[ClientEvent]], None],
    ) -> None:
        self.at = at
        self.was_silent = False
        self._session = session
        self._codec = codec
        self._compact = CompactReader()
        self._patience = patience
        self._tell = tell
        self._rng = Random()
        self._attempts = at.tries
        self._shown = at.signs
        self._socket: ServerSocket | None = None
        self._something_to_send = asyncio.Event()
        self._silence = SilenceWatcher(
            lambda: session.waits(at), lambda: session.plays(at), patience
        )

    @property
    def socket(self) -> ServerSocket:
        """The socket that was opened last."""
        assert self._socket is not None
        return self._socket

    def delay(self, at_least: float = 0.0) -> float:
        """The delay before the next attempt, at least as long as the server asked for.

        It grows with each attempt, until a table is shown again.
        """
        if self.at.signs > self._shown:
            self._shown, self._attempts = self.at.signs, 0
        delay = self._patience.delay(self._attempts, self._rng, at_least)
        self._attempts += 1
        return delay

    async def open(self) -> None:
        """Make one attempt to connect and to be welcomed.

        `ConnectionLost` where the server cannot be reached, `ProtocolError` where it refuses us.
        """
        self.was_silent, url = False, self.at.url
        self._socket = socket = await dial(url, self._codec.subprotocol, self._patience)
        self._silence.opened(socket)
        self._compact = CompactReader()
        try:
            async with asyncio.timeout(self._patience.opening):
                for message in self._session.connected(self.at):
                    await socket.send(self._codec.encode_command(message))
                while self.at.greeting:
                    self._hear(await socket.recv())
        except TimeoutError:
            raise ConnectionLost(f"{url} does not answer our hello") from None
        except ConnectionClosed as error:
            raise ConnectionLost(f"{url} hung up on our hello: {parting(error)}") from None
        finally:
            if not self.at.online:
                self._session.disconnected(self.at)
                await socket.close()
        if self.at.refused is not None:
            raise self.at.refused

    async def hear(self) -> str:
        """Read from the server; returns why the connection ended, which may be opened again."""
        closed: ConnectionClosed | None = None
        while closed is None:
            try:
                raw = await self.socket.recv()
            except ConnectionClosed as error:
                closed = error
            else:
                self._hear(raw)
            if self._session.refused_for_good:
                raise self._session.refused_for_good
        silence = self._silence.given_up(self.socket)
        self.was_silent = silence != ""
        if self.at.given_way:
            return "it was opened anew"
        return silence or parting(closed)

    async def send(self) -> None:
        """Send the session's messages on this connection, whenever there are some."""
        while True:
            await self._something_to_send.wait()
            self._something_to_send.clear()
            # A later connection must not get what was taken for this one.
            socket = self.socket
            try:
                for command in self._session.take_outbox(self.at):
                    frame = self._codec.encode_command(command)
                    if self._fits(command, frame):
                        await socket.send(frame)
                        self._silence.sent()
            except ConnectionClosed:
                # The listener learns of it too; what is unanswered will be sent again.
                continue

    async def watch(self) -> None:
        """Close a dead connection without waiting for the operating system."""
        await self._silence.watch()

    def wake(self) -> None:
        """Send pending messages now."""
        if self.at.outbox:
            self._something_to_send.set()

    async def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.close()

    def _fits(self, command: ToServer, frame: bytes | str) -> bool:
        """Whether the server accepts the size of `frame`; a larger one would end the connection."""
        limits = self._session.limits
        size = len(frame.encode() if isinstance(frame, str) else frame)
        if limits is None or size <= limits.message_bytes:
            return True
        reason = f"{size} bytes are too many; the server takes {limits.message_bytes}"
        error = Error(id=command.id, code="message_too_big", reason=reason)
        self._tell(self._session.receive(error, at=self.at))
        return False

    def _hear(self, raw: bytes | str) -> None:
        messages = self._codec.decode_frame(raw, self._compact)
        self._tell(self._session.receive(*messages, at=self.at))
