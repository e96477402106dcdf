"""The command router: checks each message, has its command carried out, and keeps the order.

a frame ─▶ too fast? ─▶ decoded ─▶ under way already? ─▶ `Dispatcher` ─▶ one answer

Commands of a connection that are for one table are carried out in their order. One that takes long
lets those for other tables, or for none, pass.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog

from protocol.errors import ProtocolError
from protocol.to_server import AtTable, Hello, Ping, Sync, ToServer
from protocol.version import CLOSE_REFUSED
from server.commands.dispatch import Dispatcher
from server.commands.failures import refuse_message
from server.commands.handshake import Handshake, NotNow
from server.names import CommandKey
from server.ops.isolation import Spawn
from server.ops.tracing import CAUSE, new_trace
from server.refusals import refusal, refused
from server.sessions.connection import Connection
from server.sessions.fair_queue import FairQueue
from server.sessions.registry import ConnectionRegistry

log = structlog.get_logger()

EXPENSIVE = 3
"""The price from which commands wait for their turn in the fair queue."""
SYNC_SECONDS = 1.0
"""After so long a client may ask again for a table whose snapshot is on its way."""
MOMENT_SECONDS = 0.25
"""So long a connection waits for the end of one command before it goes on with the next."""
MOST_UNDER_WAY = 16
"""Commands of one connection that may be under way before it waits for the end of each."""

Line: TypeAlias = tuple[Connection, str]
"""The commands of a connection for one table."""


class CommandRouter:
    """Routes commands. `now` returns server time in seconds."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        dispatcher: Dispatcher,
        handshake: Handshake,
        fair_queue: FairQueue,
        now: Callable[[], float],
        spawn: Spawn,
    ) -> None:
        self._connections = connections
        self._dispatcher = dispatcher
        self._handshake = handshake
        self._fair_queue = fair_queue
        self._now = now
        self._spawn = spawn
        # The end of the last command under way in each line, and how many each connection has.
        self._last: dict[Line, asyncio.Future[None]] = {}
        self._under_way: dict[Connection, int] = {}

    def receive(
        self, connection: Connection, raw: bytes | str, waited: float = 0.0
    ) -> Coroutine[Any, Any, None] | None:
        """Carry out and answer one message of a connection, or say why not.

        If that may take long, the rest is returned and has to be awaited before the next message.
        The message has `waited` this number of seconds since it could be read.
        """
        if connection.closing:
            # If it was replaced, what it says was sent again on the newer one.
            return None
        session = connection.session
        now = self._now()
        arrived = now - waited
        try:
            session.throttle(raw, now)
            command = session.codec.decode_command(raw)
            session.check(command, now)
            if type(command) is Sync and not connection.may_sync(command.table):
                self._refuse_sync(connection, command, arrived)
                return None
            if command.price >= EXPENSIVE or isinstance(command, Hello):
                return self._in_turn(connection, command, arrived)
            rest = self._route(connection, command, arrived)
        except Exception as error:
            rest = None
            refuse_message(connection, error)
        finally:
            CAUSE.set(None)
        self._connections.flush()
        return rest

    async def _in_turn(self, connection: Connection, command: ToServer, arrived: float) -> None:
        """Carry out a command that has to wait, or may have to."""
        try:
            price = command.price
            if price >= EXPENSIVE and not await self._its_turn(connection, price):
                return
            if isinstance(command, Hello):
                await self._hello(connection, command, arrived)
            elif (rest := self._route(connection, command, arrived)) is not None:
                await rest
        except Exception as error:
            refuse_message(connection, error)
        finally:
            CAUSE.set(None)
        self._connections.flush()

    def _route(
        self, connection: Connection, command: ToServer, arrived: float
    ) -> Coroutine[Any, Any, None] | None:
        """Carry out a command whose turn it is; return the rest to be awaited, if any."""
        session = connection.session
        if isinstance(command, Ping):
            connection.put({"type": "pong", "id": command.id})
            player = connection.player.id or None
            self._connections.count(command, "ok", arrived, connection, player)
        else:
            key = session.key(command)
            CAUSE.set(key)
            if self._connections.begin(key, command, arrived, connection):
                # Otherwise its answer is on its way.
                return self._carry_out(connection, key, command, session.is_new(command))
        return None

    def _carry_out(
        self, connection: Connection, key: CommandKey, command: ToServer, fresh: bool
    ) -> Coroutine[Any, Any, None] | None:
        """Carry out a command; for a slow one, return a wait for its end or for a moment."""
        # What is for no table is a line by itself.
        line = connection, command.table if isinstance(command, AtTable) else str(key)
        before = self._last.get(line)
        if before is not None:
            work = self._after(before, connection, key, command, fresh)
        else:
            slow = self._dispatcher.carry_out(connection, key, command, fresh)
            if slow is None:
                return None
            work = slow
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._last[line] = over
        self._under_way[connection] = self._under_way.get(connection, 0) + 1
        self._spawn(self._in_line(line, work, over))
        return self._wait_for(over, self._under_way[connection] > MOST_UNDER_WAY)

    async def _wait_for(self, over: "asyncio.Future[None]", many: bool) -> None:
        await asyncio.wait((over,), timeout=None if many else MOMENT_SECONDS)

    async def _in_line(
        self, line: Line, work: Coroutine[Any, Any, None], over: "asyncio.Future[None]"
    ) -> None:
        connection = line[0]
        try:
            await work
        finally:
            over.set_result(None)
            self._under_way[connection] -= 1
            if not self._under_way[connection]:
                del self._under_way[connection]
            if self._last[line] is over:
                del self._last[line]
            self._connections.flush()

    async def _after(
        self,
        before: "asyncio.Future[None]",
        connection: Connection,
        key: CommandKey,
        command: ToServer,
        fresh: bool,
    ) -> None:
        await asyncio.wait((before,))
        if self._connections.is_in_vain(command, connection):
            return
        slow = self._dispatcher.carry_out(connection, key, command, fresh)
        if slow is not None:
            await slow

    async def _its_turn(self, connection: Connection, price: float) -> bool:
        """Wait until a command of this price may be carried out; False if it is too late."""
        await self._fair_queue.wait_turn(price, connection.share, connection.unread())
        return not connection.closing

    def _refuse_sync(self, connection: Connection, command: Sync, arrived: float) -> None:
        """Refuse a snapshot while another one is being sent, without waiting for a turn."""
        error = refusal("try_again", "refused_snapshot", id=command.id, retry_after=SYNC_SECONDS)
        connection.put(refused(command.id, error))
        self._connections.count(command, error.code, arrived, connection, connection.player.id)
        self._connections.flush()

    async def _hello(self, connection: Connection, hello: Hello, arrived: float) -> None:
        """Answer a hello, and hang up on a client that is refused for good."""
        why: ProtocolError | None = None
        hangs_up = True
        CAUSE.set(new_trace())
        try:
            await self._handshake.hello(connection, hello)
        except NotNow as error:
            why, hangs_up = error.why, False
        except ProtocolError as error:
            # After a field that cannot be used the client may send another hello.
            why, hangs_up = error, error.code != "bad_message"
        except Exception:
            log.exception("hello_failed")
            why = refusal("internal", "refused_mistake_again")
        if why is not None:
            connection.put(refused(hello.id, why))
            if hangs_up:
                connection.close(CLOSE_REFUSED, why.code)
        result = "ok" if why is None else why.code
        self._connections.count(hello, result, arrived, connection, None)
