"""Public events on their way to a broker: the connection, and saying again what may be lost.

Players never wait for it: messages wait in the courier's bounded queue, the oldest are dropped.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random

import structlog

from server.events.courier import Courier, Letter, Presence
from server.events.messages import Server
from server.events.options import EventOptions
from server.events.publisher import Publisher
from server.events.topics import Topics
from server.ops.isolation import forever

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


def presence_of(topics: Topics, version: str, url: str | None) -> Presence:
    """What the broker is told of the server; `url` is where players join."""
    here = Server(online=True, version=version, url=url)
    gone = here.model_copy(update={"online": False})
    return Presence(
        *(Letter(topics.server, each.model_dump_json().encode(), True) for each in (here, gone))
    )


def courier_for(
    options: EventOptions, topics: Topics, presence: Presence, node: str = ""
) -> Courier:
    """The courier of this server's public events, or of one `node` of several."""
    # The library is installed only where it is wanted.
    from server.events.mqtt import MqttCourier

    identifier = topics.alias(f"server {node}" if node else "server")
    identifier = identifier.replace("private", "blackqueen")
    return MqttCourier(options.broker, identifier, Random(), presence)


class EventService:
    """Runs a courier, and has `publisher` repair what it may have lost.

    With a `shared` presence other nodes have the same: when one of them goes, the broker says that
    the server is gone, and those that stay say that it is there.
    """

    def __init__(
        self,
        courier: Courier,
        topics: Topics,
        now: Callable[[], float],
        check_seconds: float = CHECK_SECONDS,
        gather_seconds: float = GATHER_SECONDS,
        shared: Presence | None = None,
    ) -> None:
        self.courier = courier
        self.publisher = Publisher(courier, topics, now, self._wake)
        self._topics = topics
        self._check_seconds = check_seconds
        self._gather_seconds = gather_seconds
        self._reached = asyncio.Event()
        self._news = asyncio.Event()
        self._lost = 0
        self._dropped = 0
        self._dropping = False
        self._looks = 0
        self._shared = shared
        self._is_denied = False
        courier.on_connect(self._reached.set)
        courier.on_connect(self._wake)
        if shared is not None:
            courier.subscribe(shared.will.topic, self._heard)

    async def run(self) -> None:
        """Keep the connection, and what the broker retains, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            # Before the courier, which says goodbye with what it has been given by then.
            tasks.create_task(self._tell_until_the_end())
            tasks.create_task(forever("courier_failed", self.courier.run))
            tasks.create_task(forever("events_failed", self._check))

    def counts(self) -> dict[str, int]:
        """The figures of this for `Metrics`."""
        counters = self.courier.counters
        return {
            "published": counters.published,
            "dropped": self._all_dropped,
            "reconnects": counters.reconnects,
            "connected": int(self.courier.connected),
        }

    def remark(self) -> str:
        """What is wrong, in words that anybody may read; "" if nothing is."""
        if self.courier.connected:
            return ""
        return "public events: the broker cannot be reached; the log says why"

    @property
    def _all_dropped(self) -> int:
        return self.courier.counters.dropped + self.publisher.dropped

    def _wake(self) -> None:
        self._news.set()

    async def _tell_until_the_end(self) -> None:
        try:
            await forever("events_failed", self._tell)
        finally:
            self.publisher.tell(AT_ONCE)

    async def _tell(self) -> None:
        """Once: wait until there is something to tell, and tell it a little at a time."""
        await self._news.wait()
        await asyncio.sleep(self._gather_seconds)
        self._news.clear()
        self._say_presence()
        more = True
        while more:
            more = self.publisher.tell(AT_ONCE)
            await asyncio.sleep(PAUSE_SECONDS if more else 0)

    def _heard(self, topic: str, payload: bytes) -> None:
        """Something is said of the server, by another node, for this one, or by anybody."""
        with suppress(ValueError):
            if not Server.model_validate_json(payload).online:
                self._is_denied = True
                self._wake()

    def _say_presence(self) -> None:
        if self._is_denied and self._shared is not None and self.publisher.may_tell:
            self._is_denied = False
            birth = self._shared.birth
            self.courier.publish(birth.topic, birth.payload, retain=True)

    async def _check(self) -> None:
        """Once: wait for a connect or for the time to look, and see to what may be lost."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._check_seconds / (LOOKS if self._looks else 1)):
                await self._reached.wait()
        connected, lost = self._reached.is_set(), self.courier.counters.dropped
        self._reached.clear()
        if not connected and self._looks <= 1:
            self.publisher.remove_unknown()
        self._remove_stale(connected)
        if connected or lost != self._lost:
            self._lost = lost
            self.publisher.repair_all()
        # What was not to be told until now.
        self._wake()
        self._report()

    def _report(self) -> None:
        """Say once that messages are dropped, until none was for as long as between two looks."""
        dropped = self._all_dropped
        dropping = dropped != self._dropped
        if dropping and not self._dropping:
            log.warning("events_dropped", count=dropped - self._dropped, total=dropped)
        self._dropped, self._dropping = dropped, dropping

    def _remove_stale(self, connected: bool) -> None:
        """Ask the broker what it retains of tables, again where it may have more, or no longer."""
        was_asked = self._looks > 0
        asks = self.publisher.has_removed() or connected
        self._looks = LOOKS if asks else max(0, self._looks - 1)
        for topic_filter in self._topics.retained:
            if asks:
                self.courier.subscribe(topic_filter, self.publisher.found)
            elif was_asked and not self._looks:
                self.courier.unsubscribe(topic_filter)
