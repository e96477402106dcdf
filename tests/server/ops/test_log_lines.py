"""A server's log while people play: nothing that a seat does not show."""

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Literal

import pytest
import structlog

from server.ops import logs
from server.table.entries import Dealt
from tests.games.catalogue import SERVER_SUBJECTS
from tests.server.harness import open_server
from tests.server.secrecy.knowledge import TOKEN
from tests.server.secrecy.recorded_match import RecordedMatch, record_matches
from tests.server.statements import execute


@pytest.fixture
def restored() -> Iterator[None]:
    """Restore foreign loggers, which `configure` changes for the whole process."""
    root, levels = logging.getLogger(), {}
    handlers = root.handlers[:]
    for name in logs.OTHERS:
        levels[name] = logging.getLogger(name).level
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def seeds_of(recordings: list[RecordedMatch]) -> list[str]:
    bodies = (entry.body for recording in recordings for entry in recording.log)
    return [seed for body in bodies if isinstance(body, Dealt) for seed in (body.seed, body.bots)]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("form", ["json", "console"])
async def test_no_line_tells_a_card_a_seed_or_a_token(
    tmp_path: Path, form: Literal["json", "console"]
) -> None:
    """At the most verbose level no line has a card, a seed or a token."""
    out = io.StringIO()
    logs.configure(form, "debug", out)
    # A server keeps its loggers for good; a test must give them back.
    structlog.configure(cache_logger_on_first_use=False)
    async with open_server(tmp_path) as server:
        recordings = await record_matches(
            server, Random(5), range(6), (0, 1, 2), SERVER_SUBJECTS["black_queen"].opening
        )
        ann = await server.client("Ann")
        code = await ann.open_table()
        await ann.ask("start", table=code, fill=1)
        server.store.broken = True
        for action in (*ann.tables[code].choices.actions, "play QS", "play AH@1"):
            turn = server.state(code).turn
            await ann.send("act", table=code, turn=turn, action=action)
            await server.settle()
        server.store.broken = False
        while not ann.tables[code].my_turn:
            await server.wait(2)
        await ann.move(code)
    execute(
        server,
        "update entries set body = replace(body, 'play ', 'play AS') where table_code = :code",
        code=code,
    )
    async with open_server(tmp_path) as server:
        await ann.reconnect(server)
        assert code not in server.game_server.tables.directory
    text = out.getvalue()
    for expected in ("act", "commit_failed", "table_unplayable", "dealt"):
        assert expected in text
    assert TOKEN.findall(text) == []
    assert re.findall(r"play [2-9TJQKA]", text) == []
    secrets = [*seeds_of(recordings), ann.token or ""]
    assert [secret for secret in secrets if secret in text] == []
    assert len(seeds_of(recordings)) == 12
    if form == "json":
        assert all(json.loads(line)["event"] for line in text.splitlines())
