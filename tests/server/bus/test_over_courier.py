"""The bus over a courier that fails badly, and packets that nobody of ours wrote."""

import asyncio
from collections import Counter
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bus.bus import Failure, Reply
from server.bus.link import AT_ONCE
from server.bus.over_courier import EXPIRY, GRACE, MOST_WAITING
from server.bus.packets import (
    LARGEST,
    Answer,
    Ask,
    BadPacket,
    Cut,
    Event,
    Follow,
    Item,
    Leave,
    Packet,
    decode,
    encode,
    size_of,
    still,
)
from server.bus.requests import ANSWER_BYTES, MOST_KEPT, OPEN_BYTES, WINDOW, Receiver
from server.bus.streams import AHEAD_BYTES, FollowedStreams
from tests.counts import count
from tests.server.bus.test_bus import LONG, Reader
from tests.server.bus.worlds import LossyWorld

NUMBERS = st.integers(0, 2**63 - 1)
TEXTS = st.text(max_size=20)
ITEMS: st.SearchStrategy[Item] = st.one_of(
    st.builds(Ask, NUMBERS, NUMBERS, NUMBERS, TEXTS, st.binary()),
    st.builds(Answer, NUMBERS, NUMBERS, st.binary(), TEXTS),
    st.builds(Event, TEXTS, NUMBERS, st.binary()),
    st.builds(still, NUMBERS, st.lists(NUMBERS, max_size=5)),
)


@settings(max_examples=count(8))
@given(
    seed=st.integers(0, 2**32),
    loss=st.floats(0.0, 0.6),
    repeats=st.floats(0.0, 0.6),
    delay=st.floats(0.0, 3.0),
)
def test_nothing_is_done_twice_or_left_open_while_peers_come_and_go(
    seed: int, loss: float, repeats: float, delay: float
) -> None:
    """Peers are killed and restarted; each request has one answer and is done at most once."""
    world = LossyWorld(seed, loss, repeats, delay)
    rng = Random(seed)
    done: Counter[bytes] = Counter()
    answers: dict[bytes, list[bytes | Failure]] = {}
    readers: list[Reader] = []
    names = ["a", "b", "c"]

    def start(name: str) -> None:
        bus = world.join(name)

        def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
            done[request] += 1
            reply(request)

        bus.handle("act", act)
        bus.open_stream("table", world.sent)

    for name in names:
        start(name)
    for number in range(60):
        one, other = rng.sample(names, 2)
        request = f"{number} {one} {other}".encode()
        world.buses[one].send(other, "act", request, answers.setdefault(request, []).append, 60)
        world.buses[other].publish("table", request)
        if rng.randrange(4) == 0:
            readers.append(Reader())
            world.buses[one].follow(other, "table", 0, readers[-1])
        if rng.randrange(12) == 0:
            gone = rng.choice(names)
            world.kill(gone)
            world.pass_time(rng.uniform(0, 30))
            # What a killed peer asked has no answer that anybody could read.
            for request in tuple(answers):
                if request.split()[1] == gone.encode() and not answers[request]:
                    del answers[request]
            start(gone)
        world.pass_time(rng.uniform(0, 1))
    asyncio.run(world.until(lambda: all(answers.values())))
    world.pass_time(10)
    assert all(len(found) == 1 for found in answers.values())
    assert max(done.values(), default=0) <= 1
    for request, found in answers.items():
        assert done[request] == 1 or isinstance(found[0], Failure)
    for reader in readers:
        numbers = [number for number, _ in reader.heard]
        assert numbers == sorted(set(numbers))
    for name in names[1:]:
        world.kill(name)
    world.pass_time(60)
    assert world.kept("a") == 0


def test_a_peer_that_was_away_itself_gives_nobody_up() -> None:
    """However long that was; afterwards those are given up that do not come back in time."""
    world = LossyWorld(0, loss=0.1, repeats=0.1, delay=0.1)
    here, there, _ = (world.join(name) for name in ("here", "there", "lost"))
    heard: list[tuple[str, bool]] = []
    here.on_presence(lambda peer, is_here: heard.append((peer, is_here)))
    reader = Reader()
    there.open_stream("news")
    here.follow("there", "news", 0, reader)
    there.publish("news", b"one")
    world.pass_time(5.0)
    assert sorted(heard) == [("lost", True), ("there", True)]
    world.cut_off("here", "there")
    world.kill("lost")
    there.publish("news", b"two")
    world.pass_time(5 * EXPIRY)
    assert len(heard) == 2
    # The last of them comes back when the others have long been told that it is gone.
    world.come_back("here")
    world.pass_time(EXPIRY / 2)
    world.carry("house/alive/there", b"", retain=True)
    world.pass_time(1.5 * GRACE)
    world.come_back("there")
    world.pass_time(5.0)
    assert (len(heard), reader.heard) == (2, [(1, b"one"), (2, b"two")])
    world.pass_time(EXPIRY)
    assert heard[2:] == [("lost", False)]


def test_a_copy_that_was_held_for_long_is_not_carried_out_again() -> None:
    """After the owner has forgotten an asker, a repetition of an old request does nothing."""
    world = LossyWorld(1, loss=0, repeats=0, delay=0.01)
    owner, one = world.join("owner"), world.join("one")
    done: list[bytes] = []

    def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        done.append(request)
        reply(b"")

    owner.handle("act", act)
    carried: list[bytes] = []
    carry = world.carry

    def spy(topic: str, payload: bytes, *, retain: bool) -> None:
        if topic.endswith("to/owner/one"):
            carried.append(payload)
        carry(topic, payload, retain=retain)

    world.carry = spy  # type: ignore[method-assign]
    one.send("owner", "act", b"once", lambda _: None, LONG)
    world.pass_time(2)
    assert done == [b"once"]
    world.kill("one")
    world.pass_time(10)
    assert world.kept("owner") == 0
    for packet in carried:
        world.couriers["owner"].deliver("house/to/owner/+", "house/to/owner/one", packet)
    world.pass_time(2)
    assert done == [b"once"]


def test_what_gathers_in_a_tick_for_one_peer_is_one_packet() -> None:
    """Ten requests and ten events at once are one message; what is too much for one are two."""
    world = LossyWorld(1, loss=0, repeats=0, delay=0.0)
    owner, one = world.join("owner"), world.join("one")
    asked: list[bytes] = []
    owner.handle("act", lambda sender, request, reply: asked.append(request))
    one.open_stream("table")
    owner.follow("one", "table", 0, Reader())
    one.send("owner", "act", b"first", lambda _: None, LONG)
    world.pass_time(1)
    before = world.buses["one"].packets_sent
    for _ in range(10):
        one.send("owner", "act", b"", lambda _: None, LONG)
        one.publish("table", b"")
    world.step()
    assert world.buses["one"].packets_sent == before + 1
    before += 1
    for _ in range(3):
        one.publish("table", bytes(LARGEST // 3))
    world.step()
    assert world.buses["one"].packets_sent == before + 2
    assert len(asked) == 11


def test_a_peer_takes_only_so_many_open_requests() -> None:
    """Beyond the window a request is refused at once; so is one that is too large."""
    world = LossyWorld(1, loss=0, repeats=0, delay=0.0)
    owner, one = world.join("owner"), world.join("one")
    owner.handle("act", lambda sender, request, reply: None)
    answers: list[bytes | Failure] = []
    for _ in range(WINDOW):
        one.send("owner", "act", b"", answers.append, LONG)
    assert answers == []
    one.send("owner", "act", b"", answers.append, LONG)
    one.send("owner", "act", bytes(LARGEST), answers.append, LONG)
    assert answers == [Failure.FULL, Failure.TOO_LARGE]
    other = world.join("other")
    for _ in range(OPEN_BYTES // 400_000):
        other.send("owner", "act", bytes(400_000), answers.append, LONG)
    assert answers[2:] == []
    other.send("owner", "act", bytes(400_000), answers.append, LONG)
    assert answers[2:] == [Failure.FULL]
    with pytest.raises(ValueError, match="bytes"):
        one.publish("table", bytes(LARGEST))
    with pytest.raises(ValueError, match="name"):
        one.send("a/b", "act", b"", answers.append, LONG)


def test_answers_that_take_too_much_memory_are_forgotten_and_that_is_told() -> None:
    """The owner keeps answers within a bound; the sender of one that it dropped hears `LOST`."""
    written: list[Item] = []
    handlers = {"act": lambda sender, request, reply: reply(bytes(400_000))}
    receiver = Receiver("one", written.append, 7, handlers)
    requests = [Ask(number, 7, 1, "act", b"") for number in range(1, 13)]
    for request in requests:
        receiver.ask(request)
    assert all(isinstance(item, Answer) and not item.failure for item in written)
    written.clear()
    for request in requests:
        receiver.ask(request)
    kept = [item for item in written if isinstance(item, Answer) and not item.failure]
    lost = [item for item in written if isinstance(item, Answer) and item.failure]
    assert {item.failure for item in lost} == {"lost"}
    assert len(kept) + len(lost) == 12
    assert sum(len(item.answer) for item in kept) <= ANSWER_BYTES
    receiver.ask(Ask(13 + WINDOW, 7, 13, "act", b""))
    assert len(receiver) == 1


def test_one_slow_request_holds_up_no_others() -> None:
    """Thousands are answered meanwhile, each carried out once, and their answers are forgotten."""
    world = LossyWorld(1, loss=0.3, repeats=0.3, delay=0.1)
    owner, one = world.join("owner"), world.join("one")
    done: Counter[bytes] = Counter()
    slow: list[Reply[bytes]] = []
    answers: list[bytes | Failure] = []

    def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        done[request] += 1
        if request == b"slow":
            slow.append(reply)
        else:
            reply(request)

    owner.handle("act", act)
    one.send("owner", "act", b"slow", answers.append, LONG)
    most = 0
    for number in range(0, 4 * WINDOW, 64):
        for each in range(number, number + 64):
            one.send("owner", "act", b"%d" % each, answers.append, LONG)
        world.pass_time(0.5)
        most = max(most, world.kept("owner"))
    world.pass_time(30)
    assert sorted(map(str, answers)) == sorted(str(b"%d" % each) for each in range(4 * WINDOW))
    assert set(done.values()) == {1}
    assert most < 2 * WINDOW
    slow[0](b"done")
    world.pass_time(10)
    assert answers[-1] == b"done"
    assert world.kept("one") == 1


def test_a_receiver_forgets_what_its_sender_waits_for_no_more() -> None:
    """A late copy of such a request is not carried out; of one that is still open it is."""
    written: list[Item] = []
    done: list[bytes] = []

    def act(sender: str, request: bytes, reply: Reply[bytes]) -> None:
        done.append(request)
        reply(b"")

    receiver = Receiver("one", written.append, 7, {"act": act})
    for number in (1, 2, 3):
        receiver.ask(Ask(number, 7, 1, "act", b"%d" % number))
    receiver.forget_but(still(600, [2, 500]))
    receiver.forget_but(still(300, [1]))
    assert len(receiver) == 1
    for number in (1, 2, 400, 500, 600):
        receiver.ask(Ask(number, 7, 2, "act", b"%d" % number))
    assert done == [b"1", b"2", b"3", b"500", b"600"]
    receiver.ask(Ask(601, 7, 500, "act", b"601"))
    receiver.ask(Ask(2, 7, 2, "act", b"2"))
    assert (len(receiver), done[-1]) == (3, b"601")
    for number in range(1000, 1000 + MOST_KEPT):
        receiver.ask(Ask(number, 7, 500, "act", b""))
    assert len(receiver) == MOST_KEPT


@given(st.lists(ITEMS, max_size=5))
def test_packets_are_read_as_they_were_written(items: list[Item]) -> None:
    """A packet survives its way, and is never larger than was reckoned."""
    packet = Packet("one", 1, 2, items)
    assert decode(encode(packet)) == packet
    assert len(encode(packet)) <= 100 + sum(map(size_of, items))


WRONG = [
    b"",
    b"\xc1",
    bytes(LARGEST + 1),
    *map(
        msgpack.packb,
        [
            None,
            [],
            ["a", 1, 0, 5],
            ["a", 1, 0, [[]]],
            ["a", 1, 0, [[99]]],
            ["a", 1, 0, [[-1, "s"]]],
            ["a", 1, 0, [[3, "s", 1]]],
            ["a", 1, 0, [[3, "s", -1, b""]]],
            ["a", 1, 0, [[3, "s", True, b""]]],
            ["a", 1, 0, [[3, "s", 1, "text"]]],
            ["a", 1, 0, [[3, "s" * 300, 1, b""]]],
            [b"a", 1, 0, []],
            ["a", "1", 0, []],
        ],
    ),
]


@given(st.one_of(st.sampled_from(WRONG), st.binary(max_size=50)))
def test_bytes_that_are_no_packet_are_refused(data: bytes) -> None:
    """Whatever bytes arrive, they are a packet or refused as none."""
    try:
        decode(data)
    except BadPacket:
        return
    assert data not in WRONG


def test_bad_packets_are_counted_and_dropped() -> None:
    """What cannot be read, is signed with another's name or with no peer's, changes nothing."""
    world = LossyWorld(1, loss=0, repeats=0, delay=0.0)
    world.join("owner")
    courier = world.couriers["owner"]
    for payload in (b"\xc1", encode(Packet("a/b", 1, 0, [])), encode(Packet("one", 1, 0, []))):
        courier.deliver("house/to/owner/+", "house/to/owner/two", payload)
        courier.deliver("house/alive/+", "house/alive/two", payload)
    assert world.buses["owner"].bad_packets == 6
    assert world.kept("owner") == 0


def test_an_answer_to_an_earlier_question_costs_no_event() -> None:
    """A cut that comes late or twice is about what was missing when it was asked."""
    asked: list[Item] = []
    streams, reader = FollowedStreams(asked.append), Reader()
    streams.follow("table", 3, reader, 0.0)
    streams.cut(Cut("table", 300, 3), 0.0)
    streams.cut(Cut("table", 301, 3), 0.0)
    streams.event(Event("table", 301, b"next"), 0.0)
    assert (reader.cuts, reader.heard) == ([300], [(301, b"next")])


@pytest.mark.parametrize(("events", "size"), [(20, 200_000), (4_000, 1)])
def test_one_packet_that_asks_for_much_is_not_answered_by_more_than_can_be_sent(
    events: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks a hundred times for a whole stream costs its owner no memory, and misses nothing."""
    world = LossyWorld("much", 0.0, 0.0, 0.0)
    owner, one = world.join("owner"), world.join("one")
    owner.open_stream("table")
    sent: list[bytes] = []
    courier = world.couriers["owner"]
    monkeypatch.setattr(courier, "publish", lambda topic, payload, **_: sent.append(payload))
    for _ in range(events):
        owner.publish("table", bytes(size))
    asked = encode(Packet("one", 1, 0, [Follow("table", 0)] * 100))
    courier.deliver("house/to/owner/+", "house/to/owner/one", asked)
    world.pass_time(0.1)
    assert sum(map(len, sent)) <= AT_ONCE * LARGEST
    assert sum(len(decode(packet).items) for packet in sent) <= MOST_WAITING + events
    monkeypatch.undo()
    reader = Reader()
    one.follow("owner", "table", 0, reader)
    world.pass_time(30.0)
    assert len(reader.heard) == events


def test_what_came_too_early_is_kept_within_a_limit() -> None:
    """An owner of a stream that leaves out an event and sends many large ones fills no memory."""
    asked: list[Item] = []
    followed, reader = FollowedStreams(asked.append), Reader()
    followed.follow("table", 0, reader, 0.0)
    for number in range(2, 300):
        followed.event(Event("table", number, bytes(LARGEST // 2)), 0.0)
    kept = followed._followed["table"].ahead
    assert 1 < len(kept) <= AHEAD_BYTES // (LARGEST // 2)
    followed.event(Event("table", 1, b""), 1.0)
    assert len(reader.heard) == 1 + AHEAD_BYTES // (LARGEST // 2)


def test_who_says_that_it_is_there_says_no_more() -> None:
    """Everybody hears of a peer's presence; a packet of much else there is not even read."""
    world = LossyWorld("presence", 0.0, 0.0, 0.0)
    world.join("owner")
    for items in ([Leave("table")] * 1000, []):
        world.carry("house/alive/one", encode(Packet("one", 7, 0, [*items])), retain=True)
    world.pass_time(1.0)
    assert world.buses["owner"].bad_packets == 1
    assert list(world.buses["owner"].alive) == ["one"]
