"""Nodes that an administrator drains, and lets take tables again; what is shown of it."""

from pathlib import Path
from typing import NoReturn

import pytest

from server.admin.answers import Balancing, Draining, NodeLine, NodePage, Undrained
from server.admin.audit import AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.errors import CannotDrain, NotDrained, UnknownNode
from server.admin.requests import BalanceTables, Drain, Nodes, Undrain
from server.admin.service import Administration
from server.bus.departed import Departed
from server.store import StoreUnavailable
from server.tables_process import _figures, _give_away
from tests.server.node.several_nodes import OneOfSeveral, SeveralNodes
from tests.server.node.test_several_nodes import all_is_well, match_at, nodes, url

__all__ = ["nodes", "url"]  # fixtures


def administration(server: OneOfSeveral, folder: Path) -> Administration:
    """What an administrator can ask a node, which knows who comes and goes on its bus."""
    audit, keys = AuditLog(folder / "audit", lambda: server.now), BrowserKeys(lambda: server.now)
    bus = server.all.world.buses[f"tables.{server.name}"]
    departed = Departed(bus, lambda: server.now)
    return Administration(
        server.game_server,
        server.store,
        lambda: server.now,
        audit,
        keys,
        lambda: {bus.name, *bus.alive},
        departed.since,
    )


async def lines(asked: Administration) -> dict[str, NodeLine]:
    """The processes that an administrator is shown, by name."""
    page = await asked.carry_out(Nodes())
    assert isinstance(page, NodePage)
    return {line.node: line for line in page.nodes}


async def until_takes(asked: Administration, node: str, *, takes: bool) -> NodeLine:
    """Wait until it is shown that a node takes tables, or none; its line."""
    while (line := (await lines(asked))[node]).takes is not takes:
        pass
    return line


@pytest.mark.parametrize("asked_at", ["a", "b"])
async def test_a_drained_node_takes_tables_again(
    nodes: SeveralNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked_at: str
) -> None:
    """Whichever is asked; until then it is said of the node, and why another cannot be drained."""
    code, clients = await match_at(nodes, "a")
    first, second = nodes.servers["a"], nodes.servers["b"]
    asked = administration(nodes.servers[asked_at], tmp_path)
    assert first.store.node is not None
    assert _figures(first.store.node).takes
    assert await asked.carry_out(Drain(node="tables.a")) == Draining(node="a", tables=1)
    await nodes.until(lambda: second.game_server.tables.has(code))
    await nodes.settle()
    assert (await until_takes(asked, "tables.a", takes=False)).tables == 0
    assert not _figures(first.store.node).takes
    with pytest.raises(CannotDrain, match=r"tables of 'b' \(drained: a; `undrain` ends that\)"):
        await asked.carry_out(Drain(node="b"))
    assert await asked.carry_out(BalanceTables()) == Balancing(tables=0, drained=("a",))
    with pytest.raises(NotDrained, match="'b' is not drained"):
        await asked.carry_out(Undrain(node="b"))
    with pytest.raises(UnknownNode):
        await asked.carry_out(Undrain(node="c"))
    assert await asked.carry_out(Undrain(node="a")) == Undrained(node="a")
    await until_takes(asked, "tables.a", takes=True)
    gateways = [server.gateway.nodes for server in nodes.servers.values()]
    await nodes.until(lambda: not any(each._leaving for each in gateways))
    neighbours = second.node.neighbours
    assert neighbours is not None
    await nodes.until(lambda: neighbours.staying() == ["a"])
    dora = await nodes.player("b", "a", "Dora")
    assert nodes.holder(await dora.open_table()).name == "a"
    monkeypatch.setattr("server.node.moving.heir", lambda code, _: "a")
    assert await asked.carry_out(BalanceTables()) == Balancing(tables=1)
    await nodes.until(lambda: first.game_server.tables.has(code))
    await nodes.settle()
    await first.play(code, 2, *clients[:2])
    all_is_well(nodes, code, clients)


async def test_a_drain_is_taken_back_while_tables_move(nodes: SeveralNodes) -> None:
    """The one that is on its way arrives, the others stay; and it may be drained again."""
    matches = [await match_at(nodes, "a") for _ in range(2)]
    first, second = nodes.servers["a"], nodes.servers["b"]
    moving, store = first.node.moving, first.store
    assert moving is not None
    store.hold_writes()
    drain = moving.drain()
    await nodes.until(lambda: bool(store.held_writes))
    assert moving.undrain().code == ""
    store.release_writes()
    await drain
    await nodes.settle()
    assert sorted(nodes.holder(code).name for code, _ in matches) == ["a", "b"]
    for code, clients in matches:
        await nodes.holder(code).play(code, 2, *clients[:2])
        all_is_well(nodes, code, clients)
    assert second.node.neighbours is not None
    await moving.drain()
    await nodes.settle()
    assert {nodes.holder(code).name for code, _ in matches} == {"b"}


async def test_a_node_that_ends_stays_drained(nodes: SeveralNodes, tmp_path: Path) -> None:
    """It was told to stop, so nobody can let it take tables again."""
    code, clients = await match_at(nodes, "a")
    asked = administration(nodes.servers["b"], tmp_path)
    await _give_away(nodes.servers["a"].game_server, patience=60.0)
    await nodes.settle()
    with pytest.raises(NotDrained, match="about to stop"):
        await asked.carry_out(Undrain(node="a"))
    assert nodes.holder(code).name == "b"
    all_is_well(nodes, code, clients)


async def test_processes_are_shown_while_the_database_is_away(
    nodes: SeveralNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the bus knows of them; what only the database knows has the reason in its place."""

    async def away() -> NoReturn:
        raise StoreUnavailable("connection refused")

    second = nodes.servers["b"]
    asked = administration(second, tmp_path)
    assert (await lines(asked))["tables.a"].lease == "held"
    monkeypatch.setattr(second.store, "nodes", away)
    told = await lines(asked)
    assert {name: (line.here, line.lease, line.tables) for name, line in told.items()} == {
        f"{role}.{name}": (True, None, None) for role in ("gateway", "tables") for name in "ab"
    }
    reason = "the store does not answer: connection refused"
    assert {line.unknown for line in told.values() if line.role == "tables"} == {reason}
    assert {line.unknown for line in told.values() if line.role == "gateway"} == {""}


async def test_a_process_that_is_gone_is_shown_for_a_while(
    nodes: SeveralNodes, tmp_path: Path
) -> None:
    """Since when; with its lease, as long as the database has one that is not over."""
    second = nodes.servers["b"]
    asked = administration(second, tmp_path)
    began = second.now
    nodes.lose("a")
    await nodes.until(lambda: "tables.a" not in nodes.world.buses["tables.b"].alive)
    line = (await lines(asked))["tables.a"]
    assert (line.here, line.lease) == (False, "held")
    assert line.gone is not None
    assert began <= line.gone <= second.now
    await nodes.expire("a")
    over = (await lines(asked))["tables.a"]
    assert (over.here, over.lease, over.gone) == (False, "over", line.gone)
    # Another node was started since, and knows no more than the database, which says: long ago.
    assert "tables.a" not in await lines(administration(second, tmp_path))
