"""`blackqueen review` as a person starts it, against a real server."""

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from tests.e2e.processes import Programs

pytestmark = pytest.mark.e2e


async def test_a_match_is_reviewed(programs: Programs, tmp_path: Path) -> None:
    """Each decision has a line and the match a summary; a stranger is told why not."""
    with as_file(files("engine.recycle.games") / "Agram3.rcy") as file:
        shutil.copy(file, tmp_path)
    server = await programs.serve("--games", str(tmp_path))
    opens = ("--create", "Agram3.rcy", "--start", "1", "--fill", "0", "--option", "deals=2")
    ann = await programs.run("join", server.url, *opens, "--auto", "--json", "--name", "Ann")
    opened = json.loads(await ann.line(lambda line: '"type":"table"' in line))
    await ann.done()
    code = opened["table"]

    async def reviewed(*words: str) -> list[str]:
        review = await programs.run("review", code.lower(), server.url, *words)
        await review.done()
        return review.lines

    lines = await reviewed("--name", "Ann")
    decisions = [line for line in lines if line.removeprefix("! ").startswith("Deal ")]
    assert decisions
    assert any("points are given away" in line for line in lines)
    *told, summary = map(json.loads, await reviewed("--name", "Ann", "--json"))
    assert len(told) == len(decisions)
    assert summary["given_away"]["points"] >= 0
    assert summary["decisions"] == len(told)
    nobody = await programs.run("review", code, server.url, "--name", "Zoe")
    assert await nobody.ended() != 0
    assert "you had no seat in that match" in nobody.errors
