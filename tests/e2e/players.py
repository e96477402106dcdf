"""Runs players in the test's own process, who make random moves and keep a log."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

from engine.choices import Action, random_action
from protocol.connection import Client
from protocol.dial import Backoff
from protocol.errors import NOT_NOW, ProtocolError
from protocol.to_server import Act
from tests.e2e.client_log import ClientLog
from tests.e2e.program import SECONDS

AGAIN_SECONDS = 0.1
HASTY = Backoff(first=0.02, longest=0.1, opening=2.0, give_up_after=2.5 * SECONDS)
"""For tests: back as soon as the server is, though two starts take as long as they may."""
WARY = replace(HASTY, ping=0.25)
"""Notices soon that a connection is frozen, and now and then suspects a slow one."""


async def play(
    client: Client,
    client_log: ClientLog,
    rng: Random,
    may_move: Callable[[], Awaitable[object]] | None = None,
) -> None:
    """Play random moves to the end of the match, whatever happens to the connection.

    Before each move `may_move` is awaited, if it is given.
    """
    asked: int | None = None
    async for event in client.events():
        client_log.note(event)
        if client_log.over:
            return
        # Not the table of this event: while we waited for an answer more may have come.
        table = next(iter(client.session.tables.values()), None)
        if table is None or not table.choices or table.question.turn == asked:
            continue
        asked = table.question.turn
        if may_move is not None:
            await may_move()
        action = random_action(table.choices, rng)
        try:
            await move(client, table.table, asked, action)
        except ProtocolError as error:
            if error.code not in NOT_NOW:
                raise
            # Somebody moved in our place, or the table stands still; we are asked again.
            asked = None


async def move(client: Client, table: str, turn: int, action: Action) -> None:
    """Send a move again and again until the server can store it."""
    while True:
        try:
            await client.ask(Act, table=table, turn=turn, action=action)
        except ProtocolError as error:
            if error.code != "try_again":
                raise
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            return


async def watch(client: Client, client_log: ClientLog) -> None:
    """Watch the match to its end."""
    async for event in client.events():
        client_log.note(event)
        if client_log.over:
            return
