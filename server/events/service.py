"""Sends public events to a broker, over one connection after the other.

Players never wait for it: without a connection, or with a slow one, news wait in the publisher's
bounded queue, and the oldest are dropped if there are too many. The broker may lose messages, so
all retained ones are sent again after each connect.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

import structlog

from server.events.broker import Broker
from server.events.messages import Server
from server.events.publisher import Publisher
from server.events.topics import MqttMessage, Topics
from server.ops.isolation import isolated

log = structlog.get_logger()

AT_ONCE = 30
"""Messages that are made and sent before the event loop has time for the players again."""
PAUSE_SECONDS = 0.02
"""How much time it has then; so `AT_ONCE / PAUSE_SECONDS` is the most messages a second."""
GATHER_SECONDS = 0.05
"""How long news wait for more, which are told for less together than one by one."""
CHECK_SECONDS = 5.0
"""How often to look whether messages were dropped. Stale ones are removed until none was found for
so long, or `publisher.MOST_REMOVED` of them: the broker may say anything for ever."""
LOOKS = 5
"""Looks within that time while stale messages are removed. After each that has found some, the
broker is asked again: it hands out only so many at once (Mosquitto: `max_queued_messages`), and
drops the rest without a word."""
GOODBYE_SECONDS = 1.0
"""How long the end of the server may wait for the broker."""
MOST_UNSENT = 10_000
"""Messages that may wait for a connection, the newest: removals, which `LOOKS` do otherwise."""


class ServerPresence(NamedTuple):
    """The messages about the server: one after each connect, and one when it is gone."""

    here: MqttMessage
    gone: MqttMessage


class BrokerConnection(Protocol):
    """A connection to a broker; after its loss all methods raise."""

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to `filters`; the broker sends its retained messages every time."""

    async def unsubscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to `filters` no longer."""

    async def publish(self, messages: Sequence[MqttMessage]) -> None:
        """Publish `messages`, which may be lost all the same."""

    def received(self) -> AsyncIterator[tuple[str, bytes]]:
        """Yield topic and payload of each message that arrives."""

    async def part(self) -> None:
        """Disconnect cleanly."""


Serve: TypeAlias = Callable[[BrokerConnection], Awaitable[None]]
KeepConnected: TypeAlias = Callable[[Serve], Awaitable[None]]
"""Calls what it is given with one connection after the other, until cancelled."""


def presence_of(topics: Topics, version: str, url: str | None) -> ServerPresence:
    """Return the server's presence messages; `url` is the address for players."""
    here = Server(online=True, version=version, url=url)
    gone = here.model_copy(update={"online": False})
    return ServerPresence(
        *(MqttMessage(topics.server, it.model_dump_json().encode(), True) for it in (here, gone))
    )


def connections_to(
    broker: Broker, topics: Topics, presence: ServerPresence, node: str = ""
) -> KeepConnected:
    """Return the connections of this server, or of one `node` of several, to its broker."""
    # The library is installed only where it is wanted.
    from server.events.mqtt import BrokerTimeouts, keep_connected

    # Whoever could tell a client's identifier could throw it out.
    name = topics.alias(f"server {node}" if node else "server").replace("private", "blackqueen")
    return partial(keep_connected, broker, name, presence.gone, BrokerTimeouts())


class EventService:
    """Publishes the tables of `publisher` to a broker, and repairs lost messages.

    With a `shared` presence other nodes have equal messages: when one of them goes, the broker
    reports that the server is gone, and the remaining nodes correct that.
    """

    def __init__(
        self,
        keep_connected: KeepConnected,
        topics: Topics,
        now: Callable[[], float],
        presence: ServerPresence,
        shared: bool = False,
        check_seconds: float = CHECK_SECONDS,
        gather_seconds: float = GATHER_SECONDS,
    ) -> None:
        self.publisher = Publisher(self._publish, topics, now, self._wake)
        self.is_connected = False
        """Whether the broker has accepted the connection and, so far as known, still holds it."""
        self._keep_connected = keep_connected
        self._presence = presence
        self._shared = shared
        self._stale = topics.retained
        self._check_seconds = check_seconds
        self._gather_seconds = gather_seconds
        self._unsent: deque[MqttMessage] = deque(maxlen=MOST_UNSENT)
        self._news = asyncio.Event()
        self._is_denied = False
        self._connects = 0
        self._sent = 0
        self._lost = 0
        self._reported = 0
        self._dropping = False

    async def run(self) -> None:
        """Keep a connection and the retained messages until cancelled.

        In Python 3.11 a task group loses a cancellation that comes together with a failure. So it
        is repeated.
        """
        keeping = asyncio.ensure_future(  # noqa: TID251 - ended below
            self._keep_connected(self.serve)
        )
        try:
            await asyncio.wait((keeping,))
            with isolated("events_failed"):
                keeping.result()
        finally:
            while not keeping.done():
                keeping.cancel()
                await asyncio.wait((keeping,), timeout=2 * GOODBYE_SECONDS)

    async def serve(self, connection: BrokerConnection) -> None:
        """Send events over a connection until it is lost, which raises."""
        try:
            async with asyncio.TaskGroup() as tasks:
                # This one notices at once if the connection is lost.
                tasks.create_task(self._hear(connection))
                tasks.create_task(self._tell(connection))
                tasks.create_task(self._look(connection))
        except asyncio.CancelledError:
            await self._say_goodbye(connection)
            raise
        finally:
            self.is_connected = False

    async def _say_goodbye(self, connection: BrokerConnection) -> None:
        """Send the waiting events, and the will's message, which a broker drops at a clean end."""
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                self.publisher.tell(AT_ONCE)
                await self._send_all(connection)
                await self._send(connection, [self._presence.gone])
                await connection.part()
        except Exception as error:
            reason = str(error) or type(error).__name__
            log.info("broker_left_without_goodbye", reason=reason)

    def counts(self) -> dict[str, int]:
        """The counts of public events for `Metrics`."""
        return {
            "published": self._sent,
            "dropped": self._dropped,
            "reconnects": max(0, self._connects - 1),
            "connected": int(self.is_connected),
        }

    def remark(self) -> str:
        """The trouble with the broker, in words that anybody may read; "" if there is none."""
        if self.is_connected:
            return ""
        return "public events: the broker cannot be reached; the log says why"

    @property
    def _dropped(self) -> int:
        return self._lost + self.publisher.dropped

    def _wake(self) -> None:
        self._news.set()

    def _publish(self, topic: str, payload: bytes, retain: bool) -> None:
        self._unsent.append(MqttMessage(topic, payload, retain))

    async def _hear(self, connection: BrokerConnection) -> None:
        """Receive retained messages and messages about the server, which anybody may have sent."""
        async for topic, payload in connection.received():
            with isolated("events_failed"):
                if topic == self._presence.gone.topic:
                    self._is_denied |= _denies(payload)
                else:
                    self.publisher.found(topic, payload)
                self._wake()

    async def _tell(self, connection: BrokerConnection) -> None:
        """Send that the server is here, and send events, a few at a time."""
        await self._send(connection, [self._presence.here])
        self._connects += 1
        self.is_connected = True
        self.publisher.repair_all()
        while True:
            await self._news.wait()
            await asyncio.sleep(self._gather_seconds)
            self._news.clear()
            if self._is_denied and self.publisher.may_tell:
                self._is_denied = False
                self._publish(*self._presence.here)
            more = True
            while more:
                more = self.publisher.tell(AT_ONCE)
                await self._send_all(connection)
                await asyncio.sleep(PAUSE_SECONDS if more else 0)

    async def _send_all(self, connection: BrokerConnection) -> None:
        while self._unsent:
            few = min(AT_ONCE, len(self._unsent))
            await self._send(connection, [self._unsent.popleft() for _ in range(few)])

    async def _send(self, connection: BrokerConnection, messages: Sequence[MqttMessage]) -> None:
        try:
            await connection.publish(messages)
        except BaseException:
            self._lost += len(messages)
            raise
        self._sent += len(messages)

    async def _look(self, connection: BrokerConnection) -> None:
        """Have retained messages of closed tables removed, and report lost messages.

        The broker sends its retained messages on request, and is asked again if it may have more.
        """
        if self._shared:
            await connection.subscribe([self._presence.gone.topic])
        await connection.subscribe(self._stale)
        looks = LOOKS
        while True:
            await asyncio.sleep(self._check_seconds / (LOOKS if looks else 1))
            if looks <= 1:
                self.publisher.remove_unknown()
            if self.publisher.has_removed():
                looks = LOOKS
                await connection.subscribe(self._stale)
            elif looks:
                looks -= 1
                if not looks:
                    await connection.unsubscribe(self._stale)
            # What was not to be told until now.
            self._wake()
            self._report()

    def _report(self) -> None:
        """Log dropped messages once, until none was dropped between two looks."""
        dropped = self._dropped
        dropping = dropped != self._reported
        if dropping and not self._dropping:
            log.warning("events_dropped", count=dropped - self._reported, total=dropped)
        self._reported, self._dropping = dropped, dropping


def _denies(payload: bytes) -> bool:
    """Whether a message says that the server is gone."""
    try:
        return not Server.model_validate_json(payload).online
    except ValueError:
        return False
