"""The three networks that the suite of the bus runs on, each with peers that come and are killed.

`LocalWorld` is one process. `LossyWorld` has a time of its own and a courier that loses, repeats
and reorders by a seed. `MqttWorld` is a real Mosquitto.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Self

from server.bus.broker import Broker
from server.bus.bus import Bus
from server.bus.courier import Counters, Handler, Presence
from server.bus.local import Hub, LocalBus
from server.bus.mqtt import MqttCourier
from server.bus.mqtt_connection import Limits
from server.bus.over_courier import CourierBus, presence
from server.bus.topics import Handlers, matches
from tests.mosquitto import Mosquitto

PATIENCE = 60.0


class World(ABC):
    """Where peers meet."""

    @abstractmethod
    def join(self, name: str) -> Bus[bytes]:
        """A new peer."""

    @abstractmethod
    def kill(self, name: str) -> None:
        """Let a peer be gone, as by a power cut."""

    @abstractmethod
    async def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until `condition` holds."""

    @abstractmethod
    def kept(self, name: str) -> int:
        """How much a peer keeps for others."""

    async def met(self, *buses: Bus[bytes]) -> None:
        """Let all peers know each other."""
        names = {bus.name for bus in buses}
        await self.until(lambda: all(names <= {*bus.alive, bus.name} for bus in buses))


class LocalWorld(World):
    """Peers of one process."""

    def __init__(self) -> None:
        self.hub: Hub[bytes] = Hub()
        self.buses: dict[str, LocalBus[bytes]] = {}

    def join(self, name: str) -> Bus[bytes]:
        bus = self.buses[name] = self.hub.join(name)
        return bus

    def kill(self, name: str) -> None:
        self.hub.leave(name)

    async def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(10):
            if not condition():
                await asyncio.sleep(0)
        assert condition()

    def kept(self, name: str) -> int:
        return self.buses[name].kept


class LossyCourier:
    """A courier of one peer in a `LossyWorld`."""

    def __init__(self, world: "LossyWorld", presence_: Presence) -> None:
        self.world = world
        self.presence = presence_
        self.handlers = Handlers()
        self.listeners: list[Callable[[], None]] = []
        self.counters = Counters()
        self.connected = True

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        if self.connected:
            self.world.carry(topic, payload, retain=retain)

    def subscribe(self, topic_filter: str, handler: Handler) -> None:
        self.handlers.add(topic_filter, handler)
        for topic, payload in tuple(self.world.retained.items()):
            if matches(topic_filter, topic):
                self.world.later(lambda t=topic, p=payload: self.deliver(topic_filter, t, p))  # type: ignore[misc]

    def unsubscribe(self, topic_filter: str) -> None:
        self.handlers.remove(topic_filter)

    def on_connect(self, listener: Callable[[], None]) -> None:
        self.listeners.append(listener)

    async def run(self) -> None:
        raise AssertionError("this world has no event loop")

    def deliver(self, topic_filter: str, topic: str, payload: bytes) -> None:
        handler = self.handlers.at(topic_filter)
        if self.connected and handler is not None:
            handler(topic, payload)


class LossyWorld(World):
    """A network with a clock of its own; `loss` and `repeats` are chances, `delay` seconds."""

    def __init__(self, seed: object, loss: float, repeats: float, delay: float) -> None:
        self.rng = Random(str(seed))
        self.loss, self.repeats, self.delay = loss, repeats, delay
        self.now = 1000.0
        self.retained: dict[str, bytes] = {}
        self.buses: dict[str, CourierBus] = {}
        self.couriers: dict[str, LossyCourier] = {}
        self.sent = 0
        self._killed: set[str] = set()
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._lives = count(1)

    def join(self, name: str) -> Bus[bytes]:
        if name in self.couriers:
            self.couriers[name].connected = False
        life = next(self._lives)
        courier = LossyCourier(self, presence("house", name, life))
        bus = CourierBus(courier, "house", name, life, lambda: self.now, self.soon)
        self.couriers[name], self.buses[name] = courier, bus
        self._killed.discard(name)
        birth = courier.presence.birth
        self.carry(birth.topic, birth.payload, retain=True)
        return bus

    def kill(self, name: str) -> None:
        self._killed.add(name)
        self.cut_off(name)

    def cut_off(self, *names: str) -> None:
        """Let peers lose the broker, which tells those that are left."""
        for name in names:
            self.couriers[name].connected = False
        for name in names:
            will = self.couriers[name].presence.will
            self.carry(will.topic, will.payload, retain=True)

    def come_back(self, *names: str) -> None:
        """Let peers find the broker again, one after the other."""
        for name in names:
            courier = self.couriers[name]
            courier.connected = True
            for topic_filter in courier.handlers.filters:
                handler = courier.handlers.at(topic_filter)
                assert handler is not None
                courier.subscribe(topic_filter, handler)
            birth = courier.presence.birth
            self.carry(birth.topic, birth.payload, retain=True)
            for listener in courier.listeners:
                listener()

    async def until(self, condition: Callable[[], bool]) -> None:
        end = self.now + 1000.0
        while not condition():
            assert self.now < end, "not within this world's time"
            self.step()
            await asyncio.sleep(0)

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def kept(self, name: str) -> int:
        return self.buses[name].kept

    def soon(self, callback: Callable[[], None]) -> None:
        heappush(self._events, (self.now, next(self._order), callback))

    def later(self, callback: Callable[[], None]) -> None:
        """Do something after a delay that the seed chooses."""
        at = self.now + self.rng.uniform(0.0, self.delay)
        heappush(self._events, (at, next(self._order), callback))

    def carry(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Bring a message to whom it is for, or not, or twice, now or later."""
        self.sent += 1
        if retain and payload:
            self.retained[topic] = payload
        elif retain:
            self.retained.pop(topic, None)
        for courier in self.couriers.values():
            for wanted in courier.handlers.filters:
                if courier.connected and matches(wanted, topic):
                    self._bring(courier, wanted, topic, payload)

    def step(self) -> None:
        """Do what happens next, or let a tick pass."""
        following = self.now + 0.05
        while self._events and self._events[0][0] <= following:
            at, _, callback = heappop(self._events)
            self.now = max(self.now, at)
            callback()
        self.now = following
        for name, bus in tuple(self.buses.items()):
            if name not in self._killed:
                bus.tick()

    def _bring(self, courier: LossyCourier, wanted: str, topic: str, payload: bytes) -> None:
        times = 0 if self.rng.random() < self.loss else 1
        times += self.rng.random() < self.repeats
        for _ in range(times):
            self.later(lambda: courier.deliver(wanted, topic, payload))


QUICK = Limits(keepalive=1, answer=2.0, first_pause=0.01, longest_pause=0.1)


class CountingCourier(MqttCourier):
    """One that tells `world` of what it sends to a peer and gets from one."""

    world: "MqttWorld"

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        if "/to/" in topic:
            self.world.under_way += 1
        super().publish(topic, payload, retain=retain, qos=qos)

    def _deliver(self, topic: str, payload: bytes) -> None:
        if "/to/" in topic:
            self.world.under_way -= 1
        super()._deliver(topic, payload)


class MqttWorld(World):
    """Peers of a real broker, each with a connection of its own.

    `under_way` counts the packets to peers that have not arrived, while all peers are connected.
    """

    def __init__(self, broker: Mosquitto, tasks: asyncio.TaskGroup, grace: float = 0.2) -> None:
        self.broker = broker
        self.grace = grace
        self.root = broker.topic()
        self.buses: dict[str, CourierBus] = {}
        self.couriers: dict[str, MqttCourier] = {}
        self.runs: dict[str, asyncio.Task[Any]] = {}
        self.under_way = 0
        self._tasks = tasks
        self._lives = count(1)

    @classmethod
    @asynccontextmanager
    async def running(cls, broker: Mosquitto) -> AsyncIterator[Self]:
        """A world that ends with the block; what is raised there is raised as it is."""
        raised: BaseException | None = None
        async with asyncio.TaskGroup() as tasks:
            world = cls(broker, tasks)
            try:
                yield world
            except BaseException as error:
                raised = error
            world.end()
        if raised is not None:
            raise raised

    @property
    def is_busy(self) -> bool:
        """Whether a peer is about to send something, or has sent what has not arrived."""
        gathering = any(bus._gathering for bus in self.buses.values())
        return gathering or self.under_way > 0

    def join(self, name: str) -> Bus[bytes]:
        loop = asyncio.get_running_loop()
        life = next(self._lives)
        courier = CountingCourier(
            self.address(name),
            f"{self.root.replace('/', '-')}-{name}",
            Random(name),
            presence(self.root, name, life),
            QUICK,
        )
        courier.world = self
        bus = CourierBus(courier, self.root, name, life, loop.time, loop.call_soon, self.grace)
        self.buses[name], self.couriers[name] = bus, courier
        self.runs[name] = self._tasks.create_task(bus.run())
        return bus

    def address(self, name: str) -> Broker:
        """Where a peer finds the broker, and how it gets in."""
        return Broker.at(self.broker.url)

    def kill(self, name: str) -> None:
        self.runs[name].cancel()

    def end(self) -> None:
        """End every peer."""
        for run in self.runs.values():
            run.cancel()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - many things may make it true
                await asyncio.sleep(0.005)

    def kept(self, name: str) -> int:
        return self.buses[name].kept
