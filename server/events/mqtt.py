"""The connection to an MQTT 5 broker. No other module uses the library `aiomqtt`.

The library does not reconnect, and leaves sockets open in some failures; so each connection gets a
new client, which is discarded with its connection. The time limits are our own: until Python 3.12
`asyncio.wait_for`, on which the library's limits rely, may lose a cancellation.
"""

import asyncio
import logging
import math
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import structlog
from aiomqtt import Client, MqttCodeError, MqttError, ProtocolVersion, Will
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from server.events.broker import Broker
from server.events.topics import MqttMessage

log = structlog.get_logger()
library_log = logging.getLogger("mqtt")
"""The library's: it calls each lost connection an error, which is our `broker_lost`."""
library_log.setLevel(logging.CRITICAL)

LOST = (MqttError, OSError)
"""What is raised by whatever is done with a connection that is lost."""
MOST_RECEIVED = 1_000
"""Messages that wait to be read; the broker hands out those that are too many when asked again."""
LARGEST_RECEIVED = 256 * 1024
"""Bytes of the largest packet that the broker may send."""
CONNECT_SECONDS = 5.0
"""How long the library waits for a socket, in a thread; for TLS it then waits for `keepalive`."""


@dataclass(frozen=True, slots=True)
class BrokerTimeouts:
    """The time limits of a connection, in seconds."""

    keepalive: int = 5
    """A broker that says nothing for twice as long is given up."""
    answer: float = 5.0
    """How long the broker may take to accept a connection, a subscription or a message."""
    first_pause: float = 0.1
    """Between the loss of a connection and the next try; it doubles with every failure."""
    longest_pause: float = 10.0

    def pause(self, failures: int, rng: Random) -> float:
        """Random seconds until the next try, so that many servers do not reconnect at once."""
        longest = min(self.longest_pause, self.first_pause * 2.0 ** min(failures, 30))
        return longest * rng.uniform(0.5, 1.0)


class MqttConnection:
    """A connection that a broker has accepted. After its loss all methods raise one of `LOST`."""

    def __init__(self, client: Client, answer: float) -> None:
        self._client = client
        self._answer = answer

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to all `filters`; the filters that the broker refuses are logged."""
        async with asyncio.timeout(self._answer):
            codes = await self._client.subscribe([(it, 0) for it in filters], timeout=math.inf)
        for name, code in zip(filters, codes, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                log.error("subscription_refused", topic=name, reason=str(code))

    async def unsubscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to `filters` no longer."""
        async with asyncio.timeout(self._answer):
            await self._client.unsubscribe(list(filters), timeout=math.inf)

    async def publish(self, messages: Sequence[MqttMessage]) -> None:
        """Publish `messages` in order, and wait until the socket has taken the last of them.

        Waiting for each would take as many turns of the event loop. If this raises, an unknown
        number of them may have arrived.
        """
        *others, last = messages
        for topic, payload, retain in others:
            code = self._client._client.publish(topic, payload, 0, retain).rc
            if code != MQTTErrorCode.MQTT_ERR_SUCCESS:
                raise MqttCodeError(code, "Could not publish message")
        async with asyncio.timeout(self._answer):
            await self._client.publish(last.topic, last.payload, 0, last.retain, timeout=math.inf)

    async def received(self) -> AsyncIterator[tuple[str, bytes]]:
        """Yield topic and payload of each message that arrives, until the connection is lost."""
        async for message in self._client.messages:
            yield message.topic.value, message.payload
        raise MqttError("the connection is closed")

    async def part(self) -> None:
        """Disconnect cleanly, so that the broker does not send the will."""
        await self._client.__aexit__(None, None, None)


async def keep_connected(
    broker: Broker,
    identifier: str,
    will: MqttMessage,
    limits: BrokerTimeouts,
    serve: Callable[[MqttConnection], Awaitable[None]],
) -> None:
    """Call `serve` with one connection after the other until cancelled.

    The broker sends the `will` when it loses a connection. Two clients with one `identifier` throw
    each other out. A broker that lets us in and throws us out again is tried less and less often.
    """
    loop, rng, failures, tls = asyncio.get_running_loop(), Random(), 0, broker.tls_context()
    while True:
        began: float | None = None
        try:
            async with _connected(broker, tls, identifier, will, limits) as connection:
                log.info("broker_connected", broker=str(broker), attempt=failures + 1)
                began = loop.time()
                await serve(connection)
        except Exception as error:
            _report(broker, error, is_news=began is not None or not failures)
        if began is not None and loop.time() - began >= limits.answer:
            failures = 0
        await asyncio.sleep(limits.pause(failures, rng))
        failures += 1


@asynccontextmanager
async def _connected(
    broker: Broker,
    tls: ssl.SSLContext | None,
    identifier: str,
    will: MqttMessage,
    limits: BrokerTimeouts,
) -> AsyncIterator[MqttConnection]:
    """Open a connection that is closed at the end whatever happens."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
    properties.SessionExpiryInterval = 0
    properties.MaximumPacketSize = LARGEST_RECEIVED
    client = _Client(
        broker.host,
        broker.port,
        username=broker.user,
        password=broker.password,
        identifier=identifier,
        logger=library_log,
        protocol=ProtocolVersion.V5,
        will=Will(will.topic, will.payload, 0, will.retain),
        timeout=math.inf,
        keepalive=limits.keepalive,
        clean_start=True,
        max_queued_incoming_messages=MOST_RECEIVED,
        properties=properties,
        tls_context=tls,
        socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
    )
    try:
        lost = client._disconnected
        # Never before the library's thread is done, which would leave its socket behind.
        async with asyncio.timeout(CONNECT_SECONDS + limits.keepalive + limits.answer):
            await client.__aenter__()
        # The library forgets a loss that comes together with the connection.
        if lost.done():
            raise MqttError("the broker closed the connection at once") from lost.exception()
        yield MqttConnection(client, limits.answer)
    finally:
        # The library has no call for it: leaving waits for the broker.
        client._client._sock_close()
        # Why it was lost is known by now, or nobody wants to know.
        if client._disconnected.done() and not client._disconnected.cancelled():
            client._disconnected.exception()


class _Client(Client):
    """The library's client, with two faults mended.

    It would use the event loop for a socket already closed, and give up its connection for a
    message whose topic MQTT forbids: one that is no UTF-8, is empty, or is a filter.
    """

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        # A broker that keeps such a message would send it again after every connect.
        with suppress(ValueError):
            super()._on_message(client, userdata, message)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: socket.socket) -> None:
        def write() -> None:
            try:
                client.loop_write()
            except Exception as error:
                if not self._disconnected.done():
                    self._disconnected.set_exception(error)

        def register() -> None:
            # The library would take the number that it had, which may be another socket's now.
            if sock.fileno() >= 0:
                self._loop.add_writer(sock.fileno(), write)

        self._loop.call_soon_threadsafe(register)


def _report(broker: Broker, error: BaseException, is_news: bool) -> None:
    """Log why there is no connection: of a group of exceptions the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, LOST):
        log.error("events_failed", exc_info=error)
    elif is_news:
        reason = str(error) or type(error).__name__
        log.warning("broker_lost", broker=str(broker), reason=reason)
