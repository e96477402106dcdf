"""One move in a cluster, and what its processes log and export of it."""

import json
from pathlib import Path
from typing import Any

from protocol.connection import connect
from protocol.to_server import Act, CreateTable, Games, Start
from tests.collector import Collector, check_trees
from tests.e2e.processes import Server
from tests.e2e.program import SECONDS
from tests.server.small_descriptions import HIGH

WORK = {"command act", "tables act", "store commit", "bot question", "bot thinking"}


def described(folder: Path) -> str:
    """A folder with a game whose bots think in bot workers, without being compiled."""
    folder.mkdir()
    folder.joinpath("High2.rcy").write_text(HIGH)
    return str(folder)


def lines(server: Server) -> list[dict[str, Any]]:
    """The whole log lines that a process has written so far."""
    return [json.loads(line) for line in server.program.errors.splitlines() if line[-1:] == "}"]


async def check_traced_move(
    gateway: Server, tables: Server, worker: Server, collector: Collector
) -> None:
    """One trace id is in the lines of all three, and their spans form one tree."""
    async with connect(gateway.url, name="Zebediah") as player:
        games = await player.ask(Games)
        game = next(info.id for info in games.games if info.id.startswith("High2"))
        table = (await player.ask(CreateTable, game=game, seats=2)).table
        assert table is not None
        await player.ask(Start, table=table, fill=1)
        mirror = player.session.tables[table]
        action, turn = mirror.choices.actions[0], mirror.question.turn
        await player.ask(Act, table=table, turn=turn, action=action)
        await worker.program.complaint('"bot_thought"')
        await tables.program.complaint('"seat": 1')
    (moved,) = [line for line in lines(gateway) if line.get("message_type") == "act"]
    trace = moved["trace_id"]
    for server, event, count in ((tables, "act", 2), (worker, "bot_thought", 1)):
        logged = [line["trace_id"] for line in lines(server) if line["event"] == event]
        assert logged == [trace] * count, server.program
    await collector.until(lambda: len(collector.of(trace)) >= len(WORK) + 1, SECONDS)
    spans = collector.of(trace)
    assert {span.name for span in spans} == WORK
    check_trees(spans)
    roles = {span.name: span.resource["blackqueen.roles"] for span in spans}
    assert {roles["command act"], roles["tables act"], roles["bot thinking"]} == {
        *("gateway", "tables", "bots")
    }
    assert b"Zebediah" not in b"".join(collector.bodies)
    assert table.encode() not in b"".join(collector.bodies)
