"""Plays many tables of all games at one server at once."""

import asyncio
from collections import Counter
from random import Random

import pytest

from protocol.connection import connect
from protocol.to_server import CreateTable, Start
from tests.e2e.client_log import ClientLog
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs
from tests.e2e.stored import tables
from tests.games.catalogue import SERVER_SUBJECTS

pytestmark = pytest.mark.e2e

TABLES_OF_EACH = 5


async def test_tables_of_all_games_come_to_their_ends(programs: Programs, rng: Random) -> None:
    """A person and bots play each game to its end; each person saw what the table's log says."""
    server = await programs.serve()
    client_logs: dict[str, ClientLog] = {}

    async def sit(game: str, strength: int) -> None:
        async with connect(server.url, name="Ann", patience=HASTY) as client:
            opened = await client.ask(
                CreateTable, game=game, options=dict(SERVER_SUBJECTS[game].short)
            )
            assert opened.table is not None
            client_log = client_logs[opened.table] = ClientLog()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(client, client_log, Random(rng.random())))
                await client.ask(Start, table=opened.table, fill=strength)

    async with asyncio.TaskGroup() as people:
        for place in range(TABLES_OF_EACH):
            for game in SERVER_SUBJECTS:
                people.create_task(sit(game, place % 2))
    await server.stop()
    stored = tables(server.data)
    assert Counter(table.state.game for table in stored) == dict.fromkeys(
        SERVER_SUBJECTS, TABLES_OF_EACH
    )
    for table in stored:
        client_logs[table.code].check(table)
