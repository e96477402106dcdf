"""The rows of seats for other nodes agree with the tables."""

from pathlib import Path

import pytest

from tests.server.controllable_store import ControllableStore
from tests.server.harness import ServerHarness, open_server
from tests.server.statements import execute


def seats(server: ServerHarness) -> set[tuple[str, str]]:
    """The rows of the database, compared with the directory."""
    found = {(code, player) for code, player in execute(server, "SELECT * FROM seats")}
    directory = server.game_server.tables.directory
    assert found == {(code, player) for code in directory for player in directory.players_at(code)}
    return found


async def test_seats_are_stored_with_the_entries_that_give_and_take_them(tmp_path: Path) -> None:
    """Seats are stored with the entries that change them."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea", seats=3)
        cid = await server.client("Cid")
        both = {(code, ann.player), (code, bea.player)}
        assert seats(server) == both
        server.store.broken = True
        assert await cid.refusal("join", table=code) == "try_again"
        server.store.broken = False
        assert seats(server) == both
        await cid.ask("join", table=code)
        await cid.ask("leave", table=code)
        assert seats(server) == both
        await ann.ask("start", table=code, fill=0)
        await ann.ask("kick", table=code, seat=1)
        assert seats(server) == {(code, ann.player)}
        other = await bea.open_table()
        assert seats(server) == {(code, ann.player), (other, bea.player)}
        await ann.ask("leave", table=code)
        assert seats(server) == {(other, bea.player)}
    async with open_server(tmp_path, now=server.now + 1) as server:
        assert seats(server) == {(other, bea.player)}


async def test_a_server_alone_does_not_ask_where_its_players_sit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single server finds its players' seats without queries."""
    monkeypatch.setattr(ControllableStore, "seats_of", None)
    async with open_server(tmp_path, max_tables_per_player=1) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        assert await ann.refusal("create_table", game="hearts") == "too_many_tables"
        (table,) = (await bea.ask("my_tables"))["tables"]
        assert (table["info"]["table"], table["seat"]) == (code, 1)
