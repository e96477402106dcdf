"""The command router: checks each command, hands it to the tables, and sees that it is answered.

a frame ─▶ too fast? ─▶ decoded ─▶ answered a moment ago? ─▶ the tables ─▶ one answer
"""

from collections.abc import Callable

import structlog

from protocol.errors import ProtocolError
from protocol.prices import PRICES
from protocol.to_server import Hello, Ping, Sync
from protocol.version import CLOSE_REFUSED
from server.commands.delivery import Delivery, Sent
from server.commands.failures import FailedMessages
from server.commands.handshake import Handshake
from server.commands.introductions import TablesAway
from server.connections.connection import Connection
from server.connections.fair_queue import FairQueue
from server.connections.registry import ConnectionRegistry
from server.connections.tables_nodes import TablesNodes
from server.crossing.refusals import refusal
from server.crossing.requests import COMMANDS, SECONDS, Asked, Done
from server.ops.tracing import CAUSE, new_trace

log = structlog.get_logger()

EXPENSIVE = 3
"""The price from which commands wait for their turn in the fair queue."""
SYNC_SECONDS = 1.0
"""After so long a client may ask again for a table whose snapshot is on its way."""


class CommandRouter:
    """`now` gives server time in seconds; `settle` sends what was put into next frames."""

    def __init__(
        self,
        connections: ConnectionRegistry,
        nodes: TablesNodes,
        delivery: Delivery,
        handshake: Handshake,
        fair_queue: FairQueue,
        now: Callable[[], float],
        settle: Callable[[], None],
    ) -> None:
        self._connections = connections
        self._nodes = nodes
        self._delivery = delivery
        self._handshake = handshake
        self._fair_queue = fair_queue
        self._failures = FailedMessages(connections)
        self._now = now
        self._settle = settle

    async def receive(self, connection: Connection, raw: bytes | str, waited: float = 0.0) -> None:
        """Have one message of a connection carried out and answered, or say why not.

        It has `waited` so many seconds since it could be read. Most messages are moves: between one
        and its table lie as few calls as can be.
        """
        if connection.closing:
            # If it was replaced, what it says was sent again on the newer one.
            return
        session = connection.session
        now = self._now()
        arrived = now - waited
        try:
            session.admit(raw, now)
            command = session.codec.decode_command(raw)
            session.check(command, now)
            price = PRICES[command.type]
            if type(command) is Sync and not connection.may_sync(command.table):
                self._refuse_sync(connection, command, arrived)
                return
            if price >= EXPENSIVE and not await self._its_turn(connection, price):
                return
            if isinstance(command, Hello):
                await self._hello(connection, command, arrived)
            elif isinstance(command, Ping):
                self._connections.put(connection, {"type": "pong", "id": command.id})
                self._count_ping(connection, command, arrived)
            elif (answer := session.recall(command)) is not None:
                self._connections.put(connection, answer)
            else:
                key = session.key(command)
                CAUSE.set(key)
                if not self._connections.begin_command(key, command, arrived, connection):
                    # Its answer is on its way.
                    return
                new = session.is_new(command)
                nodes, sent = self._nodes, Sent()
                asked = Asked(nodes.name, connection.number, key, command, new)
                if nodes.only:
                    nodes.bus.send(nodes.only, COMMANDS, asked, sent, SECONDS)
                    if sent.answer is None:
                        sent.peer = nodes.only
                        await sent.wait_a_moment()
                if isinstance(sent.answer, Done):
                    # What it caused comes with a batch, after which everything is sent.
                    return
                await self._delivery.deliver(asked, sent)
        except Exception as error:
            self._failures.answer(connection, error)
        finally:
            CAUSE.set(None)
        self._settle()

    async def _its_turn(self, connection: Connection, price: float) -> bool:
        """Wait until something of this price may be done; False if it is too late for it then."""
        await self._fair_queue.wait_turn(price, connection.share, connection.unread())
        return not connection.closing

    def _count_ping(self, connection: Connection, command: Ping, arrived: float) -> None:
        identity = connection.session.identity
        player = None if identity is None else identity.player.id
        self._connections.count(command, "ok", arrived, connection, player)

    def _refuse_sync(self, connection: Connection, command: Sync, arrived: float) -> None:
        """Refuse a snapshot while another one is on its way, without waiting for a turn."""
        error = refusal("try_again", "refused_snapshot", id=command.id, retry_after=SYNC_SECONDS)
        self._failures.refuse(connection, command.id, error)
        self._connections.count(command, error.code, arrived, connection, connection.player)
        self._settle()

    async def _hello(self, connection: Connection, hello: Hello, arrived: float) -> None:
        result = "ok"
        CAUSE.set(new_trace())
        try:
            await self._handshake.hello(connection, hello)
        except ProtocolError as error:
            result = error.code
            self._failures.refuse(connection, hello.id, error)
            # After a field that cannot be used the client may send another hello.
            if error.code != "bad_message":
                connection.close(CLOSE_REFUSED, error.code)
        except TablesAway as error:
            failure = error.why
            result = failure.code
            self._failures.refuse(connection, hello.id, failure)
        except Exception:
            log.exception("hello_failed")
            failure = refusal("internal", "refused_mistake_again")
            result = failure.code
            self._failures.refuse(connection, hello.id, failure)
            connection.close(CLOSE_REFUSED, failure.code)
        self._connections.count(hello, result, arrived, connection, None)
