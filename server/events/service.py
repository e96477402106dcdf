"""Public events on their way to a broker: the connection, and saying again what may be lost.

Players never wait for it: messages wait in the courier's bounded queue, the oldest are dropped.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random

from server.bus.courier import Courier, Letter, Presence
from server.events.messages import Server
from server.events.options import EventOptions
from server.events.publisher import Publisher
from server.events.topics import Topics
from server.ops.isolation import forever

AT_ONCE = 20
"""Tables whose retained messages are said again before the event loop does something else."""
PAUSE_SECONDS = 0.02
CHECK_SECONDS = 5.0
"""How often to look whether messages were dropped; stale ones are removed for so long after a
connect, because the broker may say anything for ever."""


def courier_for(options: EventOptions, topics: Topics, version: str, url: str | None) -> Courier:
    """The courier of this server's public events; `url` is where players join."""
    # The library is installed only where it is wanted.
    from server.bus.mqtt import MqttCourier

    here = Server(online=True, version=version, url=url)
    gone = here.model_copy(update={"online": False})
    presence = Presence(
        *(Letter(topics.server, each.model_dump_json().encode(), True) for each in (here, gone))
    )
    identifier = topics.alias("server").replace("private", "blackqueen")
    return MqttCourier(options.broker, identifier, Random(), presence)


class EventService:
    """Runs a courier, and has `publisher` repair what it may have lost."""

    def __init__(
        self,
        courier: Courier,
        topics: Topics,
        now: Callable[[], float],
        check_seconds: float = CHECK_SECONDS,
    ) -> None:
        self.courier = courier
        self.publisher = Publisher(courier, topics, now)
        self._topics = topics
        self._check_seconds = check_seconds
        self._reached = asyncio.Event()
        self._dropped = 0
        self._removing = False
        courier.on_connect(self._reached.set)

    async def run(self) -> None:
        """Keep the connection, and what the broker retains, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(forever("courier_failed", self.courier.run))
            tasks.create_task(forever("events_failed", self._repair))

    def counts(self) -> dict[str, int]:
        """The figures of this for `Metrics`."""
        counters = self.courier.counters
        return {
            "published": counters.published,
            "dropped": counters.dropped,
            "reconnects": counters.reconnects,
            "connected": int(self.courier.connected),
        }

    def remark(self) -> str:
        """What is wrong, in words that anybody may read; "" if nothing is."""
        if self.courier.connected:
            return ""
        return "public events: the broker cannot be reached; the log says why"

    async def _repair(self) -> None:
        """Once: wait for a connect or for the time to look, and say again what may be lost."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._check_seconds):
                await self._reached.wait()
        connected, dropped = self._reached.is_set(), self.courier.counters.dropped
        self._reached.clear()
        self._remove_stale(connected)
        if connected or dropped != self._dropped:
            self._dropped = dropped
            self.publisher.repair_all()
        more = True
        while more and self.courier.connected:
            more = self.publisher.repair(AT_ONCE)
            await asyncio.sleep(PAUSE_SECONDS if more else 0)

    def _remove_stale(self, wanted: bool) -> None:
        """Ask the broker what it retains of tables, or no longer."""
        for topic_filter in self._topics.retained:
            if wanted:
                self.courier.subscribe(topic_filter, self.publisher.found)
            elif self._removing:
                self.courier.unsubscribe(topic_filter)
        self._removing = wanted
