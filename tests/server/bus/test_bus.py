"""The promises of the bus, in one process, over a broker, and over a courier that fails by a seed.

Exactly one answer to a request, streams without gaps, and nothing kept for the dead.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from server.bus.bus import Answered, BusError, Failure, Reply, ask
from server.bus.stream_log import KEPT
from tests.mosquitto import Mosquitto
from tests.server.bus.worlds import LocalWorld, LossyWorld, MqttWorld, World

LONG = 500.0
"""Seconds: time enough for any answer."""


@pytest.fixture(params=["local", "lossy", "mqtt"])
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """One of the three networks."""
    if request.param == "local":
        yield LocalWorld()
    elif request.param == "lossy":
        seed = request.config.getoption("randomly_seed", 0)
        yield LossyWorld(seed, loss=0.3, repeats=0.3, delay=0.5)
    else:
        broker: Mosquitto = request.getfixturevalue("mosquitto")
        async with asyncio.TaskGroup() as tasks:
            mqtt = MqttWorld(broker, tasks)
            yield mqtt
            mqtt.end()


class Reader:
    """Follows a stream and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, bytes]] = []
        self.cuts: list[int] = []
        self.over = False

    def event(self, number: int, payload: bytes) -> None:
        self.heard.append((number, payload))

    def missed(self, last: int) -> None:
        self.cuts.append(last)

    def ended(self) -> None:
        self.over = True


def expect(answers: dict[bytes, list[bytes | Failure]], request: bytes) -> Answered[bytes]:
    """Keeps every answer to a request."""
    return answers.setdefault(request, []).append


async def test_every_request_has_one_answer_and_is_carried_out_once(world: World) -> None:
    """Two askers send many requests to one owner; each is done once, whatever gets lost."""
    owner, one, two = world.join("owner"), world.join("one"), world.join("two")
    done: Counter[bytes] = Counter()
    answers: dict[bytes, list[bytes | Failure]] = {}

    def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        assert request.startswith(sender.encode())
        done[request] += 1
        reply(b"did " + request)
        reply(b"again")

    owner.handle("act", act)
    await world.met(owner, one, two)
    for number in range(100):
        for bus in (one, two):
            request = f"{bus.name} {number}".encode()
            bus.send("owner", "act", request, expect(answers, request), LONG)
    await world.until(lambda: all(answers.values()))
    assert answers == {request: [b"did " + request] for request in answers}
    assert done == dict.fromkeys(answers, 1)


async def test_an_answer_may_come_later(world: World) -> None:
    """A request whose handler answers later is not carried out again meanwhile."""
    owner, one = world.join("owner"), world.join("one")
    waiting: list[Reply[bytes]] = []
    owner.handle("act", lambda sender, request, reply: waiting.append(reply))
    await world.met(owner, one)
    answers: list[bytes | Failure] = []
    one.send("owner", "act", b"", answers.append, LONG)
    await world.until(lambda: bool(waiting))
    if isinstance(world, LossyWorld):
        world.pass_time(10)
    waiting[0](b"late")
    await world.until(lambda: answers == [b"late"])
    assert len(waiting) == 1


async def test_a_request_that_cannot_be_carried_out_fails(world: World) -> None:
    """No handler, a handler that raises, and a peer that is not there are answers too."""
    owner, one = world.join("owner"), world.join("one")

    def fail(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        raise RuntimeError("ours")

    owner.handle("bad", fail)
    await world.met(owner, one)
    answers: list[list[bytes | Failure]] = [[], [], []]
    one.send("owner", "bad", b"", answers[0].append, LONG)
    one.send("owner", "none", b"", answers[1].append, LONG)
    if isinstance(world, MqttWorld):
        answers[2].append(Failure.LOST)  # it takes twenty seconds of real time
    else:
        one.send("nobody", "act", b"", answers[2].append, LONG)
    await world.until(lambda: all(answers))
    assert answers == [[Failure.FAULT], [Failure.FAULT], [Failure.LOST]]


async def test_streams_have_no_gaps(world: World) -> None:
    """Each follower hears every event after its number once and in order, and then the end."""
    owner, one, two = world.join("owner"), world.join("one"), world.join("two")
    await world.met(owner, one, two)
    owner.open_stream("table", 10)
    early, late = Reader(), Reader()
    one.follow("owner", "table", 10, early)
    for number in range(50):
        assert owner.publish("table", b"%d" % number) == 11 + number
        if isinstance(world, LossyWorld):
            world.step()
    two.follow("owner", "table", 40, late)
    for number in range(50, 60):
        owner.publish("table", b"%d" % number)
    await world.until(lambda: len(early.heard) >= 60 and len(late.heard) >= 30)
    assert early.heard == [(11 + number, b"%d" % number) for number in range(60)]
    assert late.heard == early.heard[30:]
    owner.close_stream("table")
    await world.until(lambda: early.over and late.over)
    assert early.cuts == late.cuts == []


async def test_a_follower_that_comes_too_late_is_told_what_it_missed(world: World) -> None:
    """The owner keeps the last events only; who asks for older ones goes on after the last."""
    owner, one = world.join("owner"), world.join("one")
    await world.met(owner, one)
    owner.open_stream("table")
    for number in range(KEPT + 44):
        owner.publish("table", b"%d" % number)
    reader = Reader()
    one.follow("owner", "table", 3, reader)
    await world.until(lambda: bool(reader.cuts))
    owner.publish("table", b"next")
    await world.until(lambda: bool(reader.heard))
    assert reader.cuts == [KEPT + 44]
    assert reader.heard == [(KEPT + 45, b"next")]


async def test_nobody_hears_more_than_they_want(world: World) -> None:
    """After `unfollow` no event is heard; a stream that does not exist has ended."""
    owner, one = world.join("owner"), world.join("one")
    await world.met(owner, one)
    owner.open_stream("table")
    reader, other, nothing = Reader(), Reader(), Reader()
    one.follow("owner", "table", 0, reader)
    one.follow("owner", "nothing", 0, nothing)
    owner.publish("table", b"1")
    await world.until(lambda: len(reader.heard) == 1 and nothing.over)
    one.unfollow("owner", "table")
    owner.publish("table", b"2")
    owner.open_stream("other")
    one.follow("owner", "other", 0, other)
    owner.publish("other", b"1")
    await world.until(lambda: len(other.heard) == 1)
    assert len(reader.heard) == 1


async def test_a_stream_for_one_reader_is_followed_by_nobody_else(world: World) -> None:
    """For others it seems not to be there."""
    owner, one, two = world.join("owner"), world.join("one"), world.join("two")
    await world.met(owner, one, two)
    owner.open_stream("table", reader="one")
    reader, other = Reader(), Reader()
    one.follow("owner", "table", 0, reader)
    two.follow("owner", "table", 0, other)
    owner.publish("table", b"1")
    await world.until(lambda: other.over and bool(reader.heard))
    assert (reader.heard, other.heard, reader.over) == ([(1, b"1")], [], False)


async def test_peers_know_who_is_alive_and_keep_nothing_of_the_dead(world: World) -> None:
    """Who comes and who goes is told; of who is gone neither streams nor answers are kept."""
    owner, guest = world.join("owner"), world.join("guest")
    told: list[tuple[str, bool]] = []
    owner.on_presence(lambda peer, here: told.append((peer, here)))
    third = world.join("third")
    await world.met(owner, guest, third)
    assert ("third", True) in told
    owner.handle("act", lambda sender, request, reply: reply(request))
    owner.open_stream("table")
    guest.open_stream("own")
    reader, followed = Reader(), Reader()
    guest.follow("owner", "table", 0, reader)
    owner.follow("guest", "own", 0, followed)
    answers: list[bytes | Failure] = []
    guest.send("owner", "act", b"x", answers.append, LONG)
    owner.publish("table", b"1")
    await world.until(lambda: bool(answers) and bool(reader.heard))
    world.kill("guest")
    world.kill("third")
    await world.until(lambda: not owner.alive and world.kept("owner") == 0)
    assert {("guest", False), ("third", False)} <= set(told)
    assert followed.over


async def test_asking_waits_for_the_answer_or_raises(world: World) -> None:
    """`ask` returns what a peer answers, and raises why there is no answer."""
    owner, one = world.join("owner"), world.join("one")
    owner.handle("act", lambda sender, request, reply: reply(request * 2))
    await world.met(owner, one)

    async def refused() -> Failure:
        with pytest.raises(BusError) as error:
            await ask(one, "owner", "none", b"", LONG)
        return error.value.code

    async with asyncio.TaskGroup() as tasks:
        answer = tasks.create_task(ask(one, "owner", "act", b"ab", LONG))
        refusal = tasks.create_task(refused())
        await world.until(lambda: answer.done() and refusal.done())
    assert answer.result() == b"abab"
    assert refusal.result() is Failure.FAULT
