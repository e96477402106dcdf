"""Limits of addresses over several gateways, which tell each other by a node what they count."""

import asyncio
from collections import Counter
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from server.bus.encoded import EncodedBus
from server.bus.local import Hub
from server.crossing.encoding import BadMessage, Message, decode, encode
from server.crossing.parcels import CountedElsewhere
from server.crossing.requests import DONE, LINKS, Counted, Use
from server.ops.settings import Settings
from server.rate_limit import MOST_OWED
from server.transport.address_limits import AddressLimits
from server.transport.shared_limits import HELD_SECONDS, SharedLimits
from tests.raw_client import raw_client
from tests.server.socket_server import open_socket_server

HOME = "tables.t"
LIMITS: dict[str, float] = {
    "max_connections_per_address": 10,
    "address_connections_per_second": 10,
    "address_connection_burst": 10,
    "address_pages_per_second": 10,
    "address_page_burst": 10,
    "address_messages_per_second": 10,
    "address_message_burst": 10,
}
EVE, ANN = "192.0.2.66", "192.0.2.1"


class Gateways:
    """Gateways by name, and a node that tells all of them what each has counted."""

    def __init__(self, *names: str, **settings: float) -> None:
        self.now = 100.0
        self.hub: Hub[bytes] = Hub()
        self.limits: dict[str, AddressLimits] = {}
        self.shared: dict[str, SharedLimits] = {}
        self.told: list[Counted] = []
        self._settings = Settings.model_validate({**LIMITS, **settings})
        EncodedBus(self.hub.join(HOME), encode, decode).handle(LINKS, self._linked)
        for name in names:
            self.begin(name)

    def begin(self, name: str) -> None:
        limits = self.limits[name] = AddressLimits(self._settings)
        bus = EncodedBus(self.hub.join(f"gateway.{name}"), encode, decode)

        def shed(address: str, count: int) -> None:
            limits.held[address] -= count

        def now() -> float:
            return self.now

        self.shared[name] = SharedLimits(limits, bus, lambda of: HOME, shed, now, now)

    def beat(self) -> None:
        """A second is over."""
        self.now += 1
        for shared in self.shared.values():
            shared.beat()

    def held(self, address: str) -> list[int]:
        return [each.held[address] for each in self.limits.values()]

    def _linked(self, gateway: str, request: Message, reply: Callable[[Message], None]) -> None:
        assert isinstance(request, Counted)
        self.told.append(request)
        reply(DONE)
        for shared in self.shared.values():
            shared.learn(CountedElsewhere(*request))


@pytest.mark.parametrize("number", [1, 2, 5])
async def test_an_address_may_do_no_more_at_many_gateways(number: int) -> None:
    """In the long run it is what one allows, and a quarter, however hard it tries at all."""
    gateways = Gateways(*"abcde"[:number])
    done: Counter[str] = Counter()
    for _ in range(60):
        for limits in gateways.limits.values():
            for _ in range(100):
                done["arrivals"] += limits.arrivals.wait(EVE, gateways.now) != inf
                for kind, budgets in (("pages", limits.pages), ("messages", limits.messages)):
                    done[kind] += not budgets.take(EVE, gateways.now)
        gateways.beat()
    # Once at the beginning each gateway lets as many in as it lets in at once.
    at_first = {"arrivals": number * 40, "pages": number * 10, "messages": number * 10}
    for kind, count in done.items():
        assert count - at_first[kind] <= 1.25 * 10 * 60
    assert done["messages"] >= 10 * 60
    for limits in gateways.limits.values():
        assert limits.messages.take(ANN, gateways.now) == 0


async def test_a_steady_stream_to_each_gateway_is_noticed() -> None:
    """Though no gateway by itself has anything against it."""
    gateways = Gateways("a", "b", "c")
    done = 0
    for _ in range(60):
        for limits in gateways.limits.values():
            done += sum(not limits.messages.take(EVE, gateways.now) for _ in range(10))
        gateways.beat()
    assert done <= 1.25 * 10 * 60 + 3 * 10


async def test_connections_are_counted_at_all_gateways() -> None:
    """Who has too many keeps as many as are allowed, and gets no more; others do."""
    gateways = Gateways("a", "b", "c")
    for limits, count in zip(gateways.limits.values(), (9, 7, 6), strict=True):
        limits.held[EVE] = count
    for _ in range(4):
        gateways.beat()
        gateways.now -= 1
    assert sum(gateways.held(EVE)) == 10
    assert min(gateways.held(EVE)) > 0
    assert [each.places.is_crowded(EVE) for each in gateways.limits.values()] == [True] * 3
    assert [each.places.is_crowded(ANN) for each in gateways.limits.values()] == [False] * 3


async def test_many_gateways_with_one_connection_each_keep_the_limit_too() -> None:
    """Rounding lets none of them off."""
    gateways = Gateways("a", "b", "c", max_connections_per_address=2)
    for limits in gateways.limits.values():
        limits.held[EVE] = 1
    gateways.beat()
    gateways.beat()
    assert sum(gateways.held(EVE)) == 2


async def test_the_connections_of_a_gateway_that_is_gone_count_no_more() -> None:
    """At once if it leaves the bus; after a while if nothing is heard of it."""
    gateways = Gateways("a", "b", "c")
    for name, count in (("a", 4), ("b", 3), ("c", 3)):
        gateways.limits[name].held[EVE] = count
    gateways.beat()
    last = gateways.limits["c"]
    assert (last.places.is_crowded(EVE), last.elsewhere[EVE]) == (True, 7)
    del gateways.shared["a"]
    gateways.hub.leave("gateway.a")
    assert (last.places.is_crowded(EVE), last.elsewhere[EVE]) == (False, 3)
    del gateways.shared["b"]
    gateways.now += HELD_SECONDS
    gateways.beat()
    assert dict(last.elsewhere) == {}


async def test_what_is_little_is_not_told() -> None:
    """Nor is anything if there is nobody to tell; that there is no more to tell, is told once."""
    gateways = Gateways("a", "b")
    first = gateways.limits["a"]
    first.held[ANN] = 1
    assert first.messages.take(ANN, gateways.now) == 0
    gateways.beat()
    assert gateways.told == []
    first.held[EVE] = 9
    gateways.beat()
    first.held[EVE] = 0
    for _ in range(3):
        gateways.beat()
    uses = (Use(EVE, 9, 0.0, 0.0, 0.0),)
    assert gateways.told == [Counted("gateway.a", uses), Counted("gateway.a", ())]
    assert dict(gateways.limits["b"].elsewhere) == {}
    alone = Gateways("a")
    alone.limits["a"].held[EVE] = 9
    alone.beat()
    assert alone.told == []


async def test_one_message_names_those_that_use_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many addresses there are, it has a bounded size."""
    monkeypatch.setattr("server.transport.shared_limits.MOST", 2)
    gateways = Gateways("a", "b")
    for number in range(5):
        gateways.limits["a"].held[f"192.0.2.{number}"] = 4 + number
    gateways.beat()
    (told,) = gateways.told
    assert [use.address for use in told.uses] == ["192.0.2.4", "192.0.2.3"]


async def test_a_penalty_holds_at_all_gateways() -> None:
    """Who was cut off at one waits at the others."""
    gateways = Gateways("a", "b")
    gateways.limits["a"].arrivals.punish(EVE, gateways.now)
    gateways.beat()
    assert gateways.limits["b"].arrivals.wait(EVE, gateways.now) == pytest.approx(1.1)


async def test_limits_that_are_switched_off_stay_so() -> None:
    """Also at a gateway that is told of addresses by one that has them."""
    off = {name: 0.0 for name in LIMITS if not name.endswith("burst")}
    gateways = Gateways("a", "b", **off)
    use = Use(EVE, 1000, 1000.0, 1000.0, 1000.0)
    gateways.shared["a"].learn(CountedElsewhere("gateway.b", (use,)))
    first = gateways.limits["a"]
    assert first.arrivals.wait(EVE, gateways.now) == 0
    assert not first.places.is_crowded(EVE)
    assert (first.messages.of(EVE), first.pages.of(EVE)) == (None, None)
    gateways.beat()
    assert gateways.told == []


async def test_the_newest_connections_of_an_address_are_closed(tmp_path: Path) -> None:
    """Each is counted out once, and those of others stay."""
    async with open_socket_server(tmp_path) as server:
        held = server.gateway.limits.held
        here = "127.0.0.1"
        async with (
            server.client() as first,
            server.client() as second,
            raw_client(server.url, address="127.0.0.2") as other,
            server.client() as third,
        ):
            assert held == {here: 3, "127.0.0.2": 1}
            server.gateway.shed(here, 2)
            assert held == {here: 1, "127.0.0.2": 1}
            for client in (second, third):
                assert await client.closed() == (1013, "too many connections")
            for client in (first, other):
                assert (await client.ask("ping"))["type"] == "pong"
        async with asyncio.timeout(60):
            while held:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.001)


@pytest.mark.parametrize("amount", [nan, inf, -1.0, "7", None])
def test_what_no_gateway_counts_reaches_no_other(amount: Any) -> None:
    """A gateway that is taken over lifts nobody's limits, and shuts nobody out for good."""
    for use in (Use(EVE, 0, amount, 0, 0), Use(EVE, 0, 0, amount, 0), Use(EVE, 0, 0, 0, amount)):
        with pytest.raises(BadMessage):
            decode(encode(Counted("gateway.a", (use,))))
    with pytest.raises(BadMessage):
        decode(encode(Counted("gateway.a", (Use(EVE, amount, 0, 0, 0),))))


async def test_nobody_owes_for_ever_what_another_gateway_says_they_used() -> None:
    """However much that is, and however often it is told."""
    gateways = Gateways("a", "b")
    ours = gateways.limits["a"]
    told = CountedElsewhere("gateway.b", (Use(ANN, 10**9, 1e12, 1e12, 1e12),))
    for _ in range(3):
        gateways.shared["a"].learn(told)
    assert ours.messages.take(ANN, gateways.now) > 0
    gateways.now += MOST_OWED * 10 / 10
    gateways.beat()
    assert ours.pages.take(ANN, gateways.now) == 0
    assert ours.messages.take(ANN, gateways.now) == 0
    assert ours.arrivals.wait(ANN, gateways.now) == 0
    assert not ours.places.is_crowded(ANN)


async def test_a_gateway_that_says_much_closes_no_others_share() -> None:
    """Where connections are too many, those of the gateways that have most are closed."""
    gateways = Gateways("a", "b", "c")
    for name, held in (("a", 1), ("b", 3), ("c", 9)):
        gateways.limits[name].held[EVE] = held
    gateways.beat()
    assert gateways.held(EVE) == [1, 3, 6]
    gateways.shared["b"].learn(CountedElsewhere("gateway.c", (Use(EVE, 10**9, 0, 0, 0),)))
    assert gateways.held(EVE) == [1, 3, 6]
