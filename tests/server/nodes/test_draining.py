"""Nodes that are drained and take tables again, as administrators see them."""

import time
from pathlib import Path
from typing import NoReturn

import pytest

from server.admin.answers import Draining, NodeLine, NodePage, Undrained
from server.admin.requests import Drain, Nodes, Undrain
from server.nodes.admin_errors import NOT_DRAINED, UNKNOWN_NODE, AdminError
from server.ops.node_figures import node_figures
from server.process import _give_away
from server.store import StoreUnavailable
from server.store.membership import Membership
from tests.server.admin.asking import ask, refusal
from tests.server.harness import ServerHarness
from tests.server.nodes.test_whole_nodes import two_nodes, url
from tests.server.store.nodes import until

__all__ = ["url"]  # a fixture


def drained(node: Membership) -> float:
    """The figure for a drained node."""
    told = {family.name: family.samples[0].value for family in node_figures(node)}
    return float(told["blackqueen_node_drained"])


async def lines(server: ServerHarness) -> dict[str, NodeLine]:
    """The lines of nodes that an administrator sees, by name."""
    page = await ask(server, Nodes(), NodePage)
    return {line.node: line for line in page.nodes}


async def test_a_drained_node_takes_tables_again(url: str, tmp_path: Path) -> None:
    """A drained node is shown as such until it takes tables again."""
    async with two_nodes(url, tmp_path) as (a, b):
        code, _ = await a.table_of("Ann")
        assert a.store.node is not None
        assert drained(a.store.node) == 0
        assert await ask(a, Drain(node="a"), Draining) == Draining(node="a", tables=1)
        await until(lambda: not a.game_server.tables.has(code))
        assert drained(a.store.node) == 1
        line = (await lines(a))["a"]
        assert (line.takes, line.tables, line.lease) == (False, 0, "held")
        await until(lambda: b.game_server.moving.drained() == ["a"])  # type: ignore[union-attr]
        with pytest.raises(AdminError, match=r"tables of 'b' \(drained: a; `undrain` ends that\)"):
            await ask(b, Drain(node="b"), Draining)
        assert await refusal(b, Undrain(node="b")) == NOT_DRAINED
        assert await refusal(b, Undrain(node="c")) == UNKNOWN_NODE
        assert await ask(a, Undrain(node="a"), Undrained) == Undrained(node="a")
        assert (await lines(a))["a"].takes


async def test_a_node_that_ends_stays_drained(url: str, tmp_path: Path) -> None:
    """A node that ends cannot take tables again."""
    async with two_nodes(url, tmp_path) as (a, _):
        await _give_away(a.game_server, patience=60.0)
        with pytest.raises(AdminError, match="about to stop"):
            await ask(a, Undrain(node="a"), Undrained)


async def test_nodes_are_shown_while_the_database_is_away(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is away the last known nodes are shown, with the reason."""

    async def away() -> NoReturn:
        raise StoreUnavailable("connection refused")

    async with two_nodes(url, tmp_path) as (a, _):
        assert (await lines(a))["b"].lease == "held"
        monkeypatch.setattr(a.store, "nodes", away)
        told = await lines(a)
        known = [(line.node, line.here, line.lease, line.tables) for line in told.values()]
        assert known == [(name, True, None, None) for name in "ab"]
        reason = "the store does not answer: connection refused"
        assert {line.unknown for line in told.values()} == {reason}


async def test_a_node_that_is_gone_is_shown_for_a_while(url: str, tmp_path: Path) -> None:
    """A lost node is shown for a while, with the end of its lease."""
    async with two_nodes(url, tmp_path) as (a, b):
        await b.store.close()
        a.now = time.time()
        over = (await lines(a))["b"]
        assert (over.here, over.lease) == (False, "over")
        assert over.gone == pytest.approx(a.now, abs=600)
        a.now += 4500.0
        assert "b" not in await lines(a)
