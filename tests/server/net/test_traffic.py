"""Budgets of bytes, frames and connections, and the turns of busy ones; no sockets."""

import asyncio
from collections.abc import Callable
from math import inf

import pytest

from server.net.traffic import Arrivals, TrafficBudget, TrafficLimits
from server.ops.settings import Settings
from server.rate_limit import TokenBucket
from server.sessions.fair_queue import MOST_AT_ONCE, FairQueue, Share


def usual(**settings: object) -> TrafficLimits:
    return TrafficLimits.of(Settings.model_validate(settings))


def test_before_hello_there_is_little_and_it_does_not_come_back() -> None:
    """The budget before hello fits a handshake and the longest hello, and does not refill."""
    budget = TrafficBudget(TrafficLimits.before_hello(Settings()), 0)
    assert budget.take_bytes(65_536 + 16_384, 0)
    assert not budget.take_bytes(1, 1e6)
    assert budget.take_frames(64, 0)
    assert not budget.take_frames(1, 1e6)
    assert not budget.is_prompt(1e6)


def test_after_hello_there_is_so_much_a_second() -> None:
    """The budget after hello is a burst and then a rate."""
    budget = TrafficBudget(TrafficLimits.before_hello(Settings()), 0)
    budget.grant(usual(), 10)
    assert budget.take_frames(264, 10)
    assert not budget.take_frames(1, 10)
    assert budget.take_frames(100, 11)
    assert budget.take_bytes(524_288, 11)
    assert not budget.take_bytes(131_072, 11.5)
    assert budget.take_bytes(131_072, 12)


def test_who_says_little_is_heard_at_once() -> None:
    """A client that has sent little is read at once."""
    budget = TrafficBudget(usual(), 0)
    assert [budget.is_prompt(0) for _ in range(3)] == [True, True, False]
    assert budget.is_prompt(0.11)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"messages_per_second": 1e6, "message_burst": 1_000_000},
        {"messages_per_second": 0.5, "message_burst": 1, "message_bytes": 1024},
        {"message_bytes": 10_000_000},
    ],
)
def test_budgets_lie_above_what_messages_may_use(settings: dict[str, float]) -> None:
    """The budgets exceed what the limits of messages allow."""
    chosen = Settings.model_validate(settings)
    limits = usual(**settings)
    assert limits.frame_rate > chosen.messages_per_second
    assert limits.frame_burst > chosen.message_burst + 50
    assert limits.byte_rate >= 256 * chosen.messages_per_second
    assert limits.byte_burst > chosen.message_bytes + 1024
    assert TrafficLimits.before_hello(chosen).byte_burst > chosen.message_bytes + 1024


def test_a_bucket_gives_many_at_once_or_none() -> None:
    """A bucket gives an amount whole or not at all, and tells when it will be there."""
    bucket = TokenBucket.full(2, 10, 0)
    assert bucket.take(0, 9)
    assert not bucket.take(0, 2)
    assert bucket.seconds_until(0, 5) == 2
    assert bucket.seconds_until(1, 3) == 0
    assert bucket.seconds_until(0, 1000) == 4.5
    assert TokenBucket(0, 1, 0, 0).seconds_until(5) == inf
    assert bucket.take(0.5, 2)


def test_an_address_that_connects_too_fast_waits_in_line() -> None:
    """An address that connects too fast waits in line, and delays nobody else."""
    arrivals = Arrivals(rate=10, burst=3, most=1000)
    assert [arrivals.wait("a", 100) for _ in range(5)] == pytest.approx([0, 0, 0, 0.1, 0.2])
    assert arrivals.wait("b", 100) == 0
    assert arrivals.wait("a", 100.2) == pytest.approx(0.1)
    assert arrivals.wait("a", 200) == 0


def test_who_would_wait_too_long_is_refused_and_makes_no_other_wait() -> None:
    """A connection that would wait more than three seconds is refused."""
    arrivals = Arrivals(rate=10, burst=1, most=1000)
    waits = [arrivals.wait("a", 0) for _ in range(100)]
    assert waits[29] == pytest.approx(2.9)
    assert waits[31:] == [inf] * 69
    assert arrivals.wait("a", 0.2) == pytest.approx(2.9, abs=0.11)


def test_after_a_connection_was_cut_off_its_address_waits() -> None:
    """After a cut connection its address waits a second and has no burst."""
    arrivals = Arrivals(rate=10, burst=3, most=1000)
    for _ in range(10):
        arrivals.punish("a", 0)
    assert arrivals.wait("a", 0) == pytest.approx(1.1)
    assert arrivals.wait("b", 0) == 0
    assert arrivals.wait("a", 10) == 0


def test_without_a_rate_nobody_waits() -> None:
    """A rate of 0 means no limit."""
    arrivals = Arrivals(rate=0, burst=1, most=1000)
    arrivals.punish("a", 0)
    assert [arrivals.wait("a", 0) for _ in range(10_000)] == [0] * 10_000


def test_addresses_that_came_long_ago_are_forgotten() -> None:
    """Addresses that connected long ago are forgotten."""
    arrivals = Arrivals(rate=10, burst=1, most=1000)
    for number in range(100_000):
        arrivals.wait(str(number), float(number))
    assert len(arrivals._paid_until) < 3000


def test_sockets_are_bounded_too() -> None:
    """Unfinished handshakes count for the limit of sockets."""
    arrivals = Arrivals.of(Settings(max_connections=1, max_connections_per_address=0))
    assert [arrivals.opened("a") for _ in range(258)] == [True] * 257 + [False]
    arrivals.closed("a")
    assert arrivals.opened("a")


def test_an_address_has_its_share_of_the_sockets() -> None:
    """An address has its share of sockets, behind a proxy once its client is known."""
    for settings, share in (
        (Settings(max_connections=1), 40),
        (Settings(max_connections=1, max_connections_per_address=1), 41),
    ):
        arrivals = Arrivals.of(settings)
        opened = [arrivals.opened("a") for _ in range(50)]
        assert opened == [True] * share + [False] * (50 - share)
        assert arrivals.opened("b")
        assert arrivals.opened("")
        assert not arrivals.named("a")
        assert arrivals.named("b")


@pytest.mark.parametrize(
    "too_low",
    [
        {"frames_per_second": 60},
        {"frame_burst": 120},
        {"bytes_per_second": 1000},
        {"byte_burst": 65_536},
    ],
)
def test_budgets_below_those_of_messages_are_refused(too_low: dict[str, float]) -> None:
    """Budgets below those of messages are refused."""
    with pytest.raises(ValueError, match="to lie above what messages may use"):
        Settings.model_validate(too_low)


class ManualLoop:
    """An event loop that the test advances step by step."""

    def __init__(self) -> None:
        self.now = 0.0
        self.soon: list[tuple[Callable[..., None], tuple[object, ...]]] = []
        self.later: list[tuple[float, Callable[..., None]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, function: Callable[..., None], *args: object) -> None:
        self.soon.append((function, args))

    def call_later(self, seconds: float, function: Callable[..., None]) -> None:
        self.later.append((seconds, function))

    def step(self) -> None:
        soon, self.soon = self.soon, []
        for function, args in soon:
            function(*args)


class Talker:
    """Wants a number of turns that take `seconds` each; `wanted` says whether it wants more."""

    def __init__(
        self, loop: ManualLoop, fair_queue: int, seconds: float = 0.0, price: float = 1
    ) -> None:
        self.loop, self.fair_queue, self.seconds, self.price = loop, fair_queue, seconds, price
        self.had = 0
        self.wants_more = True
        self.share = Share()
        self.wanted = 1.0

    def take_turn(self) -> float:
        self.had += 1
        self.loop.now += self.seconds
        self.wants_more = self.had < self.fair_queue
        return self.price


def test_turns_go_round_and_the_loop_has_as_much_time_between() -> None:
    """Busy connections take turns in slices, with equally long pauses for the loop."""
    loop = ManualLoop()
    fair_queue = FairQueue(loop)  # type: ignore[arg-type]  # the part of a loop that is needed
    long, short = Talker(loop, 100, 0.0004), Talker(loop, 2, 0.0004)
    fair_queue.wait(long)
    fair_queue.wait(short)
    loop.step()
    assert (long.had, short.had) == (2, 1)
    loop.now += 0.01
    loop.step()
    ((pause, again),) = loop.later
    assert pause == pytest.approx(0.0112)
    loop.later.clear()
    again()
    assert (long.had, short.had) == (4, 2)
    loop.step()
    assert [again for _, again in loop.later] == [fair_queue._serve]


def test_a_slice_ends_when_its_price_is_reached() -> None:
    """A slice ends when its price is reached."""
    loop = ManualLoop()
    fair_queue = FairQueue(loop)  # type: ignore[arg-type]  # as above
    talkers = [Talker(loop, 1, price=7) for _ in range(5)]
    for talker in talkers:
        fair_queue.wait(talker)
    loop.step()
    assert [talker.had for talker in talkers] == [1, 1, 1, 0, 0]


async def test_a_dear_command_waits_where_others_do() -> None:
    """Expensive commands wait for each other, one slice after the other, in order."""
    fair_queue = FairQueue(asyncio.get_running_loop())
    done: list[int] = []

    async def ask(number: int) -> None:
        await fair_queue.wait_turn(10, Share())
        done.append(number)

    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(ask(number)) for number in range(5)]
        await asyncio.sleep(0)
        assert done == [0]
        assert len(fair_queue) == 4
        asking[2].cancel()
    assert done == [0, 1, 3, 4]
    assert len(fair_queue) == 0


def test_whoever_has_sent_little_is_read_before_those_who_sent_much() -> None:
    """Connections that have sent little are read before those that sent much."""
    loop = ManualLoop()
    fair_queue = FairQueue(loop)  # type: ignore[arg-type]  # as above
    crowd = [Talker(loop, 100, price=12) for _ in range(50)]
    for each in crowd:
        each.wanted = 100.0
        fair_queue.wait(each)
    loop.step()
    served = sum(each.had for each in crowd)
    asked = 0
    while all(each.had < 12 for each in crowd):
        # It sends the next message as soon as the last one was read.
        little = Talker(loop, 1)
        little.share.used = asked
        fair_queue.wait(little)
        while not little.had:
            loop.step()
            for _, again in loop.later:
                again()
            loop.later.clear()
        asked += 1
        now = sum(each.had for each in crowd)
        assert now - served <= 2 or asked > 100
        served = now
    assert asked > 100


async def test_an_expensive_command_waits_for_no_crowd_that_asks_for_many() -> None:
    """An expensive command of one client does not wait for a crowd's many."""
    fair_queue = FairQueue(asyncio.get_running_loop())
    done: list[str] = []

    async def ask(name: str, times: int) -> None:
        share = Share()
        for left in reversed(range(times)):
            await fair_queue.wait_turn(5, share, behind=left)
            done.append(name)

    async with asyncio.TaskGroup() as tasks:
        for number in range(50):
            tasks.create_task(ask(f"crowd {number}", 20))
        await fair_queue.wait_turn(5, Share(), behind=100)
        share = Share()
        for _ in range(5):
            before = len(done)
            await fair_queue.wait_turn(5, share)
            assert len(done) - before <= 6
        await tasks.create_task(ask("one", 1))
    assert done.count("crowd 49") == 20


async def test_a_message_waits_for_no_crowds_expensive_commands() -> None:
    """Reading has its own lane and half of each slice."""
    loop = ManualLoop()
    fair_queue = FairQueue(loop)  # type: ignore[arg-type]  # as above
    fair_queue.wait(Talker(loop, 1))
    commands = [Talker(loop, 100, price=5) for _ in range(50)]
    for each in commands:
        fair_queue._commands.put(each)
    reader = Talker(loop, 1)
    fair_queue.wait(reader)
    loop.step()
    assert reader.had == 1
    assert 0 < sum(each.had for each in commands) <= 3


def test_a_crowd_that_speaks_in_one_moment_is_not_heard_at_once() -> None:
    """A few hundred messages are read in one moment, and more in the next."""
    fair_queue = FairQueue(ManualLoop())  # type: ignore[arg-type]  # as above
    admitted = [fair_queue.admits_at_once(5.0) for _ in range(MOST_AT_ONCE + 36)]
    assert admitted == [True] * MOST_AT_ONCE + [False] * 36
    assert fair_queue.admits_at_once(5.002)


def test_when_nobody_waits_the_next_is_served_at_once() -> None:
    """Without waiting clients the next one is served at once."""
    loop = ManualLoop()
    fair_queue = FairQueue(loop)  # type: ignore[arg-type]  # as above
    for _ in range(2):
        talker = Talker(loop, 1, 0.0)
        fair_queue.wait(talker)
        loop.step()
        assert talker.had == 1
        loop.step()
        assert not loop.later
    assert len(fair_queue) == 0
