"""The bus while its broker is killed, restarted and stopped: nothing is done twice or missing."""

import asyncio
from collections import Counter

from server.bus.bus import Failure, Reply
from tests.mosquitto import Mosquitto
from tests.server.bus.test_bus import LONG, Reader
from tests.server.bus.worlds import MqttWorld

PAUSE = 0.02
"""Seconds between two moves."""
OPEN = 100
"""Moves that wait for an answer at most: the owner keeps the events of all of them."""


async def test_traffic_goes_on_when_the_broker_is_back(mosquitto: Mosquitto) -> None:
    """Requests and events are sent all the while; in the end each has arrived exactly once."""
    done: Counter[bytes] = Counter()
    answers: dict[bytes, list[bytes | Failure]] = {}
    reader = Reader()
    running = True

    async with asyncio.TaskGroup() as tasks:
        world = MqttWorld(mosquitto, tasks, grace=30.0)
        owner, one = world.join("owner"), world.join("one")

        def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
            done[request] += 1
            owner.publish("table", request)
            reply(b"did " + request)

        async def play() -> None:
            while running:
                if sum(not answer for answer in answers.values()) < OPEN:
                    request = b"%d" % len(answers)
                    one.send("owner", "act", request, answers.setdefault(request, []).append, LONG)
                await asyncio.sleep(PAUSE)

        async def some_moves() -> None:
            enough = len(reader.heard) + 10
            await world.until(lambda: len(reader.heard) >= enough)

        owner.handle("act", act)
        owner.open_stream("table")
        await world.met(owner, one)
        one.follow("owner", "table", 0, reader)
        players = tasks.create_task(play())
        couriers = world.couriers.values()
        await some_moves()
        mosquitto.restart()
        await some_moves()
        mosquitto.stop()
        await world.until(lambda: not any(courier.connected for courier in couriers))
        mosquitto.go_on()
        await some_moves()
        mosquitto.kill()
        await world.until(lambda: not any(courier.connected for courier in couriers))
        mosquitto.start()
        await some_moves()
        running = False
        await players
        await world.until(lambda: all(answers.values()))
        await world.until(lambda: len(reader.heard) == len(answers))
        world.end()
    assert answers == {request: [b"did " + request] for request in answers}
    assert done == dict.fromkeys(answers, 1)
    assert [number for number, _ in reader.heard] == [*range(1, len(answers) + 1)]
    assert not reader.cuts
    assert all(courier.counters.reconnects >= 3 for courier in couriers)
