"""A courier by an MQTT 5 broker. No other module knows the client's library, `aiomqtt`.

One task, `run`, owns the connection. The library does not reconnect, and leaves sockets open in
some failures; so each connection gets a new client, which is given up for good with its connection.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import structlog
from aiomqtt import Client, Message, MqttCodeError, MqttError, ProtocolVersion, Will
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from server.bus.broker import Broker
from server.bus.courier import Counters, Handler, Letter, Presence
from server.bus.outbox import Outbox
from server.bus.topics import Handlers
from server.ops.isolation import isolated

log = structlog.get_logger()
library_log = logging.getLogger("mqtt")
"""The library's: it calls each lost connection an error, which is our `broker_lost`."""
library_log.setLevel(logging.CRITICAL)

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


class MqttCourier:
    """The courier of one process, which the broker knows as `identifier`.

    Two processes with the same identifier throw each other out. A process that was restarted
    should keep it: the broker then sends the will of the old connection before the new birth.
    """

    def __init__(
        self,
        broker: Broker,
        identifier: str,
        rng: Random,
        presence: Presence | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._broker = broker
        self._identifier = identifier
        self._rng = rng
        self._presence = presence
        self._limits = limits or Limits()
        self._tls = broker.tls_context()
        self._handlers = Handlers()
        self._listeners: list[Callable[[], None]] = []
        self._changes: list[tuple[str, bool]] = []
        self._outbox = Outbox(self._limits.messages, self._limits.waiting)
        self._work = asyncio.Event()
        self._connected = False
        self._counters = Counters()

    @property
    def connected(self) -> bool:
        """Whether the broker has accepted the connection and, so far as known, still holds it."""
        return self._connected

    @property
    def counters(self) -> Counters:
        """What it has done so far."""
        return self._counters

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """Let a message wait to be sent; too large a one, or the oldest of too many, is dropped.

        `ValueError` if the topic is none to publish to.
        """
        if not topic or "+" in topic or "#" in topic or "\0" in topic:
            raise ValueError(f"nobody can publish to {topic!r}")
        if len(payload) > self._limits.payload or len(topic) > TOPIC_BYTES // 4:
            self._counters.dropped += 1
            log.warning("message_too_large", topic=topic, bytes=len(payload))
            return
        self._counters.dropped += self._outbox.put(Letter(topic, payload, retain, qos))
        self._work.set()

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Give `handler` what arrives for a filter, from now on and after every reconnect."""
        self._handlers.add(topic_filter, handler)
        self._changes.append((topic_filter, True))
        self._work.set()

    def unsubscribe(self, topic_filter: str) -> None:
        """Give nothing more to the handler of a filter."""
        self._handlers.remove(topic_filter)
        self._changes.append((topic_filter, False))
        self._work.set()

    def on_connect(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each connect, once subscriptions and presence stand again."""
        self._listeners.append(listener)

    async def run(self) -> None:
        """Keep the connection until cancelled; nothing that the broker does ends this.

        Until Python 3.12 `asyncio.wait_for`, by which the library waits, and a task group lose a
        cancellation that comes together with a result or a failure. So it is repeated.
        """
        keeping = asyncio.ensure_future(self._keep_connected())  # noqa: TID251 - ended below
        try:
            await asyncio.wait((keeping,))
        finally:
            while not keeping.done():
                keeping.cancel()
                await asyncio.wait((keeping,), timeout=2 * self._limits.goodbye)

    async def _keep_connected(self) -> None:
        """Connect again and again.

        A broker that lets us in and throws us out again is tried less and less often, too.
        """
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began: float | None = None
            try:
                async with self._client() as client:
                    await self._announce(client)
                    log.info("broker_connected", broker=str(self._broker), attempt=failures + 1)
                    began = loop.time()
                    await self._converse(client)
            except Exception as error:
                cause = _cause(error)
                if not isinstance(cause, MqttError | OSError):
                    log.error("courier_failed", exc_info=cause)
                elif began is not None or not failures:
                    log.warning("broker_lost", broker=str(self._broker), reason=_reason(cause))
            if began is not None and loop.time() - began >= self._limits.answer:
                failures = 0
            await asyncio.sleep(self._pause(failures))
            failures += 1

    def _pause(self, failures: int) -> float:
        """Seconds until the next try: many processes that lost a broker do not come at once."""
        limits = self._limits
        longest = min(limits.longest_pause, limits.first_pause * 2.0 ** min(failures, 30))
        return longest * self._rng.uniform(0.5, 1.0)

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        """A connected client, whose connection is gone afterwards whatever happens."""
        limits, presence = self._limits, self._presence
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
        properties.SessionExpiryInterval = 0
        properties.MaximumPacketSize = limits.payload + TOPIC_BYTES
        client = _Client(
            self._broker.host,
            self._broker.port,
            username=self._broker.user,
            password=self._broker.password,
            identifier=self._identifier,
            logger=library_log,
            queue_type=_inbox(self._deliver),
            protocol=ProtocolVersion.V5,
            will=None if presence is None else _will(presence.will),
            timeout=limits.answer,
            keepalive=limits.keepalive,
            clean_start=True,
            properties=properties,
            tls_context=self._tls,
            socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
        )
        client.pending_calls_threshold = AT_ONCE
        try:
            lost = client._disconnected
            await client.__aenter__()
            # The library forgets a loss that comes together with the connection.
            if lost.done():
                raise MqttError("the broker closed the connection at once") from lost.exception()
            try:
                yield client
            except asyncio.CancelledError:
                await self._say_goodbye(client)
                raise
        finally:
            self._connected = False
            _close(client)

    async def _announce(self, client: Client) -> None:
        """Subscribe to everything, say that this process is here, and tell the listeners."""
        self._changes.clear()
        await self._subscribe(client, self._handlers.filters)
        if self._presence is not None:
            await self._publish(client, self._presence.birth)
        self._counters.connects += 1
        self._connected = True
        self._work.set()  # the connection before may have left something
        for listener in self._listeners:
            with isolated("courier_listener_failed"):
                listener()

    async def _converse(self, client: Client) -> None:
        """Send what waits until the connection is lost, which raises."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_lost(client))
            tasks.create_task(self._send(client))

    async def _send(self, client: Client) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            # Before the messages: one may ask for an answer that comes to the new subscription.
            await self._change_subscriptions(client)
            _heed_cancellation()
            while letters := self._outbox.take(AT_ONCE):
                await self._publish_all(client, letters)
                _heed_cancellation()

    async def _change_subscriptions(self, client: Client) -> None:
        changes, self._changes = dict(self._changes), []
        await self._subscribe(client, [name for name, wanted in changes.items() if wanted])
        if ended := [name for name, wanted in changes.items() if not wanted]:
            await client.unsubscribe(ended)

    async def _subscribe(self, client: Client, filters: list[str]) -> None:
        if not filters:
            return
        options = SubscribeOptions(qos=0)
        codes = await client.subscribe([(name, options) for name in filters])
        for name, code in zip(filters, codes, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                log.error("subscription_refused", topic=name, reason=str(code))

    async def _publish(self, client: Client, letter: Letter) -> None:
        try:
            await client.publish(letter.topic, letter.payload, letter.qos, letter.retain)
        except BaseException:
            self._counters.dropped += 1
            raise
        self._counters.published += 1

    async def _publish_all(self, client: Client, letters: Sequence[Letter]) -> None:
        """Publish messages together; they leave in order, so only the last is waited for.

        With `client.publish` each would cost a task and a limit of time: two thirds of the whole.
        """
        *others, last = letters
        try:
            for letter in others:
                if letter.qos:
                    await client.publish(letter.topic, letter.payload, letter.qos, letter.retain)
                else:
                    _hand_over(client, letter)
            await client.publish(last.topic, last.payload, last.qos, last.retain)
        except BaseException:
            # Some may have arrived; nobody knows which.
            self._counters.dropped += len(letters)
            raise
        self._counters.published += len(letters)

    def _deliver(self, message: Message) -> None:
        payload = message.payload
        for handler in self._handlers.of(message.topic.value):
            self._counters.received += 1
            with isolated("courier_handler_failed"):
                handler(message.topic.value, payload)

    async def _say_goodbye(self, client: Client) -> None:
        """Send what still waits, and the will, which the broker drops when we part in order."""
        try:
            async with asyncio.timeout(self._limits.goodbye):
                for letter in self._outbox.take(AT_ONCE):
                    await self._publish(client, letter)
                if self._presence is not None:
                    await self._publish(client, self._presence.will)
                await client.__aexit__(None, None, None)
        except (MqttError, OSError) as error:
            log.info("broker_left_without_goodbye", reason=_reason(error))


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


def _inbox(deliver: Callable[[Message], None]) -> type[asyncio.Queue[Message]]:
    """A queue that hands on at once: through a real one each message would cost a task."""

    class Inbox(asyncio.Queue[Message]):
        def put_nowait(self, item: Message) -> None:
            deliver(item)

    return Inbox


async def _lost(client: Client) -> None:
    """Raise `MqttError` when the connection is lost; messages go past this, by `_inbox`."""
    async for _ in client.messages:
        raise AssertionError("the inbox keeps nothing")
    raise MqttError("the connection is closed")


def _heed_cancellation() -> None:
    """Raise `CancelledError` in a task of a group that was cancelled: groups do that only once."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


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


def _cause(error: BaseException) -> BaseException:
    """The first exception of a group, or the exception itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
