"""A client of a real broker, for tests that read or write there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from server.events.broker import Broker
from server.events.mqtt import BrokerTimeouts, keep_connected
from server.events.service import BrokerConnection
from server.events.topics import MqttMessage

PATIENCE = 60.0
QUICK = BrokerTimeouts(keepalive=1, answer=2.0, first_pause=0.01, longest_pause=0.1)


class MqttClient:
    """Subscribes to `filters`, reconnects after each loss, and records arrivals in `heard`."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        *filters: str,
        will: MqttMessage | None = None,
        limits: BrokerTimeouts = QUICK,
    ) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.connects = 0
        self.filters = filters
        self._connection: BrokerConnection | None = None
        self._news = asyncio.Event()
        self._settings = (broker, name, will or MqttMessage(f"wills/{name}", b""), limits)

    @property
    def payloads(self) -> list[bytes]:
        return [payload for _, payload in self.heard]

    @property
    def connection(self) -> BrokerConnection:
        assert self._connection is not None
        return self._connection

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def hear(self, topic: str, payload: bytes) -> None:
        self.heard.append((topic, payload))

    async def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        await self.connection.publish([MqttMessage(topic, payload, retain)])

    async def run(self) -> None:
        await keep_connected(*self._settings, self._serve)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` holds after an arrival."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def _serve(self, connection: BrokerConnection) -> None:
        if self.filters:
            await connection.subscribe(self.filters)
        self._connection = connection
        self.connects += 1
        self._news.set()
        try:
            async for topic, payload in connection.received():
                self.hear(topic, payload)
                self._news.set()
        finally:
            self._connection = None
            self._news.set()


@asynccontextmanager
async def connected(*clients: MqttClient) -> AsyncIterator[None]:
    """Run clients, from their first connection on."""
    async with asyncio.TaskGroup() as tasks:
        runs = [tasks.create_task(client.run()) for client in clients]
        try:
            for client in clients:
                await client.until(lambda it=client: it.is_connected)  # type: ignore[misc]
            yield
        finally:
            for run in runs:
                run.cancel()
