"""A courier by an MQTT 5 broker: what is to be sent, and connecting again and again.

One task, `run`, owns the connection (`mqtt_connection.py`).
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random

import structlog

from server.events.broker import Broker
from server.events.courier import Counters, Handler, Letter, Presence
from server.events.mqtt_connection import AT_ONCE, LOST, TOPIC_BYTES, Connection, Limits, connected
from server.events.outbox import Outbox
from server.events.subscriptions import Handlers
from server.ops.isolation import isolated

log = structlog.get_logger()


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
                async with self._connection() as connection:
                    await self._announce(connection)
                    log.info("broker_connected", broker=str(self._broker), attempt=failures + 1)
                    began = loop.time()
                    await self._converse(connection)
            except Exception as error:
                cause = _cause(error)
                if not isinstance(cause, LOST):
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
    async def _connection(self) -> AsyncIterator[Connection]:
        """A connection that is said goodbye to if it is we who end it."""
        will = None if self._presence is None else self._presence.will
        accepted = connected(
            self._broker, self._tls, self._identifier, will, self._limits, self._deliver
        )
        async with accepted as connection:
            try:
                yield connection
            except asyncio.CancelledError:
                await self._say_goodbye(connection)
                raise
            finally:
                self._connected = False

    async def _announce(self, connection: Connection) -> None:
        """Subscribe to everything, say that this process is here, and tell the listeners."""
        self._changes.clear()
        await connection.subscribe(self._handlers.filters)
        if self._presence is not None:
            await self._publish(connection, (self._presence.birth,))
        self._counters.connects += 1
        self._connected = True
        self._work.set()  # the connection before may have left something
        for listener in self._listeners:
            with isolated("courier_listener_failed"):
                listener()

    async def _converse(self, connection: Connection) -> None:
        """Send what waits until the connection is lost, which raises."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(connection.until_lost())
            tasks.create_task(self._send(connection))

    async def _send(self, connection: Connection) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            # Before the messages: one may ask for an answer that comes to the new subscription.
            await self._change_subscriptions(connection)
            _heed_cancellation()
            while letters := self._outbox.take(AT_ONCE):
                await self._publish(connection, letters)
                _heed_cancellation()

    async def _change_subscriptions(self, connection: Connection) -> None:
        changes, self._changes = dict(self._changes), []
        await connection.subscribe([name for name, wanted in changes.items() if wanted])
        await connection.unsubscribe([name for name, wanted in changes.items() if not wanted])

    async def _publish(self, connection: Connection, letters: Sequence[Letter]) -> None:
        try:
            await connection.publish(letters)
        except BaseException:
            self._counters.dropped += len(letters)
            raise
        self._counters.published += len(letters)

    def _deliver(self, topic: str, payload: bytes) -> None:
        for handler in self._handlers.of(topic):
            self._counters.received += 1
            with isolated("courier_handler_failed"):
                handler(topic, payload)

    async def _say_goodbye(self, connection: Connection) -> None:
        """Send what still waits, and the will, which the broker drops when we part in order."""
        try:
            async with asyncio.timeout(self._limits.goodbye):
                for letter in self._outbox.take(AT_ONCE):
                    await self._publish(connection, (letter,))
                if self._presence is not None:
                    await self._publish(connection, (self._presence.will,))
                await connection.part()
        except LOST as error:
            log.info("broker_left_without_goodbye", reason=_reason(error))


def _heed_cancellation() -> None:
    """Raise `CancelledError` in a task of a group that was cancelled: groups do that only once."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _cause(error: BaseException) -> BaseException:
    """The first exception of a group, or the exception itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
