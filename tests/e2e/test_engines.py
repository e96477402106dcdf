"""Tests `blackqueen bot --engine` with a user's own program, also one that fails."""

import asyncio
import signal

import pytest

from tests.blackqueen.engines import BAD, GOOD, engine
from tests.counts import some
from tests.e2e.processes import Programs, Server
from tests.e2e.program import Program, table_code

pytestmark = pytest.mark.e2e


async def with_engine(
    programs: Programs, server: Server, command: str, *words: str
) -> tuple[Program, Program]:
    """Start a host who plays alone against an engine and bots, and the engine's client."""
    opens = (
        "--create",
        "black_queen",
        "--start",
        "2",
        "--fill",
        "0",
        "--option",
        "deals=1",
        "--option",
        "hints=false",
    )
    host = await programs.run("join", server.url, *opens, "--auto", "--json", "--name", "Ann")
    code = await table_code(host)
    bot = await programs.run("bot", server.url, code, "--engine", command, "--json", *words)
    return host, bot


async def test_an_engine_plays_a_match(programs: Programs) -> None:
    """An engine plays to the end under the name of its file, and leaves no process behind."""
    server = await programs.serve()
    host, bot = await with_engine(programs, server, engine(programs.folder, GOOD))
    await asyncio.gather(host.done(), bot.done())
    assert bot.records("finished") == host.records("finished")
    assert bot.records("finished")[0]["names"][1] == "my engine"
    seats = bot.records("table")[0]["info"]["seats"]
    assert [seat.get("program") for seat in seats[:2]] == ["blackqueen join", "my engine"]
    await server.stop()
    await programs.all_gone()


@pytest.mark.parametrize("what", some(["dies later", "hangs", "breaks the rules", "says hello"], 2))
async def test_an_engine_that_fails_leaves_its_seat_in_order(programs: Programs, what: str) -> None:
    """If an engine fails, a bot of the server plays on to the end, and one line says why."""
    # The seat is given up, not lost: nobody waits for anybody to come back.
    server = await programs.serve("--grace-seconds", "600")
    command = engine(programs.folder, BAD[what])
    host, bot = await with_engine(programs, server, command, "--engine-seconds", "2")
    assert await bot.ended() == 5
    (line,) = bot.errors.splitlines()
    assert line.startswith("blackqueen: ")
    await host.done()
    events = host.records("event")
    verbs = [fact["verb"] for event in events for fact in event.get("facts", ())]
    assert "player_left" in verbs
    assert "taken_over" not in verbs
    await server.stop()
    await programs.all_gone()


async def test_ctrl_c_ends_the_engine_too(programs: Programs) -> None:
    """Ctrl-C ends the engine too, although the terminal's signal does not reach it."""
    server = await programs.serve()
    host, bot = await with_engine(programs, server, engine(programs.folder, BAD["hangs"]))
    await host.line(lambda text: '"to_act":[1]' in text)
    bot.signal(signal.SIGINT)
    assert await bot.ended() == 130
    host.signal(signal.SIGINT)
    await host.ended()
    await server.stop()
    await programs.all_gone()


async def test_a_command_that_starts_nothing_takes_no_seat(programs: Programs) -> None:
    """A command that cannot start an engine fails before the client connects."""
    bot = await programs.run("bot", "ws://127.0.0.1:1", "--engine", "./nothing --fast")
    assert await bot.ended() == 2
    assert bot.errors == (
        "blackqueen: the engine ./nothing cannot be started: No such file or directory\n"
    )


async def test_an_engine_plays_the_game_that_it_knows(programs: Programs) -> None:
    """Without a code an engine waits for a table of its own game, and ignores other tables."""
    server = await programs.serve()
    auto = ("--auto", "--json", "--start", "2", "--fill", "0", "--option", "hints=false")
    other = await programs.run(
        "join", server.url, "--create", "black_queen", *auto, "--name", "Ann"
    )
    await table_code(other)
    command = engine(programs.folder, GOOD)
    bot = await programs.run(
        "bot", server.url, "--engine", command, "--game", "schnapsen", "--json"
    )
    host = await programs.run(
        "join", server.url, "--create", "schnapsen", "--option", "target=1", *auto, "--name", "Bob"
    )
    await asyncio.gather(host.done(), bot.done())
    assert bot.records("finished")[0]["names"] == ["Bob", "my engine"]
    other.signal(signal.SIGINT)
    await other.ended()
