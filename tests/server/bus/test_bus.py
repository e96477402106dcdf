"""The promises of the bus.

Exactly one answer to a request, streams without gaps, and nothing kept for the dead.
"""

from collections import Counter

import pytest

from server.bus.bus import Answered, BusError, Failure, Reply, ask
from server.bus.local import Hub, LocalBus

LONG = 500.0
"""Seconds: time enough for any answer."""


class World:
    """Peers of one process."""

    def __init__(self) -> None:
        self.hub: Hub[bytes] = Hub()

    def join(self, name: str) -> LocalBus[bytes]:
        """A new peer."""
        return self.hub.join(name)


@pytest.fixture
def world() -> World:
    """Where peers meet."""
    return World()


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


def test_every_request_has_one_answer_and_is_carried_out_once(world: World) -> None:
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
    for number in range(100):
        for bus in (one, two):
            request = f"{bus.name} {number}".encode()
            bus.send("owner", "act", request, expect(answers, request), LONG)
    assert all(answers.values())
    assert answers == {request: [b"did " + request] for request in answers}
    assert done == dict.fromkeys(answers, 1)


def test_an_answer_may_come_later(world: World) -> None:
    """A request whose handler answers later is not carried out again meanwhile."""
    owner, one = world.join("owner"), world.join("one")
    waiting: list[Reply[bytes]] = []
    owner.handle("act", lambda sender, request, reply: waiting.append(reply))
    answers: list[bytes | Failure] = []
    one.send("owner", "act", b"", answers.append, LONG)
    assert bool(waiting)
    waiting[0](b"late")
    assert answers == [b"late"]
    assert len(waiting) == 1


def test_a_request_that_cannot_be_carried_out_fails(world: World) -> None:
    """No handler, a handler that raises, and a peer that is not there are answers too."""
    owner, one = world.join("owner"), world.join("one")

    def fail(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        raise RuntimeError("ours")

    owner.handle("bad", fail)
    answers: list[list[bytes | Failure]] = [[], [], []]
    one.send("owner", "bad", b"", answers[0].append, LONG)
    one.send("owner", "none", b"", answers[1].append, LONG)
    one.send("nobody", "act", b"", answers[2].append, LONG)
    assert all(answers)
    assert answers == [[Failure.FAULT], [Failure.FAULT], [Failure.LOST]]


def test_streams_have_no_gaps(world: World) -> None:
    """Each follower hears every event once and in order, then the end; none from before it came."""
    owner, one, two = world.join("owner"), world.join("one"), world.join("two")
    owner.open_stream("table", 10)
    early, late = Reader(), Reader()
    one.follow("owner", "table", 10, early)
    for number in range(20):
        assert owner.publish("table", b"%d" % number) == 11 + number
    two.follow("owner", "table", 15, late)
    owner.publish("table", b"20")
    assert early.heard == [(11 + number, b"%d" % number) for number in range(21)]
    assert late.heard == early.heard[20:]
    owner.close_stream("table")
    assert early.over
    assert late.over
    assert (early.cuts, late.cuts) == ([], [30])


def test_nobody_hears_more_than_they_want(world: World) -> None:
    """After `unfollow` no event is heard; a stream that does not exist has ended."""
    owner, one = world.join("owner"), world.join("one")
    owner.open_stream("table")
    reader, other, nothing = Reader(), Reader(), Reader()
    one.follow("owner", "table", 0, reader)
    one.follow("owner", "nothing", 0, nothing)
    owner.publish("table", b"1")
    assert len(reader.heard) == 1
    assert nothing.over
    one.unfollow("owner", "table")
    owner.publish("table", b"2")
    owner.open_stream("other")
    one.follow("owner", "other", 0, other)
    owner.publish("other", b"1")
    assert len(other.heard) == 1
    assert len(reader.heard) == 1


def test_a_stream_for_one_reader_is_followed_by_nobody_else(world: World) -> None:
    """For others it seems not to be there."""
    owner, one, two = world.join("owner"), world.join("one"), world.join("two")
    owner.open_stream("table", reader="one")
    reader, other = Reader(), Reader()
    one.follow("owner", "table", 0, reader)
    two.follow("owner", "table", 0, other)
    owner.publish("table", b"1")
    assert other.over
    assert bool(reader.heard)
    assert (reader.heard, other.heard, reader.over) == ([(1, b"1")], [], False)


def test_peers_know_who_is_alive_and_keep_nothing_of_the_dead(world: World) -> None:
    """Who comes and who goes is told; of who is gone neither streams nor answers are kept."""
    owner, guest = world.join("owner"), world.join("guest")
    told: list[tuple[str, bool]] = []
    owner.on_presence(lambda peer, here: told.append((peer, here)))
    world.join("third")
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
    assert bool(answers)
    assert bool(reader.heard)
    world.hub.leave("guest")
    world.hub.leave("third")
    assert not owner.alive
    assert owner.kept == 0
    assert {("guest", False), ("third", False)} <= set(told)
    assert followed.over


async def test_asking_waits_for_the_answer_or_raises(world: World) -> None:
    """`ask` returns what a peer answers, and raises why there is no answer."""
    owner, one = world.join("owner"), world.join("one")
    owner.handle("act", lambda sender, request, reply: reply(request * 2))

    async def refused() -> Failure:
        with pytest.raises(BusError) as error:
            await ask(one, "owner", "none", b"", LONG)
        return error.value.code

    assert await ask(one, "owner", "act", b"ab", LONG) == b"abab"
    assert await refused() is Failure.FAULT
