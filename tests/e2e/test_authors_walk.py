"""Follows an author of a bot in a real terminal, step by step as the documentation says."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.client_cli.screen import Screen
from tests.e2e.processes import Programs
from tests.e2e.program import table_code
from tests.repository import ROOT

pytestmark = pytest.mark.e2e


def documented_engine() -> str:
    """Return the engine that docs/writing-a-bot.md shows."""
    page = (ROOT / "docs" / "writing-a-bot.md").read_text()
    found = re.search(r"An engine in Python takes a few lines:\n\n```python\n(.*?)```", page, re.S)
    assert found
    return found[1]


async def test_an_author_of_a_bot(programs: Programs, tmp_path: Path) -> None:
    """An author tests a program, fixes what the report names, and seats it at a table of people."""
    home = tmp_path / "author"
    home.mkdir()
    file = home / "my bot.py"
    command = shlex.join((sys.executable, str(file)))
    check = ("bot", "--check", command, "--game", "schnapsen")
    async with Screen(home, *check) as screen:
        await screen.sees("No such file")
        assert await screen.ended() == 5
    file.write_text("print('Robo 1.0 is ready')\n" + documented_engine())
    async with Screen(home, *check) as screen:
        await screen.sees("Robo 1.0 is ready")
        assert await screen.ended() == 5
    file.write_text(documented_engine())
    async with Screen(home, *check) as screen:
        await screen.sees("This engine can play.")
        assert await screen.ended() == 0
    server = await programs.serve()
    opens = ("--create", "schnapsen", "--option", "target=1", "--auto", "--start", "2")
    host = await programs.run("join", server.url, *opens, "--option", "hints=false", "--json")
    code = await table_code(host)
    async with Screen(home, "bot", server.url, code, "--engine", command) as screen:
        assert await screen.ended() == 0
    await host.done()
    assert "my bot" in host.records("finished")[0]["names"]
    await server.stop()
