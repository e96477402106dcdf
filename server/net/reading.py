"""Hands the messages of a connection on, one after the other.

read whole from the network, and nothing before it is under way ─▶ handed on at once
else ─▶ queue ─▶ the connection's task, which also waits for what takes long
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed

from server.net.websocket import CountedConnection
from server.sessions.connection import Connection

Rest: TypeAlias = Coroutine[Any, Any, None]
"""What is left to be done for a message, to be awaited before the next one."""
Receive: TypeAlias = Callable[[Connection, bytes | str, float], Rest | None]
"""Takes a message of a connection that has waited so many seconds."""


class MessageReader:
    """Reads from `websocket` for a `connection` whose player was welcomed."""

    __slots__ = ("_connection", "_is_idle", "_receive", "_rest", "_websocket")

    def __init__(
        self, websocket: CountedConnection, connection: Connection, receive: Receive
    ) -> None:
        self._websocket = websocket
        self._connection = connection
        self._receive = receive
        self._is_idle = False
        self._rest: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Hand messages on until the connection is closed."""
        websocket, time = self._websocket, self._websocket.loop.time
        done = time()
        try:
            while True:
                self._is_idle = True
                self._listen()
                raw = await websocket.recv()
                self._is_idle = False
                websocket.on_message = None
                if self._rest is not None:
                    await self._rest
                    done = time()
                # For what was still being done for it when it sent more, a client waits once.
                waited = time() - max(websocket.since, done)
                rest = self._receive(self._connection, raw, waited)
                if rest is not None:
                    await rest
                done = time()
        except ConnectionClosed:
            websocket.on_message = None
            if self._rest is not None:
                await self._rest
            raise

    def _listen(self) -> None:
        if self._is_idle and self._rest is None:
            self._websocket.on_message = self._at_once

    def _at_once(self, raw: bytes | str) -> None:
        """Hand on a message without waking the task."""
        websocket = self._websocket
        try:
            waited = websocket.loop.time() - websocket.since
            rest = self._receive(self._connection, raw, waited)
        except Exception as error:
            self._connection.fail(error)
            return
        if rest is not None:
            websocket.on_message = None
            self._rest = websocket.loop.create_task(self._finish(rest))

    async def _finish(self, rest: Rest) -> None:
        try:
            await rest
        except Exception as error:
            self._connection.fail(error)
        finally:
            self._rest = None
            self._listen()
