"""Limits that hold whichever node and gateway a player uses, on a network that fails by a seed."""

import asyncio

from server.transport.address_limits import AddressLimits
from server.transport.shared_limits import SharedLimits
from tests.server.client import TestClient
from tests.server.node.several_nodes import PATIENCE, SeveralNodes
from tests.server.node.test_several_nodes import nodes, url

__all__ = ["nodes", "url"]  # fixtures


async def said(client: TestClient, code: str) -> int:
    """How many lines a player may say at a table until they have to wait."""
    for count in range(100):
        answer = await client.ask("chat", table=code, text="hello")
        if answer.get("code") == "rate_limited":
            return count
    raise AssertionError("there is no limit")


async def test_chat_has_one_limit_at_tables_of_all_nodes(nodes: SeveralNodes) -> None:
    """From all gateways, also once a table's node is lost, and at a node that comes later."""
    limit = nodes.settings.chat_per_minute
    ann = await nodes.player("a", "a", "Ann")
    bea = await nodes.player("b", "b", "Bea")
    first, second = await ann.open_table(), await bea.open_table()
    assert (await ann.ask("join", table=second))["type"] == "ok"
    assert [nodes.holder(code).name for code in (first, second)] == ["a", "b"]
    phone = TestClient(nodes.servers["b"], client_id="phone")
    phone.token = ann.token
    assert (await phone.hello(alongside=True))["player"] == ann.player
    begun = nodes.world.now

    def spoken(lines: int) -> bool:
        """Whether that is what may be said; there is more as time goes by."""
        return limit <= lines <= limit + 1 + (nodes.world.now - begun) * limit / 60

    for _ in range(limit // 2):
        assert (await ann.ask("chat", table=first, text="hello"))["type"] == "ok"
    lines = limit // 2 + await said(phone, second)
    lines += await said(ann, first)
    assert spoken(lines)
    third = await nodes.begin("c")
    chatted = third.game_server.lobby.chatted
    await nodes.until(lambda: chatted.spent(third.now).get(ann.player, 0.0) > 0)
    assert chatted.spent(third.now)[ann.player] > limit - 1 - (nodes.world.now - begun) * limit / 60
    nodes.lose("a")
    await nodes.noticed("a")
    await nodes.expire("a")
    await nodes.settle()
    lines += await said(ann, first)
    assert spoken(lines)


async def test_two_gateways_race_for_the_last_seat(nodes: SeveralNodes) -> None:
    """Exactly one player gets it, the other is told that the table is full."""
    ann = await nodes.player("a", "a", "Ann")
    code = await ann.open_table(seats=3)
    assert (await (await nodes.servers["b"].client("Bea")).ask("join", table=code))["type"] == "ok"
    racing = [await nodes.servers[at].client(f"Cem {at}") for at in ("a", "b")]
    answers = await asyncio.gather(*(each.ask("join", table=code) for each in racing))
    assert sorted(answer.get("code", "ok") for answer in answers) == ["ok", "table_full"]
    chairs = nodes.holder(code).state(code).chairs
    assert [chair.kind for chair in chairs] == ["human"] * 3
    winner = next(
        each for each, answer in zip(racing, answers, strict=True) if "code" not in answer
    )
    assert chairs[2].player == winner.player


async def test_what_an_address_uses_at_one_gateway_is_charged_at_another(
    nodes: SeveralNodes,
) -> None:
    """A node tells all other gateways, also when the first one's home is lost."""
    now = 1000.0
    settings = nodes.settings.model_copy(update={"max_connections_per_address": 4})
    limits, shared = {}, {}
    for name, server in nodes.servers.items():
        limits[name] = AddressLimits(settings)
        at = server.gateway.nodes
        shared[name] = SharedLimits(
            limits[name], at.bus, at.home, lambda address, count: None, lambda: now, lambda: now
        )
        at.on_counted = shared[name].learn
    first, second = limits["a"], limits["b"]
    used = first.pages.on_take
    assert used is not None
    for seconds, lost in enumerate(("", nodes.servers["a"].gateway.nodes.home("gateway.a"))):
        if lost:
            nodes.lose(lost.partition(".")[2])
            await nodes.noticed(lost.partition(".")[2])
        first.held["192.0.2.66"] = 3 + seconds

        def told() -> bool:
            return second.elsewhere["192.0.2.66"] == first.held["192.0.2.66"]

        # What one beat tells may be lost, or go to a node that knows the gateway `b` no more.
        async with asyncio.timeout(PATIENCE):
            while not told():
                await nodes.settle()
                now += 0.001
                used("192.0.2.66", settings.address_page_burst)
                shared["a"].beat()
                heard = nodes.world.now + 1
                await nodes.until(lambda: told() or nodes.world.now > heard)  # noqa: B023
        assert second.pages.take("192.0.2.66", now) > 0
    assert second.places.is_crowded("192.0.2.66")
