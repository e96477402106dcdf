"""A bot as its author writes it, and the matches that it plays."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from blackqueen.client.connecting import connect
from blackqueen.client.turn import Turn
from engine.choices import Action
from protocol.connection import Client
from protocol.message import Level
from protocol.mirror import TableMirror
from protocol.playing import MatchResult, SeatPlayer, always, take_seat
from protocol.strengths import MEDIUM, strength_number
from protocol.to_server import CreateTable, Start, TableSettings
from protocol.visible_text import NAME


class Bot(Protocol):
    """A player in one method. One object plays one seat, so it may remember what it has seen."""

    def choose(self, turn: Turn) -> Action:
        """One of `turn.choices`: an action, or a verb with cards of a pick.

        It is called in a thread of its own, one call at a time, so it may think; the connection
        is looked after meanwhile.
        """
        ...


async def play_match(client: Client, table: str, bot: Bot) -> MatchResult | None:
    """Play a seat that was taken at `table` to the end of the match; the result, if it is known.

    If `bot` raises or chooses what is not allowed (`IllegalMove`), the seat is given up, so that
    a bot of the server plays on, and the exception is raised. `ProtocolError` if the seat is lost,
    `ConnectionLost` if the server is.
    """

    async def choose(table: TableMirror) -> Action:
        return await asyncio.to_thread(bot.choose, Turn.of(table))

    return await SeatPlayer(client, table, always(choose)).play()


async def open_table(
    client: Client,
    game: str,
    *,
    opponents: int | Level = MEDIUM,
    seats: int | None = None,
    options: Mapping[str, int | bool | str] | None = None,
) -> str:
    """Open a private table of `game`, start it with the server's bots, and return its code.

    `opponents` is the strength of the bots on all other seats: a number, or easy, medium or
    strong. A game without `seats` has its usual number of players, and options that are left out
    have their defaults.
    """
    private = TableSettings(private=True)
    opened = await client.ask(
        CreateTable, game=game, seats=seats, options=dict(options or {}), settings=private
    )
    assert opened.table is not None, "who creates a table is told its code"
    fill = await strength_number(client, game, opponents)
    await client.ask(Start, table=opened.table, fill=fill)
    return opened.table


def play(
    url: str,
    bot: Bot,
    *,
    table: str | None = None,
    game: str | None = None,
    opponents: int | Level = MEDIUM,
    name: str | None = None,
) -> MatchResult | None:
    """Connect to the server at `url`, play one match with `bot`, and return its result.

    The match is at `table`; or at a new private table of `game` against the server's bots of
    strength `opponents`; or else at the next public table that has a free seat. Raises what
    `connect` and `play_match` raise. In a coroutine use these two instead.
    """
    if table is not None and game is not None:
        raise ValueError("a match is at a table that is there, or a new one of a game; not both")

    async def one_match() -> MatchResult | None:
        async with connect(url, name=name or type(bot).__name__[: NAME.graphemes]) as client:
            if game is not None:
                code = await open_table(client, game, opponents=opponents)
            else:
                code = await take_seat(client, table and table.upper())
            return await play_match(client, code, bot)

    return asyncio.run(one_match())
