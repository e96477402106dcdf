"""Tests a real server on the data of a killed server, of every release."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.connection import Client, connect
from protocol.to_server import Act, ListTables
from tests.e2e.players import HASTY
from tests.e2e.processes import Programs
from tests.recordings.stored import Recording, recordings

pytestmark = pytest.mark.e2e

PATIENT = ("--lobby-seconds", "1e10", "--grace-seconds", "600")
"""However long ago a table was recorded, it is not closed before somebody is there."""

CALM = replace(HASTY, opening=60.0)
"""A welcome waits for the tables one sits at, and one of them has to be made of its text first."""


@pytest.mark.parametrize("recording", recordings("killed"), ids=str)
async def test_a_server_goes_on_where_another_was_killed(
    programs: Programs, tmp_path: Path, recording: Recording
) -> None:
    """The killed server's tables and tokens are valid, and the next moves are accepted."""
    recorded = recording.said["tables"]
    server = await programs.serve(*PATIENT, data=recording.copy(tmp_path / "copy"))
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(
                connect(server.url, token=person["token"], patience=CALM)
            )
            for person in recording.said["players"]
        ]
        assert [each.session.player for each in people] == [
            person["player"] for person in recording.said["players"]
        ]
        assert {code for each in people for code in each.session.tables} == set(recorded)
        listed = await people[0].ask(ListTables)
        playing = {code for code, table in recorded.items() if table["phase"] == "playing"}
        assert {table.table for table in listed.tables} >= playing
        async with asyncio.TaskGroup() as moving:
            for code in playing:
                there = [each for each in people if code in each.session.tables]
                moving.create_task(_next_move(code, recorded[code]["seq"], there))
    await server.stop()


async def _next_move(code: str, seq: int, people: list[Client]) -> None:
    """Make a move as the first of these players who is to move, and wait until all receive it."""

    async def follow(client: Client) -> None:
        table = client.session.tables[code]
        while not moved.is_set():
            if table.my_turn and not answered:
                answered.append(client)
                action = table.choices.actions[0]
                answer = await client.ask(Act, table=code, turn=table.question.turn, action=action)
                assert answer.seq is not None
                assert answer.seq > seq
                moved.set()
                return
            await anext(events[client])
            table = client.session.tables[code]

    moved, answered = asyncio.Event(), list[Client]()
    events = {client: client.events() for client in people}
    async with asyncio.TaskGroup() as following:
        tasks = [following.create_task(follow(client)) for client in people]
        await moved.wait()
        for task in tasks:
            task.cancel()
