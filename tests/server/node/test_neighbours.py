"""Nodes that know each other's tables: lists, limits, bans, and where a table is."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from protocol.to_server import CreateTable, ListTables, MyTables, TableSettings
from protocol.version import MSGPACK
from server.bus.encoded import EncodedBus
from server.bus.local import Hub
from server.crossing.encoding import decode, encode
from server.crossing.names import Key, Player
from server.crossing.parcels import Banned, Parcel, Unbanned
from server.game_server import Buses
from server.node.neighbours import Neighbours
from server.store import BanKey, BanRow, Deletion, Write
from tests.postgres import Cluster
from tests.server.harness import ServerHarness
from tests.server.node.nodes import node_server
from tests.server.store.nodes import die, until

ANN, BEA = Player("ann", "Ann"), Player("bea", "Bea")
ADDRESS = "192.0.2.1"


class Nodes(NamedTuple):
    """Two nodes; they reach each other on a hub of their own."""

    url: str
    hub: Hub[bytes]
    first: ServerHarness
    second: ServerHarness


def buses(hub: Hub[bytes], name: str) -> Buses:
    """Those of a node whose gateway reaches nobody."""
    alone: Hub[bytes] = Hub()
    gateway = EncodedBus(alone.join(f"gateway.{name}"), encode, decode)
    return Buses(gateway, EncodedBus(hub.join(f"tables.{name}"), encode, decode))


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own."""
    with postgresql.database() as found:
        yield found


@pytest.fixture
async def nodes(url: str, tmp_path: Path) -> AsyncIterator[Nodes]:
    """The nodes a and b."""
    hub: Hub[bytes] = Hub()
    more: dict[str, Any] = {"max_tables_per_player": 2, "max_lobby_tables_per_address": 4}
    async with (
        node_server(url, "a", tmp_path, buses=buses(hub, "a"), **more) as first,
        node_server(url, "b", tmp_path, buses=buses(hub, "b"), **more) as second,
    ):
        yield Nodes(url, hub, first, second)


async def opened(server: ServerHarness, player: Player = ANN, private: bool = False) -> str:
    """A new table of a player."""
    links = server.game_server.links
    if not links.of(player.id):
        # Who is away is not listed.
        links.attach(player.id, lambda batch: None)
        links.arrive(player.id, 1, player.id)
        come: tuple[str, str, str, str, str] = ("laptop", "token", "", MSGPACK, ADDRESS)
        links.add(player.id, 1, player, *come, frozenset(), None, (), alongside=False)
    before = set(server.game_server.tables.directory)
    command = CreateTable(id=1, game="hearts", seats=4, settings=TableSettings(private=private))
    key = Key(player.id, "laptop", len(before) + 1)
    await server.game_server.lobby.create(command, player, key, ADDRESS)
    await server.settle()
    (code,) = set(server.game_server.tables.directory) - before
    return code


def listed(server: ServerHarness) -> list[str]:
    """The codes in the lobby's list."""
    return [info["table"] for info in server.game_server.lobby.tables(ListTables(id=1))["tables"]]


async def seats(server: ServerHarness, player: Player) -> list[str]:
    """Where a player has a seat, as they are told."""
    own = await server.game_server.lobby.own_tables(MyTables(id=1), player)
    return [seat["info"]["table"] for seat in own["tables"]]


async def test_a_node_lists_the_tables_of_the_others(nodes: Nodes) -> None:
    """And says where they are; they are closed at their own node only."""
    _, _, first, second = nodes
    mine, secret = await opened(first), await opened(first, private=True)
    directory = second.game_server.tables.directory
    await until(lambda: len(directory) == 2)
    assert listed(second) == [mine]
    assert await seats(second, ANN) == sorted([mine, secret])
    assert second.game_server.tables.elsewhere(mine) == "a"
    assert first.game_server.tables.elsewhere(mine) is None
    assert second.game_server.tables.knows(mine)
    assert not second.game_server.tables.sleeps(mine)
    assert (sum(directory.phases().values()), sum(first.game_server.live.phases().values())) == (
        0,
        2,
    )
    directory.remove(mine)
    assert listed(second) == [mine]
    first.game_server.tables.close(first.table(mine))
    await first.settle()
    await until(lambda: listed(second) == [])
    assert second.game_server.tables.elsewhere(mine) is None


async def test_a_node_that_comes_later_is_told_page_by_page(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is there, however many messages that takes; what is there no more is forgotten."""
    monkeypatch.setattr("server.node.neighbours.AT_ONCE", 2)
    hub: Hub[bytes] = Hub()
    async with node_server(url, "a", tmp_path, buses=buses(hub, "a")) as first:
        codes = [await opened(first) for _ in range(5)]
        async with node_server(url, "b", tmp_path, buses=buses(hub, "b")) as second:
            await until(lambda: sorted(listed(second)) == sorted(codes))
            hub.leave("tables.a")
            assert [second.game_server.tables.elsewhere(code) for code in codes] == [""] * 5
            assert sorted(listed(second)) == sorted(codes)
            buses(hub, "a").tables.handle("neighbours", lambda peer, request, reply: None)


async def test_limits_hold_over_all_nodes(nodes: Nodes) -> None:
    """The seats of a player, and the tables that wait and were opened from an address."""
    _, _, first, second = nodes
    lobby = second.game_server.lobby
    limits = lobby._limits
    for _ in range(3):
        await opened(first)
    await until(lambda: len(second.game_server.tables.directory) == 3)
    with pytest.raises(Exception, match="you sit at 2 tables; leave one first"):
        limits.may_open(ANN, "198.51.100.7", await lobby.held_elsewhere(ANN))
    limits.may_open(BEA, ADDRESS, 0)
    await opened(second, BEA)
    with pytest.raises(Exception, match="4 tables opened from your address wait"):
        limits.may_open(BEA, ADDRESS, 0)
    limits.may_open(BEA, "198.51.100.7", 0)


async def test_bans_hold_at_all_nodes(nodes: Nodes) -> None:
    """Also one that is lifted again; nobody tells it back."""
    _, _, first, second = nodes
    ban = BanRow("player", "ann", None, "loud", 1.0)
    await until(lambda: both_follow(nodes))
    await first.store.save(Write(bans=(ban,)))
    first.game_server.bans.put(ban)
    await until(lambda: list(second.game_server.bans) == [ban])
    await second.store.save(Write(deleted=Deletion(bans=(BanKey("player", "ann"),))))
    second.game_server.bans.lift(BanKey("player", "ann"))
    await until(lambda: list(first.game_server.bans) == [])
    assert list(second.game_server.bans) == []
    # What another node did unheard is read when it is met again.
    bans = first.game_server.bans
    heard: list[Parcel] = []
    first.game_server.links.attach("gateway.g", lambda batch: heard.extend(batch.parcels))
    await second.store.save(Write(bans=(ban,)))
    await bans.read_again(first.store)
    await bans.read_again(first.store)
    assert list(bans) == [ban]
    await second.store.save(Write(deleted=Deletion(bans=(BanKey("player", "ann"),))))
    await bans.read_again(first.store)
    assert list(bans) == []
    # It is gone, perhaps, and has told it to some gateways only.
    assert heard == [Banned([ban]), Unbanned([BanKey("player", "ann")])]


def both_follow(nodes: Nodes) -> bool:
    """Whether each of the nodes hears the news of the other one."""
    found = [server.game_server._node.neighbours for server in (nodes.first, nodes.second)]
    return all(isinstance(each, Neighbours) and len(each._streams) == 1 for each in found)


async def test_the_tables_of_a_lost_node_are_nowhere_until_another_has_them(nodes: Nodes) -> None:
    """They stay in the list meanwhile."""
    url, hub, first, second = nodes
    code = await opened(first)
    tables = second.game_server.tables
    await until(lambda: tables.elsewhere(code) == "a")
    hub.leave("tables.a")
    assert (tables.elsewhere(code), listed(second)) == ("", [code])
    die(first.store, url)
    await until(lambda: tables.elsewhere(code) is None)
    assert tables.sleeps(code)
    assert listed(second) == [code]


async def test_a_table_that_a_lost_node_has_closed_is_listed_no_more(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody could tell: the database knows it. The others of that node stay."""
    monkeypatch.setattr("server.node.unheard.LOOK_SECONDS", 0.05)
    _, hub, first, second = nodes
    kept, closed = await opened(first), await opened(first)
    await until(lambda: sorted(listed(second)) == sorted([kept, closed]))
    hub.leave("tables.a")
    first.game_server.tables.close(first.table(closed))
    await first.settle()
    await until(lambda: listed(second) == [kept])
    assert second.game_server.tables.elsewhere(kept) == ""
