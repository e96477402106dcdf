"""A restart: every table goes on where it stood."""

import json
from pathlib import Path

from tests.server.harness import open_server
from tests.server.store.rows import results


async def test_tables_go_on_where_they_stood(tmp_path: Path) -> None:
    """After a restart tables of all phases have their states and views."""
    async with open_server(tmp_path) as server:
        lobby, (ann, bea) = await server.table_of("Ann", "Bea")
        await ann.ask("ready", table=lobby)
        playing, (carl, dora) = await server.match_of("Carl", "Dora")
        await server.play(playing, 5, carl, dora)
        paused, (emil, fay) = await server.match_of("Emil", "Fay")
        await server.play(paused, 3, emil, fay)
        finished, (gus, hal) = await server.match_of("Gus", "Hal", options={"deals": 1})
        await server.play(finished, 52, gus, hal)
        emil.disconnect()
        fay.disconnect()
        await server.wait(31)
        codes = (lobby, playing, paused, finished)
        hosts = (ann, carl, emil, gus)
        await emil.reconnect()
        emil.disconnect()
        await server.wait(31)
        listed = (await ann.ask("list_tables"))["tables"]
        seen = {code: host.tables[code] for code, host in zip(codes, hosts, strict=True)}
        phases = [server.table(code).state.phase for code in (lobby, playing, finished)]
        assert phases == ["lobby", "playing", "finished"]
    async with open_server(tmp_path, now=server.now + 3) as server:
        assert server.loaded() == set()
        again = await server.client("Nina")
        names = {table["table"]: table["phase"] for table in listed}
        relisted = (await again.ask("list_tables"))["tables"]
        assert {table["table"]: table["phase"] for table in relisted} == names
        assert paused not in names
        for code, host in zip(codes, hosts, strict=True):
            await host.reconnect(server)
            await server.settle()
            assert host.tables[code].view == seen[code].view
            assert host.tables[code].facts[: len(seen[code].facts)] == seen[code].facts
        for client in (bea, dora, fay, hal):
            await client.reconnect(server)
        await server.settle()
        assert server.state(paused).phase == "playing"
        await server.play(playing, 47, carl, dora)
        assert carl.tables[playing].view.values["deal"] == 2
        await gus.ask("rematch", table=finished)
        assert server.state(finished).phase == "lobby"


async def test_a_match_across_restarts_ends_as_its_log_says(tmp_path: Path) -> None:
    """A match over any restarts ends as its moves say."""
    now = 1_000_000.0
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", options={"deals": 1, "columns": 5})
    for _ in range(8):
        now += 10
        async with open_server(tmp_path, now=now) as server:
            await ann.reconnect(server)
            await bea.reconnect(server)
            await server.settle()
            await server.play(code, 7, ann, bea)
            seq = ann.tables[code].seq
    async with open_server(tmp_path, now=now) as server:
        await ann.reconnect(server)
        assert ann.tables[code].seq == seq
        (result,) = await results(server.store, code)
        stored = await server.store.load(code)
        assert stored is not None
        assert sum(row.kind == "act" for row in stored[1]) == 52
        ended = ann.tables[code].facts[-1]
        assert ended.verb == "match_ended"
        assert tuple(json.loads(result.body)["totals"]) == ended.args["totals"]


async def test_nobody_loses_a_turn_to_a_server_that_was_away(tmp_path: Path) -> None:
    """After a restart turn clocks and absences start anew."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", settings={"turn_seconds": 20})
        await server.wait(15)
    async with open_server(tmp_path, now=server.now + 1000) as server:
        await ann.reconnect(server)
        await bea.reconnect(server)
        await server.wait(19)
        assert server.state(code).turn == 1
        await server.wait(2)
        assert server.state(code).turn == 2


async def test_tables_to_which_nobody_returns_pause_and_are_given_up(tmp_path: Path) -> None:
    """Tables to which nobody returns pause and are closed in time."""
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea")
        await ann.open_table()
    async with open_server(tmp_path, now=server.now + 10) as server:
        await server.wait(61)
        phases = server.game_server.live.directory.phases
        assert phases() == {"paused": 1, "lobby": 1}
        assert code not in server.loaded()
        await server.wait(1800)
        assert phases() == {"paused": 1}
        await server.wait(3600)
        assert phases() == {}
        assert server.loaded() == set()
        assert server.game_server.next_tick() is None


async def test_closed_tables_stay_closed(tmp_path: Path) -> None:
    """Closed tables stay closed after a restart."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        await ann.ask("leave", table=code)
    async with open_server(tmp_path) as server:
        await ann.reconnect(server)
        assert await ann.refusal("join", table=code) == "unknown_table"
