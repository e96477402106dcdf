"""Tests described games between processes: a folder of files, kills, changed and lost files."""

import asyncio
import json
import shutil
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from tests.e2e.client_log import read
from tests.e2e.processes import Programs, free_port
from tests.e2e.program import Program, table_code, told
from tests.e2e.stored import only_table
from tests.server.small_descriptions import BROKEN, HIGH, STUCK

pytestmark = pytest.mark.e2e

MOVES = 52
QUICK = ("--option", "hints=no", "--auto", "--json")
"""A client that gets no hints plays at random."""


@pytest.fixture
def games(programs: Programs) -> Path:
    """Return a folder with Hearts for four and a file with errors."""
    folder = programs.folder / "games"
    folder.mkdir()
    (folder / "Hearts4.rcy").write_text(description("Hearts4"))
    (folder / "Broken2.rcy").write_text(BROKEN)
    return folder


def description(name: str) -> str:
    """Return a description that ships with the program."""
    return files("engine.recycle.games").joinpath(f"{name}.rcy").read_text("utf-8")


async def test_a_described_match_lives_through_kills_and_changes(
    programs: Programs, games: Path, rng: Random
) -> None:
    """Clients finish the match they began, whatever happens to the server and the game's file."""
    server = await programs.serve("--games", str(games), port=free_port(rng))
    await server.program.complaint("description_problem")
    opens = ("--create", "Hearts4.rcy", "--start", "3", "--fill", "0")
    ann = await programs.run("join", server.url, *opens, *QUICK, "--name", "Ann")
    code = await table_code(ann)
    watcher = await programs.run("watch", server.url, code, "--json")
    await table_code(watcher)
    ben = await programs.run("join", server.url, code, "--auto", "--json", "--name", "Ben")
    bot = await programs.run("bot", server.url, code, "--strength", "1", "--json")
    begun = 9
    await told(ann, begun + 8)
    await server.kill()
    (games / "Hearts4.rcy").write_text(HIGH)
    server = await programs.serve("--games", str(games), port=server.port)
    await told(ann, begun + 25)
    await server.kill()
    shutil.rmtree(games)
    server = await programs.serve(port=server.port)
    clients = [ann, ben, bot, watcher]
    await asyncio.gather(*(client.done() for client in clients))
    await server.stop()
    stored = only_table(programs.data)
    assert stored.kinds.count("act") == MOVES
    for client in clients:
        client_log = read(client)
        # A player who was still away at the second kill lost the connection only once.
        assert client_log.returns == client_log.losses > 0
        client_log.check(stored, internal=client is bot)
        assert client.records("finished")[-1]["totals"] == list(stored.totals)
    replay = await programs.run("replay", "--all", "--json", "--data", str(programs.data))
    await replay.done()
    (report,) = replay.records()
    assert (report["phase"], report["agrees"]) == ("finished", True)


async def test_a_file_is_played_by_itself(programs: Programs) -> None:
    """`play FILE` seats the player with bots, and continues a kept table without the file."""
    file = programs.folder / "My Agram.gdl"
    file.write_text(description("Agram3"))
    words = ("play", str(file), "--bots", "1,0", *QUICK, "--data", "kept")
    program = await programs.run(*words)
    await program.done()
    (finished,) = program.records("finished")
    assert sorted(finished["totals"]) == [0, 0, 1]
    stored = only_table(programs.folder / "kept")
    assert stored.state.chairs[1].strength == 1
    assert list(stored.totals) == finished["totals"]
    assert stored.game.info.title == "My Agram"


async def test_a_wrong_file_is_told_as_the_check_tells_it(programs: Programs) -> None:
    """Every error of a file is printed with its place, and the exit code is 2, without a server."""
    (programs.folder / "wrong.rcy").write_text(BROKEN)
    play = await programs.run("play", "wrong.rcy")
    assert await play.ended() == 2
    check = await programs.run("recycle", "check", "wrong.rcy")
    assert await check.ended() == 1
    assert play.errors.splitlines() == check.lines
    assert any(line.startswith("wrong.rcy:1:34: error") for line in check.lines)
    missing = await programs.run("play", "missing.rcy")
    assert await missing.ended() == 2
    assert "no such file" in missing.errors


async def test_a_match_that_stops_ends_every_client(programs: Programs, games: Path) -> None:
    """If a match stops with an error, players and spectators read why, and their programs end."""
    (games / "Stuck2.rcy").write_text(STUCK)
    server = await programs.serve("--games", str(games))
    opens = ("--create", "Stuck2.rcy", "--start", "2")
    ann = await programs.run("join", server.url, *opens, *QUICK)
    code = await table_code(ann)
    watcher = await programs.run("watch", server.url, code, "--json")
    await table_code(watcher)
    ben = await programs.run("join", server.url, code, "--auto")
    for client in (ann, watcher, ben):
        assert await client.ended() == 4, client
    assert reason(ann) == reason(watcher) == "stopped"
    assert "The game cannot go on: there is nothing to choose from" in "\n".join(ben.lines)


def reason(client: Program) -> str:
    """Return the reason of the table's closing as a client with `--json` received it."""
    return str(client.records("closed")[-1]["reason"])


async def test_a_folder_that_does_not_exist_is_refused(programs: Programs) -> None:
    """A mistyped folder is reported at the start, instead of an empty list of games."""
    program = await programs.start_server("--games", "nowhere")
    assert await program.ended() == 2
    assert "--games nowhere: there is no such folder" in program.errors


async def test_errors_are_in_the_log_from_the_start(programs: Programs, games: Path) -> None:
    """The log has one line for each error, with the file, before any client connects."""
    server = await programs.serve("--games", str(games))
    await server.stop()
    events = [json.loads(line) for line in server.program.errors.splitlines()]
    problems = [event for event in events if event["event"] == "description_problem"]
    assert len(problems) > 2
    assert {event["game"] for event in problems} == {"Broken2.rcy"}
    hosted = [event["game"] for event in events if event["event"] == "description_hosted"]
    assert [game.split("@")[0] for game in hosted] == ["Hearts4.rcy"]
