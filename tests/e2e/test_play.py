"""Tests `blackqueen play`: one command starts a private server and plays a whole match."""

import asyncio
import json
import re
import signal
from typing import Any

import pytest

from bots.roster import is_compiled
from tests.counts import some
from tests.e2e.processes import Programs
from tests.e2e.program import Program, told
from tests.e2e.stored import only_table
from tests.games.catalogue import SERVER_SUBJECTS, short_options

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("game", some(SERVER_SUBJECTS))
async def test_it_plays_by_itself_without_a_terminal(programs: Programs, game: str) -> None:
    """Without a terminal the seat plays by itself to the end and prints the scores of the log."""
    # No kernel is compiled for the other seats, and the match is short: the own seat's moves are
    # well thought out.
    bots = max(strength for strength in (0, 1) if not is_compiled(game, strength))
    words = ("play", game, *short_options(game), "--bots", str(bots), "--auto", "--name", "Ann")
    program = await programs.run(*words, "--data", "kept")
    await program.done()
    assert programs.running() == set()
    stored = only_table(programs.folder / "kept")
    told = dict(re.findall(r"^[1-7]  (\w+)(?: \(you\))? +(-?\d+)$", "\n".join(program.lines), re.M))
    names = [chair.name for chair in stored.state.chairs]
    assert {name: int(total) for name, total in told.items()} == dict(
        zip(names, stored.totals, strict=True)
    )


async def test_with_easy_bots_nothing_is_compiled(programs: Programs) -> None:
    """Easy bots compile nothing, not even for hints: the uncompiled bot gives the hints."""
    words = ("play", "hearts", *short_options("hearts"), "--bots", "easy", "--auto")
    kernels = programs.folder / "kernels"
    kept_there = {"NUMBA_CACHE_DIR": str(kernels)}
    program = await programs.run(*words, "--data", "kept", environment=kept_there)
    await program.done()
    assert "warming up" not in "\n".join(program.lines)
    assert "bot_warming" not in (programs.folder / "kept" / "server.log").read_text()
    assert not kernels.exists()
    stored = only_table(programs.folder / "kept")
    assert {chair.strength for chair in stored.state.chairs} == {None, 1}


async def test_a_seed_repeats_a_match(programs: Programs) -> None:
    """With an equal seed, cards and bots are equal, so the match is repeated."""
    words = ("play", "--seed", "1", "--json", "--auto", "--option", "deals=1", "--bots", "1")
    first, second, other = await asyncio.gather(
        *(programs.run(*words), programs.run(*words), programs.run(*words, "--seed", "2"))
    )
    await asyncio.gather(first.done(), second.done(), other.done())
    scores = [program.records("finished")[0]["totals"] for program in (first, second, other)]
    assert scores[0] == scores[1] != scores[2]
    assert facts(first) == facts(second) != facts(other)


def facts(program: Program) -> list[Any]:
    """Return all facts of the table, without the table's name."""
    return [record["facts"] for record in program.records("event")]


@pytest.mark.parametrize("sign", some([signal.SIGINT, signal.SIGKILL, signal.SIGTERM], 2))
async def test_whatever_ends_it_nothing_is_left_behind(
    programs: Programs, sign: signal.Signals
) -> None:
    """Ctrl-C, SIGTERM and even SIGKILL end the private server with the player's program."""
    program = await programs.run("play", "--json", "--option", "bot_delay=0.05")
    await program.line(lambda text: '"verb":"card_played"' in text)
    assert len(programs.running()) >= 2
    program.signal(sign)
    assert await program.ended() == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(sign, -9)
    await programs.all_gone()


async def test_a_kept_table_goes_on_next_time(programs: Programs) -> None:
    """With `--data` an interrupted match is continued by the next call."""
    words = ("play", "--json", "--data", "kept", "--option", "deals=1", "--bots", "1")
    first = await programs.run(*words, "--option", "bot_delay=0.02")
    await told(first, 30)
    first.signal(signal.SIGINT)
    assert await first.ended() == 130
    second = await programs.run(*words)
    await second.done()
    tables = {json.loads(line).get("table") for line in first.lines + second.lines} - {None}
    assert len(tables) == 1
    assert len(second.records("finished")) == 1
