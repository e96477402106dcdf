"""Tables that go to another node in the middle of a deal, while everybody stays connected."""

import asyncio
from pathlib import Path

import pytest

from protocol.version import CLOSE_REFUSED
from server.admin.answers import (
    Announced,
    AuditLines,
    Balancing,
    Kicked,
    ServerStatus,
    TableClosed,
    TablePage,
)
from server.admin.audit import AuditLog, Caller
from server.admin.browser_keys import BrowserKeys
from server.admin.draining import drain
from server.admin.errors import CannotDrain, TryAgain, UnknownNode, UnknownTable
from server.admin.requests import Announce, BalanceTables, CloseTable, Kick, Log, Status, Tables
from server.admin.service import Administration
from server.bots import thinking
from server.store import BanRow, Owner, StoreUnavailable, TableRow, Write
from server.tables_process import _give_away
from tests.server.bots.asking import SLOW
from tests.server.bots.fake_process import FakeProcess
from tests.server.client import TestClient
from tests.server.node.several_nodes import OneOfSeveral, SeveralNodes
from tests.server.node.test_several_nodes import all_is_well, match_at, nodes, url

__all__ = ["nodes", "url"]  # fixtures


async def drained(server: OneOfSeveral) -> None:
    """Let a node give all its tables away."""
    moving = server.node.moving
    assert moving is not None
    await moving.drain()
    await server.settle()


def administration(server: OneOfSeveral, folder: Path) -> Administration:
    """What an administrator can ask a node."""
    audit, keys = AuditLog(folder / "audit", lambda: server.now), BrowserKeys(lambda: server.now)
    return Administration(server.game_server, server.store, lambda: server.now, audit, keys)


def listed(client: TestClient) -> list[str]:
    """The tables that a client was told of since the last call, as often as it was."""
    told = client.new_messages("lobby")
    return [row["table"] for message in told for row in message.get("tables", ())]


async def test_a_match_moves_with_its_players_and_spectators(nodes: SeveralNodes) -> None:
    """While they play; nobody is asked to come in again, and new tables are opened elsewhere."""
    code, clients = await match_at(nodes, "a")
    ann, bea, _ = clients
    first, second = nodes.servers["a"], nodes.servers["b"]
    await first.play(code, 5, ann, bea)
    mover = ann if ann.tables[code].my_turn else bea
    before = nodes.holder(code).state(code).seq
    async with asyncio.TaskGroup() as tasks:
        moving = tasks.create_task(_move(mover, code))
        # As when the process is told to stop.
        tasks.create_task(_give_away(first.game_server, patience=60.0))
    assert moving.result() == "ok"
    await nodes.settle()
    assert nodes.holder(code).name == "b"
    assert nodes.holder(code).state(code).seq == before + 1
    await second.play(code, 6, ann, bea)
    all_is_well(nodes, code, clients)
    new = await ann.open_table()
    assert nodes.holder(new).name == "b"
    assert await first.store.owner(code) == await second.store.owner(code)
    assert first.game_server.tables.elsewhere(code) == "b"
    assert (await bea.ask("watch", table=new))["type"] == "ok"


async def _move(client: TestClient, code: str) -> str:
    """Make a move as clients do: also again, if that is what they are told; what came of it."""
    while (answer := await client.move(code)).get("code") == "try_again":
        pass
    return str(answer.get("code", answer["type"]))


async def test_a_node_takes_a_table_of_its_own_that_it_has_overlooked(
    nodes: SeveralNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When somebody asks for it: the database says whose it is."""
    code, clients = await match_at(nodes, "a")
    second = nodes.servers["b"]
    tables = second.game_server.tables
    include = tables.include
    refused: list[str] = []

    async def refuse(row: TableRow) -> None:
        refused.append(row.code)
        monkeypatch.setattr(tables, "include", include)
        raise StoreUnavailable("the database is away")

    monkeypatch.setattr(tables, "include", refuse)
    await drained(nodes.servers["a"])
    await nodes.until(lambda: refused == [code])
    assert (await clients[2].ask("sync", table=code))["type"] == "ok"
    await second.play(code, 2, *clients[:2])
    all_is_well(nodes, code, clients)


async def test_a_table_is_found_that_comes_while_it_is_looked_for(
    nodes: SeveralNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is asked whose it is, and the node has it before that is answered."""
    code, clients = await match_at(nodes, "a")
    ann, bea, cleo = clients
    # Her gateway would ask for it first.
    await cleo.ask("leave", table=code)
    second = nodes.servers["b"]
    tables, store = second.game_server.tables, second.store
    include, owner = tables.include, store.owner
    late: list[TableRow] = []

    async def put_off(row: TableRow) -> None:
        late.append(row)

    async def include_meanwhile(table: str) -> Owner | None:
        found = await owner(table)
        await include(late[0])
        return found

    monkeypatch.setattr(tables, "include", put_off)
    monkeypatch.setattr(store, "owner", include_meanwhile)
    await drained(nodes.servers["a"])
    await nodes.until(lambda: bool(late))
    assert {row.code for row in late} == {code}
    assert (await ann.ask("sync", table=code))["type"] == "ok"
    await second.play(code, 2, ann, bea)
    all_is_well(nodes, code, [ann, bea])


async def test_a_line_of_chat_is_said_before_its_table_goes(nodes: SeveralNodes) -> None:
    """Whoever said it was answered that everybody reads it."""
    code, clients = await match_at(nodes, "a")
    ann, bea, _ = clients
    first = nodes.servers["a"]
    moving, store = first.node.moving, first.store
    assert moving is not None
    store.hold_writes()
    await ann.send("chat", 900, table=code, text="hello")
    await nodes.until(lambda: any(write.answers for write, _ in store.held_writes or ()))
    held = len(store.held_writes or ())
    moved = moving.drain()
    await nodes.until(lambda: len(store.held_writes or ()) > held)
    store.release_writes()
    await moved
    await nodes.settle()
    assert nodes.holder(code).name == "b"
    assert [line["text"] for line in bea.new_messages("chat")] == ["hello"]
    all_is_well(nodes, code, clients)


async def test_who_waits_at_a_table_that_goes_may_ask_again(
    fakes: list[FakeProcess], nodes: SeveralNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a hint, or to be let in; the next node knows nothing of it."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    ann, late = await nodes.player("a", "a", "Ann"), await nodes.servers["b"].client("Late")
    # Everybody is asked at once what to pass.
    code = await ann.open_table(game="hearts", seats=4, settings={"bot_delay": 60.0})
    await ann.ask("start", table=code, fill=0)
    assert (await late.ask("join", table=code))["type"] == "asked"
    await ann.send("hint", 900, table=code)
    await nodes.until(lambda: len(nodes.servers["a"].game_server.hints) == 1)
    await drained(nodes.servers["a"])
    await nodes.until(lambda: nodes.servers["b"].game_server.tables.has(code))
    await nodes.settle()
    assert [answer["code"] for answer in ann.answers[900]] == ["try_again"]
    told = [client.new_messages("notice")[-1] for client in (late, ann)]
    assert [(each["kind"], each["reason"]) for each in told] == [
        ("refused", "over"),
        ("latecomer_gone", "over"),
    ]
    assert (await late.ask("join", table=code))["type"] == "asked"
    await ann.send("hint", 901, table=code)
    await nodes.until(lambda: len(nodes.servers["b"].game_server.hints) == 1)
    # A node that is lost can tell nobody.
    late.new_messages()
    nodes.lose("b")
    await nodes.noticed("b")
    await nodes.expire("b")
    await nodes.settle()
    told = late.new_messages("notice")
    assert [(each["kind"], each["table"], each["reason"]) for each in told] == [
        ("refused", code, "over")
    ]


async def test_a_list_of_tables_is_told_by_one_node(nodes: SeveralNodes) -> None:
    """Also after that one has given its tables away."""
    walter = await nodes.player("b", "a", "Walter")
    ann = await nodes.player("a", "b", "Ann")
    await walter.ask("follow_tables")
    code = await ann.open_table()
    first, second = nodes.servers["a"], nodes.servers["b"]
    await nodes.until(lambda: code in first.game_server.tables.directory._infos)
    await first.wait_for_news()
    assert listed(walter) == [code]
    await drained(first)
    other = await ann.open_table()
    heard: list[str] = []

    def has_heard_of_both() -> bool:
        heard.extend(listed(walter))
        return len(heard) >= 2

    await nodes.until(has_heard_of_both)
    await second.wait_for_news()
    # The whole list, once.
    assert heard + listed(walter) == [code, other]


async def test_an_administrator_drains_a_node_from_another(nodes: SeveralNodes) -> None:
    """By its name; not the last one, and not one that is not there."""
    code, clients = await match_at(nodes, "a")
    second = nodes.servers["b"]
    begun = await drain(second.game_server, second.store, "tables.a")
    assert (begun.node, begun.tables) == ("a", 1)
    await nodes.until(lambda: second.game_server.tables.has(code))
    await nodes.settle()
    await second.play(code, 2, *clients[:2])
    all_is_well(nodes, code, clients)
    with pytest.raises(UnknownNode, match="there is no node 'c'"):
        await drain(second.game_server, second.store, "c")
    with pytest.raises(CannotDrain, match="no other node that could take the tables of 'b'"):
        await drain(second.game_server, second.store, "b")


async def test_an_administrator_kicks_a_player_from_another_nodes_table(
    nodes: SeveralNodes, tmp_path: Path
) -> None:
    """They are disconnected wherever they are, and lose their seats at all nodes."""
    code, (ann, bea, _) = await match_at(nodes, "a")
    second = nodes.servers["b"]
    asked = administration(second, tmp_path)
    known = second.game_server.tables.directory
    await nodes.until(lambda: known.elsewhere(code) == "a" and known.sits(bea.player, code))
    answer = await asked.carry_out(Kick(player=bea.player))
    assert isinstance(answer, Kicked)
    assert [line.tables for line in answer.kicked] == [(code,)]
    await nodes.settle()
    assert bea.closed() == (CLOSE_REFUSED, "forbidden")
    await nodes.until(lambda: nodes.holder(code).state(code).chairs[1].kind == "bot")
    assert ann.closed() is None


async def test_nodes_give_each_other_their_share(
    nodes: SeveralNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an upgrade, when the last of them has none; whichever is asked."""
    (mine, clients), (yours, others) = await match_at(nodes, "a"), await match_at(nodes, "a")
    asked = administration(nodes.servers["b"], tmp_path)
    monkeypatch.setattr("server.node.moving.heir", lambda code, _: "b" if code == yours else "a")
    assert await asked.carry_out(BalanceTables()) == Balancing(tables=1)
    await nodes.until(lambda: nodes.servers["b"].game_server.tables.has(yours))
    await nodes.settle()
    assert nodes.holder(mine).name == "a"
    await nodes.servers["a"].play(mine, 2, *clients[:2])
    await nodes.servers["b"].play(yours, 2, *others[:2])
    all_is_well(nodes, mine, clients)
    all_is_well(nodes, yours, others)
    assert await asked.carry_out(BalanceTables()) == Balancing(tables=0)
    nodes.lose("a")
    known = nodes.servers["b"].node.neighbours
    await nodes.until(lambda: known is not None and not known.here())
    with pytest.raises(CannotDrain):
        await asked.carry_out(BalanceTables())


async def test_an_administrator_asks_any_node_for_all_tables(
    nodes: SeveralNodes, tmp_path: Path
) -> None:
    """Its list has those of the others, all players are told, and a table is closed where it is."""
    code, (ann, _, walter) = await match_at(nodes, "a")
    own, (cem, *_) = await match_at(nodes, "b")
    dora = await nodes.servers["a"].client("Dora")
    second = nodes.servers["b"]
    asked = administration(second, tmp_path)
    await nodes.until(lambda: len(second.game_server.tables.directory) == 2)
    page, status = await asked.carry_out(Tables()), await asked.carry_out(Status())
    assert isinstance(page, TablePage)
    lines = {line.table: (line.node, line.spectators, line.in_memory) for line in page.tables}
    assert lines == {code: ("a", None, None), own: ("b", 1, True)}
    assert isinstance(status, ServerStatus)
    assert status.tables == {"playing": 2}
    for client in (ann, walter, cem, dora):
        client.new_messages()
    told = await asked.carry_out(Announce(text="We close at noon."))
    await nodes.settle()
    assert told == Announced(clients=7)
    heard = [client.new_messages() for client in (ann, walter, cem, dora)]
    assert [[(each["type"], each.get("table")) for each in one] for one in heard] == [
        [("chat", code)],
        [("chat", code)],
        [("chat", own)],
        [("notice", None)],
    ]
    assert await asked.carry_out(CloseTable(table=code)) == TableClosed(table=code)
    with pytest.raises(UnknownTable, match=f"no table {code!r}"):
        await asked.carry_out(CloseTable(table=code))
    await nodes.settle()
    assert code not in ann.tables
    nodes.lose("b")
    await nodes.noticed("b")
    with pytest.raises(TryAgain, match=r"does not answer|just now"):
        await administration(nodes.servers["a"], tmp_path).carry_out(CloseTable(table=own))


async def test_any_node_shows_the_audit_log_of_all(
    nodes: SeveralNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By time, and only from when on no line is missing, but for nodes that it names."""
    at = {"a": (1.0, 4.0, 5.0), "b": (2.0, 3.0, 6.0)}
    asked = {}
    for name, times in at.items():
        folder = tmp_path / name
        folder.mkdir()
        asked[name] = administration(nodes.servers[name], folder)
        for time in times:
            audit = AuditLog(folder / "audit", lambda time=time: time)  # type: ignore[misc]
            await audit.record(Caller(None, round(time)), "status", {}, "ok")

    async def shown(name: str, lines: int = 100) -> tuple[list[tuple[str | None, int | None]], str]:
        told = await asked[name].carry_out(Log(lines=lines))
        assert isinstance(told, AuditLines)
        return [(line.node, line.pid) for line in told.log], " ".join(told.missing)

    whole = [("a", 1), ("b", 2), ("b", 3), ("a", 4), ("a", 5), ("b", 6)]
    assert await shown("a") == await shown("b") == (whole, "")
    assert await shown("a", 2) == (whole[-2:], "")
    line = (tmp_path / "b" / "audit").stat().st_size / 3
    monkeypatch.setattr("server.admin.whole_log.MOST_BYTES", 2.7 * line)
    assert await shown("a") == (whole[2:], "")
    (tmp_path / "b" / "audit").unlink()
    (tmp_path / "b" / "audit").mkdir()
    mine = [each for each in whole if each[0] == "a"]
    assert await shown("a") == (mine, "b")
    nodes.lose("b")
    assert await shown("a") == (mine, "b")
    await nodes.noticed("b")
    assert await shown("a") == (mine, "b")


async def test_who_is_removed_while_their_table_is_nobodys_keeps_no_seat(
    nodes: SeveralNodes, tmp_path: Path
) -> None:
    """Its next node takes away the seats of players who were kicked meanwhile, or banned."""
    code, (ann, bea, _) = await match_at(nodes, "a")
    second = nodes.servers["b"]
    known = second.game_server.tables.directory
    await nodes.until(lambda: known.sits(ann.player, code) and known.sits(bea.player, code))
    nodes.lose("a")
    await nodes.noticed("a")
    asked = administration(second, tmp_path)
    await asked.carry_out(Kick(player=ann.player))
    # The node hears of the ban alone.
    ban = BanRow("player", bea.player, None, "loud", 1.0)
    await second.store.save(Write(bans=(ban,)))
    second.game_server.bans.learn(ban)
    await nodes.expire("a")
    # Nobody is left there.
    await nodes.until(lambda: code not in known)
    await nodes.settle()


async def test_a_table_that_cannot_be_given_away_is_played_on(
    nodes: SeveralNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it was, until the database takes it."""
    code, clients = await match_at(nodes, "a")
    first = nodes.servers["a"]
    moving = first.node.moving
    assert moving is not None
    save = first.store.save
    refused: list[str] = []

    async def refuse(write: object) -> None:
        refused.append(code)
        monkeypatch.setattr(first.store, "save", save)
        raise StoreUnavailable("disk full")

    monkeypatch.setattr(first.store, "save", refuse)
    assert await moving._give(code) is False
    assert refused == [code]
    await nodes.settle()
    assert nodes.holder(code).name == "a"
    await first.play(code, 2, *clients[:2])
    all_is_well(nodes, code, clients)


async def test_a_fault_at_one_table_does_not_end_a_drain(
    nodes: SeveralNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again; and a node that has got tables since gives these away, too."""
    code, clients = await match_at(nodes, "a")
    first, second = nodes.servers["a"], nodes.servers["b"]
    tables, moving = first.game_server.tables, first.node.moving
    assert moving is not None
    hand_over = tables.hand_over

    def fail(code: str, node: str) -> None:
        monkeypatch.setattr(tables, "hand_over", hand_over)
        raise RuntimeError("a fault")

    monkeypatch.setattr(tables, "hand_over", fail)
    await drained(first)
    assert nodes.holder(code).name == "b"
    await second.play(code, 2, *clients[:2])
    all_is_well(nodes, code, clients)
    again = moving.drain()
    assert not again.done()
    await again
