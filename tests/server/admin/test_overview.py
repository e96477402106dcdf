"""The overview of a whole server for administrators."""

import os
from pathlib import Path

import pytest

from server.admin.answers import (
    AdminAnswer,
    AuditLines,
    NodePage,
    PlayerPage,
    ServerStatus,
    TablePage,
)
from server.admin.audit import FILE, AuditLog, Caller
from server.admin.requests import (
    PAGE,
    KickPlayer,
    ListBans,
    ListPlayers,
    Nodes,
    ReadLog,
    Status,
    Tables,
)
from server.nodes.admin_errors import NOT_RECORDED
from tests.server.admin.asking import ask, refusal
from tests.server.harness import open_server
from tests.server.secrecy.knowledge import TOKEN


async def test_status_tells_how_full_the_server_is(tmp_path: Path) -> None:
    """Status has connections, seats, and tables by phase, sleeping ones included."""
    async with open_server(tmp_path) as server:
        playing, (ann, _) = await server.match_of("Ann", "Bea")
        await server.table_of("Cid")
        status = await ask(server, Status(), ServerStatus)
        assert status.tables == {"lobby": 1, "playing": 1}
        assert (status.connections, status.seated, status.bans) == (3, 3, 0)
        assert status.trouble == ""
        assert status.bots == ()
        await server.match_of("Dora", seats=2)
        (bots,) = (await ask(server, Status(), ServerStatus)).bots
        assert (bots.game, bots.strength, bots.seats) == ("black_queen", 0, 1)
        server.store.broken = True
        assert "store" in (await ask(server, Status(), ServerStatus)).trouble
        server.store.broken = False
        server.game_server.drain()
        assert (await ask(server, Status(), ServerStatus)).trouble == "draining"
        assert ann.tables[playing].info.phase == "playing"


async def test_a_server_alone_has_no_nodes(tmp_path: Path) -> None:
    """A server without other nodes lists no nodes."""
    async with open_server(tmp_path) as server:
        assert await ask(server, Nodes(), NodePage) == NodePage(nodes=())


async def test_tables_name_their_players(tmp_path: Path) -> None:
    """Tables list their players, private tables and absent players too; a bot has no id."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea", seats=3, settings={"private": True})
        await ann.ask("add_bot", table=code, strength=1)
        watcher = await server.client("Wim")
        await watcher.ask("watch", table=code)
        bea.disconnect()
        await server.settle()
        (table,) = (await ask(server, Tables(), TablePage)).tables
        assert (table.table, table.private, table.spectators) == (code, True, 1)
        assert [seat.player for seat in table.seats] == [ann.player, bea.player, None]
        assert [seat.away for seat in table.seats] == [False, True, False]
        assert table.seats[2].strength == 1


async def test_long_lists_come_in_pages(tmp_path: Path) -> None:
    """Long lists come in pages, with each table on exactly one page, ordered by code."""
    async with open_server(tmp_path, max_tables_per_player=PAGE + 20) as server:
        ann = await server.client("Ann")
        codes = sorted([await ann.open_table() for _ in range(PAGE + 5)])
        first = await ask(server, Tables(), TablePage)
        assert first.next == first.tables[-1].table
        second = await ask(server, Tables(after=first.next), TablePage)
        assert second.next is None
        assert [table.table for table in (*first.tables, *second.tables)] == codes


async def test_players_are_those_who_are_connected_or_have_a_seat(tmp_path: Path) -> None:
    """Players are those who are connected or have a seat, with address and tables."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        cid = await server.client("Cid", address="198.51.100.7")
        dan = await server.client("Dan")
        for gone in (bea, dan):
            gone.disconnect()
        await server.settle()
        players = (await ask(server, ListPlayers(), PlayerPage)).players
        assert {player.player: (player.name, player.online) for player in players} == {
            ann.player: ("Ann", True),
            bea.player: ("Bea", False),
            cid.player: ("Cid", True),
        }
        told = {player.player: player for player in players}
        assert told[ann.player].tables == told[bea.player].tables == (code,)
        assert (told[ann.player].seats, told[bea.player].seats) == ((1,), (2,))
        assert told[cid.player].address == "198.51.100.7"


async def test_nothing_hidden_is_told(tmp_path: Path) -> None:
    """In the middle of a match no answer has a card, a seed or a token."""
    async with open_server(tmp_path) as server:
        code, people = await server.match_of("Ann", "Bea", seats=4, seed=7)
        await server.play(code, 3, *people)
        requests = (Status(), Tables(), ListPlayers(), ListBans(), KickPlayer(player="Ann"))
        answers = [await ask(server, request, AdminAnswer) for request in requests]
        text = "".join(answer.model_dump_json() for answer in answers)
        assert "playing" in text
        assert TOKEN.findall(text) == []
        state = server.state(code)
        secrets = [str(state.seed), *(str(person.token) for person in people)]
        assert [secret for secret in secrets if secret in text] == []


async def test_the_audit_log_is_read_back(tmp_path: Path) -> None:
    """The last lines of the audit log are read, newest last, without damaged ones."""
    async with open_server(tmp_path) as server:
        assert (await ask(server, ReadLog(), AuditLines)).log == ()
        audit = AuditLog(tmp_path / FILE, lambda: server.now)
        for act in ("kick", "ban", "unban"):
            await audit.record(Caller(None, 7), act, {"player": "Zoë"}, "ok")
        with (tmp_path / FILE).open("a") as file:
            file.write('half a li\n[]\n{"act": "ban"}\n')
        await audit.record(Caller(None, 7), "close", {}, "unknown_table")
        told = (await ask(server, ReadLog(lines=6), AuditLines)).log
        assert [(line.act, line.result) for line in told] == [
            ("ban", "ok"),
            ("unban", "ok"),
            ("close", "unknown_table"),
        ]
        assert told[0].arguments == {"player": "Zoë"}
        (tmp_path / FILE).unlink()
        os.mkfifo(tmp_path / FILE)
        assert await refusal(server, ReadLog()) == NOT_RECORDED


async def test_only_the_end_of_a_long_log_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only whole lines at the end of a long log are read."""
    monkeypatch.setattr("server.admin.audit.READ_BYTES", 350)
    audit = AuditLog(tmp_path / FILE, lambda: 0.0)
    for number in range(9):
        await audit.record(Caller(None, number), "status", {}, "ok")
    assert [line["pid"] for line in await audit.last(100)] == [7, 8]
