"""Two nodes with tables and two gateways, on a network that loses, repeats and reorders by a seed.

Nobody notices which node has which table. When a node is lost, connections stay open, each command
is answered once, and everybody sees every event or a snapshot (the test client checks each).
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.commands.role import GatewayRole
from server.connections.outages import PATIENCE_SECONDS
from server.crossing.names import hashed
from server.games.folder import GameFolder
from server.players.devices import FIRST
from server.store import BanKey, BanRow, Deletion, Write
from server.table.fold import replay
from server.tables.rows import entry_of
from tests.postgres import Cluster
from tests.server.client import TestClient
from tests.server.node.several_nodes import SeveralNodes, open_several
from tests.server.small_descriptions import HIGH, MOVES
from tests.server.store.nodes import believe, cut_off

OUTAGE = ["outage", "outage_over"]


@pytest.fixture
def url(postgresql: Cluster) -> Iterator[str]:
    """The URL of a database of the test's own."""
    with postgresql.database() as found:
        yield found


@pytest.fixture
async def nodes(
    request: pytest.FixtureRequest, url: str, tmp_path: Path
) -> AsyncIterator[SeveralNodes]:
    """The servers `a` and `b`, and a network that fails by this run's seed."""
    seed = request.config.getoption("randomly_seed", 0)
    async with open_several(url, tmp_path, seed, "a", "b") as nodes:
        yield nodes


async def match_at(
    nodes: SeveralNodes, home: str, deals: int = 100
) -> tuple[str, list[TestClient]]:
    """A match at a table of the node `home`: one player at each gateway, and a spectator."""
    ann, bea = await nodes.player("a", home, "Ann"), await nodes.servers["b"].client("Bea")
    walter = await nodes.servers["b"].client("Walter")
    code = await ann.open_table(options={"deals": deals})
    await bea.ask("join", table=code)
    await walter.ask("watch", table=code)
    await ann.ask("start", table=code, fill=0)
    assert nodes.holder(code).name == home
    return code, [ann, bea, walter]


def all_is_well(nodes: SeveralNodes, code: str, clients: list[TestClient]) -> None:
    """Everybody is still connected, has seen the last entry, and has one answer to each command."""
    last = nodes.holder(code).state(code).seq
    assert [client.closed() for client in clients] == [None] * len(clients)
    assert [client.tables[code].seq for client in clients] == [last] * len(clients)
    for client in clients:
        assert {len(answers) for answers in client.answers.values()} == {1}


def told_to_leave(client: TestClient) -> int:
    """How often a client was told that the server is about to stop."""
    return sum(notice["kind"] == "draining" for notice in client.new_messages("notice"))


def is_lost_to(gateway: GatewayRole, peer: str) -> bool:
    """Whether a gateway knows that a node is without its database, or it has left."""
    nodes = gateway.nodes
    return peer in nodes._pausing or peer not in nodes._ready


async def test_tables_of_two_nodes_are_played_from_two_gateways(nodes: SeveralNodes) -> None:
    """Each to the end of its match; the logs replay to the tables."""
    matches = [await match_at(nodes, home, deals=1) for home in ("a", "b")]
    for code, (ann, bea, walter) in matches:
        await nodes.servers["a"].play(code, 200, ann, bea)
        assert ann.tables[code].info.phase == "finished"
        all_is_well(nodes, code, [ann, bea, walter])
        holder = nodes.holder(code)
        stored = await holder.store.load(code)
        assert stored is not None
        *_, (_, last) = replay(holder.library, [entry_of(row) for row in stored[1]])
        assert last.state == holder.state(code)


async def test_a_lost_nodes_tables_go_on_with_all_connections_open(nodes: SeveralNodes) -> None:
    """Commands that were asked of it meanwhile are answered by the next, and carried out once."""
    lost, lost_clients = await match_at(nodes, "a")
    kept, kept_clients = await match_at(nodes, "b")
    ann, bea, walter = lost_clients
    await nodes.servers["a"].play(lost, 4, ann, bea)
    before = nodes.holder(lost).state(lost).seq
    mover = ann if ann.tables[lost].my_turn else bea
    mirror = mover.tables[lost]
    fields = {"table": lost, "turn": mirror.question.turn, "action": mirror.choices.actions[0]}
    async with asyncio.TaskGroup() as tasks:
        # Some of these reach the node, or even the database, and some do not.
        tasks.create_task(mover.send("act", 900, **fields))
        tasks.create_task(walter.send("sync", 901, table=lost))
        await asyncio.sleep(nodes.world.rng.uniform(0.0, 0.02))
        nodes.lose("a")
        tasks.create_task(kept_clients[0].send("my_tables", 902))
        await nodes.noticed("a")
        tasks.create_task(kept_clients[1].send("chat", 903, table=lost, text="hello?"))
        await nodes.expire("a")
    await nodes.settle()
    assert nodes.holder(lost).name == "b"
    assert mover.answers[900][-1]["type"] == walter.answers[901][-1]["type"] == "ok"
    assert kept_clients[0].answers[902][-1]["type"] == "my_tables"
    assert kept_clients[1].answers[903][-1]["code"] == "not_seated"
    assert nodes.holder(lost).state(lost).seq == before + 1
    await nodes.servers["a"].play(lost, 6, ann, bea)
    await nodes.servers["b"].play(kept, 6, *kept_clients[:2])
    all_is_well(nodes, lost, lost_clients)
    all_is_well(nodes, kept, kept_clients)


async def test_a_process_with_all_roles_ends_for_its_own_players_alone(
    nodes: SeveralNodes,
) -> None:
    """They are told once, and hung up on; others go on, and the last process tells its own, too."""
    code, (ann, bea, walter) = await match_at(nodes, "b")
    first, second = (nodes.servers[name].game_server for name in "ab")
    first.drain()
    await nodes.settle()
    assert [told_to_leave(client) for client in (ann, bea)] == [1, 0]
    assert (await first.ready(), await second.ready()) == ("draining", "")
    first.hang_up()
    await nodes.until(lambda: "tables.a" not in second._gateway.nodes._ready)
    assert ann.closed() == (1012, "the server stops")
    nodes.lose("a")
    await nodes.noticed("a")
    assert (await bea.ask("sync", table=code))["type"] == "ok"
    assert bea.closed() is walter.closed() is None
    second.drain()
    await nodes.settle()
    assert told_to_leave(bea) == 1


async def test_a_new_table_that_a_lost_node_may_have_opened_is_opened_once(
    nodes: SeveralNodes,
) -> None:
    """The next home finds in the database what came of the command, or opens it."""
    ann = await nodes.player("b", "a", "Ann")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(ann.send("create_table", 900, game="hearts"))
        await asyncio.sleep(nodes.world.rng.uniform(0.0, 0.03))
        nodes.lose("a")
        await nodes.noticed("a")
        await nodes.expire("a")
    await nodes.settle()
    (answer,) = ann.answers[900]
    assert answer["type"] == "ok"
    mine = await ann.ask("my_tables")
    assert [table["info"]["table"] for table in mine["tables"]] == [answer["table"]]
    assert ann.closed() is None


async def test_a_node_that_comes_later_knows_everybody(nodes: SeveralNodes) -> None:
    """Players who were connected before can open tables there, and are seated as guests."""
    clients = [await nodes.servers["a"].client(f"Player {number}") for number in range(4)]
    await nodes.begin("c")
    clients.append(await nodes.player("b", "c", "Cem"))
    while nodes.home(clients[0].player) != "c":
        clients.insert(0, await nodes.servers["b"].client("Another"))
    host, guest = clients[0], clients[-1]
    code = await host.open_table()
    assert nodes.holder(code).name == "c"
    for client in clients[1:-1]:
        assert (await client.ask("watch", table=code))["type"] == "ok"
    assert (await guest.ask("join", table=code))["type"] == "ok"
    all_is_well(nodes, code, clients)


async def test_a_player_comes_in_while_a_node_is_being_lost(nodes: SeveralNodes) -> None:
    """They are welcomed by the nodes that are left, and shown their tables when these are found."""
    code, clients = await match_at(nodes, "a")
    ann, bea, walter = clients
    for client in (bea, walter):
        client.disconnect()
    nodes.lose("a")
    answers = await asyncio.gather(bea.reconnect(), walter.reconnect())
    assert [answer["type"] for answer in answers] == ["welcome", "welcome"]
    await nodes.expire("a")
    await nodes.settle()
    await nodes.servers["a"].play(code, 4, ann, bea)
    last = nodes.holder(code).state(code).seq
    assert [client.tables[code].seq for client in clients] == [last] * 3


async def test_a_node_without_its_database_leaves_players_to_the_others(
    nodes: SeveralNodes,
) -> None:
    """It keeps nobody from coming in, or from what another node can do; it comes back by itself."""
    ann = await nodes.player("a", "a", "Ann")
    first = nodes.servers["a"]
    assert first.store.node is not None
    cut_off(first.store)
    first.store.node._look()
    first.lost = True
    await nodes.until(lambda: "tables.a" not in first.gateway.nodes._ready)
    assert (await ann.ask("my_tables"))["type"] == "my_tables"
    assert nodes.home(ann.player) == "b"
    bea = await nodes.servers["b"].client("Bea")
    code = await bea.open_table()
    believe(first.store)
    first.store.node._look()
    first.lost = False
    await nodes.settle()
    assert nodes.home(ann.player) == "a"
    assert (await ann.ask("join", table=code))["type"] == "ok"
    all_is_well(nodes, code, [ann, bea])
    # The other node has met it anew.
    own = await ann.open_table()
    tables = nodes.servers["b"].game_server.tables
    await nodes.until(lambda: tables.elsewhere(own) == "a")
    await nodes.settle()


async def test_players_are_told_when_no_node_reaches_its_database(nodes: SeveralNodes) -> None:
    """One node alone is no outage; nobody loses their connection, and all tables go on."""
    code, (ann, bea, walter) = await match_at(nodes, "b")
    for client in (bea, walter):
        assert (await client.reconnect(features=["notice.outage"]))["type"] == "welcome"
    first, second = nodes.servers.values()
    gateways = [first.gateway, second.gateway]
    for server in (first, second):
        assert await server.game_server.why_away() == ""
        assert server.store.node is not None
        cut_off(server.store)
        server.store.node._look()
        peer = f"tables.{server.name}"
        await nodes.until(lambda peer=peer: all(is_lost_to(each, peer) for each in gateways))  # type: ignore[misc]
    why = await second.game_server.why_away()
    assert why == "no node with tables reaches its database"
    since = second.now
    second.gateway.outages.look(why)
    await nodes.until(lambda: second.now >= since + PATIENCE_SECONDS)
    second.gateway.outages.look(await second.game_server.why_away())
    assert (await walter.reconnect(features=["notice.outage"]))["type"] == "welcome"
    for server in (first, second):
        assert server.store.node is not None
        believe(server.store)
        server.store.node._look()
    await nodes.until(lambda: not any(each.nodes.why_away() for each in gateways))
    await nodes.settle()
    second.gateway.outages.look(await second.game_server.why_away())
    for client in (bea, walter):
        kinds = [each["kind"] for each in client.received if each["type"] == "notice"]
        assert [kind for kind in kinds if kind.startswith("outage")][-2:] == OUTAGE
    await first.play(code, 4, ann, bea)
    all_is_well(nodes, code, [ann, bea, walter])


async def test_a_table_of_a_node_that_stands_still_goes_on_at_the_next(
    nodes: SeveralNodes,
) -> None:
    """Gateways hear from the new node where the table is; the old one seems to be there still."""
    code, _ = await match_at(nodes, "a")
    first = nodes.servers["a"]
    first.lost = True
    await nodes.expire("a")
    routes = [server.gateway.nodes for server in nodes.servers.values()]
    await nodes.until(lambda: all(each.route(code) == "tables.b" for each in routes))
    assert "tables.a" in routes[0]._ready


async def test_a_guest_is_the_same_player_at_each_node(nodes: SeveralNodes) -> None:
    """Whichever node they showed themselves to is lost, their token and their seat are theirs."""
    guests = [await nodes.servers["a"].client(f"Guest {number}") for number in range(4)]
    known = [guest.player for guest in guests]
    nodes.lose("a")
    await nodes.noticed("a")
    for guest in guests:
        guest.disconnect()
        assert (await guest.reconnect())["type"] == "welcome"
    assert [guest.player for guest in guests] == known
    code = await guests[0].open_table()
    assert (await guests[1].ask("join", table=code))["type"] == "ok"


async def test_a_game_of_one_nodes_folder_is_played_at_all(
    nodes: SeveralNodes, tmp_path: Path
) -> None:
    """Also at a node without any, and after the node that brought it is lost with its folder."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "High2.rcy").write_text(HIGH)
    await nodes.begin("c", folder=GameFolder(folder))
    clients = [await nodes.player("a", home, "Ann") for home in ("a", "b", "c")]
    codes = [await client.open_table(game="High2.rcy") for client in clients]
    assert [nodes.holder(code).name for code in codes] == ["a", "b", "c"]
    assert len({str(await client.ask("games")) for client in clients}) == 1
    ann, code = clients[-1], codes[-1]
    await ann.ask("start", table=code, fill=0)
    await ann.move(code)
    (folder / "High2.rcy").unlink()
    nodes.lose("c")
    await nodes.noticed("c")
    await nodes.expire("c")
    await nodes.settle()
    await nodes.servers["a"].play(code, MOVES, ann)
    assert ann.tables[code].info.phase == "finished"
    again = await ann.open_table(game="High2.rcy")
    assert nodes.holder(again).name == nodes.home(ann.player) != "c"


async def test_a_token_revoked_at_one_node_is_revoked_at_each(nodes: SeveralNodes) -> None:
    """A guest's first one, which each node keeps, also once they sit down at another node."""
    ann = await nodes.player("a", "a", "Ann")
    token = hashed(str(ann.token))
    other = nodes.servers["b"].game_server.guests
    await nodes.until(lambda: other.by_token(token) is not None)
    await ann.send("revoke_device", device=FIRST)
    await nodes.until(lambda: other.by_token(token) is None)
    row = other.by_id(ann.player)
    assert row is not None
    assert row.token_hash == f"revoked {ann.player}"
    # One that has not heard of it, by the time that the others have forgotten it.
    await nodes.settle()
    other.add(row._replace(token_hash=token), 0.0)
    for server in nodes.servers.values():
        server.node._ports._players._devices._revoked.clear()
    # The network may lose a question for longer than a gateway waits for an answer.
    while (answer := await ann.reconnect())["code"] == "try_again":
        pass
    assert answer["code"] == "unauthorized"


async def test_a_lifted_ban_is_kept_by_no_gateway(nodes: SeveralNodes) -> None:
    """Though the node that lifted it was lost before it could say so to each, or to any node."""
    second = nodes.servers["b"]
    keys = [BanKey("player", name) for name in ("ann", "bea")]
    bans = [BanRow(*key, None, "loud", 1.0) for key in keys]
    known = second.gateway.connections.bans
    kept = BanRow("player", "cem", None, "loud", 1.0)
    await second.store.save(Write(bans=(*bans, kept)))
    for ban in (*bans, kept):
        nodes.servers["a"].game_server.bans.put(ban)
    nodes.servers["a"].game_server.settle()
    await nodes.until(lambda: len(known) == len(second.game_server.bans) == 3)
    nodes.lose("a")
    await second.store.save(Write(deleted=Deletion(bans=tuple(keys))))
    second.game_server.bans.unlearn(keys[0])
    await nodes.noticed("a")
    await nodes.until(lambda: list(second.game_server.bans) == list(known) == [kept])
    await nodes.settle()


async def test_a_right_code_of_a_device_is_no_wrong_guess_anywhere(nodes: SeveralNodes) -> None:
    """Whichever node made it is the first that is asked."""
    services = [each.node._ports._players._devices for each in nodes.servers.values()]
    for home in ("a", "b"):
        ann = await nodes.player("a", home, "Ann")
        for number in range(4):
            code = (await ann.ask("add_device"))["code"]
            assert nodes.home(hashed(code)) == home
            phone = TestClient(nodes.servers["b"], client_id=f"phone {number}")
            await phone.hello(code=code, alongside=True)
            assert phone.player == ann.player
    assert not any(service._wrong.spent(service._now()) for service in services)


async def test_whose_a_code_is_can_be_asked_by_way_of_any_node(nodes: SeveralNodes) -> None:
    """The node that made it is asked, wherever the player is at home who asks."""
    ann = await nodes.player("a", "a", "Ann")
    code = (await ann.ask("add_device"))["code"]
    for gateway in ("a", "b"):
        bea = await nodes.player(gateway, "b", "Bea")
        assert (await bea.ask("whose_code", code=code))["name"] == "Ann"
