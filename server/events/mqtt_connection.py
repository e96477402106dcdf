"""One connection to an MQTT 5 broker. No other module knows the client's library, `aiomqtt`.

The library does not reconnect, and leaves sockets open in some failures; so each connection gets a
new client, which is given up for good with its connection.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from aiomqtt import Client, Message, MqttCodeError, MqttError, ProtocolVersion, Will
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from server.events.broker import Broker
from server.events.courier import Handler, Letter

log = structlog.get_logger()
library_log = logging.getLogger("mqtt")
"""The library's: it calls each lost connection an error, which is our `broker_lost`."""
library_log.setLevel(logging.CRITICAL)

LOST = (MqttError, OSError)
"""What is raised by whatever is done with a connection that is lost."""
AT_ONCE = 64
"""Messages that are given to the library together: it waits for each until the socket took it."""
TOPIC_BYTES = 1024
"""What a topic and the head of a packet may take beside the payload."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds and sizes in bytes that a courier keeps to."""

    keepalive: int = 5
    """A broker that says nothing for twice as long is given up."""
    answer: float = 5.0
    """How long the broker may take to accept a connection, a subscription or a message."""
    goodbye: float = 1.0
    first_pause: float = 0.1
    """Between the loss of a connection and the next try; it doubles with every failure."""
    longest_pause: float = 10.0
    messages: int = 10_000
    """How many messages may wait to be sent, and below how many bytes they may take."""
    waiting: int = 8 * 1024 * 1024
    payload: int = 1024 * 1024
    """The largest payload, sent or received."""


class Connection:
    """A connection that a broker has accepted. When it is lost, everything raises one of `LOST`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to all `filters`; the log says which of them the broker refuses."""
        if not filters:
            return
        options = SubscribeOptions(qos=0)
        codes = await self._client.subscribe([(name, options) for name in filters])
        for name, code in zip(filters, codes, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                log.error("subscription_refused", topic=name, reason=str(code))

    async def unsubscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to `filters` no longer."""
        if filters:
            await self._client.unsubscribe(list(filters))

    async def publish(self, letters: Sequence[Letter]) -> None:
        """Publish messages together; they leave in order, so only the last is waited for.

        With the library's `publish` each would cost a task and a limit of time: two thirds of the
        whole. If this raises, some may have arrived; nobody knows which.
        """
        client = self._client
        *others, last = letters
        for letter in others:
            if letter.qos:
                await client.publish(letter.topic, letter.payload, letter.qos, letter.retain)
            else:
                _hand_over(client, letter)
        await client.publish(last.topic, last.payload, last.qos, last.retain)

    async def until_lost(self) -> None:
        """Raise one of `LOST` when the connection is lost; messages go past this, by `_inbox`."""
        async for _ in self._client.messages:
            raise AssertionError("the inbox keeps nothing")
        raise MqttError("the connection is closed")

    async def part(self) -> None:
        """Tell the broker that this is the end, so that it does not send the will."""
        await self._client.__aexit__(None, None, None)


@asynccontextmanager
async def connected(
    broker: Broker,
    tls: ssl.SSLContext | None,
    identifier: str,
    will: Letter | None,
    limits: Limits,
    deliver: Handler,
) -> AsyncIterator[Connection]:
    """A connection that is gone afterwards whatever happens; `deliver` gets what arrives."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
    properties.SessionExpiryInterval = 0
    properties.MaximumPacketSize = limits.payload + TOPIC_BYTES
    client = _Client(
        broker.host,
        broker.port,
        username=broker.user,
        password=broker.password,
        identifier=identifier,
        logger=library_log,
        queue_type=_inbox(deliver),
        protocol=ProtocolVersion.V5,
        will=None if will is None else _will(will),
        timeout=limits.answer,
        keepalive=limits.keepalive,
        clean_start=True,
        properties=properties,
        tls_context=tls,
        socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
    )
    client.pending_calls_threshold = AT_ONCE
    try:
        lost = client._disconnected
        await client.__aenter__()
        # The library forgets a loss that comes together with the connection.
        if lost.done():
            raise MqttError("the broker closed the connection at once") from lost.exception()
        yield Connection(client)
    finally:
        _close(client)


class _Client(Client):
    """The library's client, which asks the event loop for no socket that is closed by then."""

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


def _will(letter: Letter) -> Will:
    return Will(letter.topic, letter.payload, letter.qos, letter.retain)


def _inbox(deliver: Handler) -> type[asyncio.Queue[Message]]:
    """A queue that hands on at once: through a real one each message would cost a task."""

    class Inbox(asyncio.Queue[Message]):
        def put_nowait(self, item: Message) -> None:
            deliver(item.topic.value, item.payload)

    return Inbox


def _hand_over(client: Client, letter: Letter) -> None:
    """Give a message to the client below the library, which sends it soon, after those before."""
    code = client._client.publish(letter.topic, letter.payload, 0, letter.retain).rc
    if code != MQTTErrorCode.MQTT_ERR_SUCCESS:
        raise MqttCodeError(code, "Could not publish message")


def _close(client: Client) -> None:
    """Close the socket now. The library has no call for it: leaving waits for the broker."""
    client._client._sock_close()
    # Why it was lost is known by now, or nobody wants to know.
    if client._disconnected.done() and not client._disconnected.cancelled():
        client._disconnected.exception()
