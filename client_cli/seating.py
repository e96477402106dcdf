"""Ways to a seat: open a table, join one by its code, join any, return to an earlier one."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from client_cli.effects import Remark
from client_cli.refusals import reason_for
from client_cli.tell import tell
from client_cli.typed_values import said_yes
from engine.facts import Seat
from protocol.address import works_only_here
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.listing import public_tables, where_known
from protocol.mirror import TableMirror
from protocol.own_command import own_command
from protocol.to_client import GameCard, TableInfo
from protocol.to_server import CreateTable, Join, MyTables, Ping, Sync


class SeatRefused(ProtocolError):
    """A player who asked for a seat in a match was refused."""


Ask: TypeAlias = Callable[[str], Awaitable[str | None]]
"""Asks a person for one line; None if they give none."""
_OPEN = ("lobby", "playing", "paused")


async def create_table(
    client: Client, game: str, seats: int | None, fields: Mapping[str, Any]
) -> str:
    """The code of a new table, which we host and which is among the client's tables."""
    answer = await client.ask(CreateTable, game=game, seats=seats, **fields)
    assert answer.table is not None
    return answer.table


def with_game(table: TableMirror, game: GameCard) -> TableMirror:
    """The table with what only its game's card has: the words for strengths, the teams."""
    usual = len(table.info.seats) == game.usual_seats
    return replace(table, bots=game.bots, teams=game.teams if usual else ())


def learn_game(client: Client, code: str, game: GameCard) -> None:
    """Add the game's card to the client's mirror of table `code`."""
    if (mirror := client.session.tables.get(code)) is not None:
        client.session.tables[code] = with_game(mirror, game)


def invitation(client: Client, code: str) -> Remark:
    """The invitation to table `code` that a host sends to friends."""
    words = ("join", client.invitation, code)
    if works_only_here(client.invitation):
        # Whether the server listens elsewhere too, it does not say.
        return Remark(tell("lobby.invite_here"), command=own_command(*words))
    return Remark(tell("lobby.invite"), command=" ".join(("blackqueen", *words)))


async def unfinished(client: Client) -> list[TableMirror]:
    """The tables at which we have a seat from earlier visits."""
    # The tables one sits at follow the welcome; with this answer they have arrived.
    await client.ask(Ping)
    return [table for table in client.session.tables.values() if is_unfinished(table)]


def is_unfinished(table: TableMirror) -> bool:
    """Whether we have a seat at a table that is not over."""
    return table.info.phase in _OPEN and table.seat is not None


async def own_tables(client: Client) -> list[TableInfo]:
    """The tables at which we have a seat; none at an older server."""
    if not client.session.knows("my_tables"):
        return []
    return [own.info for own in (await client.ask(MyTables)).tables]


async def take_seat(client: Client, code: str, seat: Seat | None, ask: Ask | None = None) -> str:
    """Sit down at table `code`, unless we sit there already.

    `ask` asks a person to confirm if somebody has chosen the seed.
    """
    try:
        try:
            await client.ask(Join, table=code, seat=seat)
        except ProtocolError as error:
            if ask is None or error.phrase is None or error.phrase.code != "refused_seeded":
                raise
            answer = await ask(f"{tell('table.seeded_why')} {tell('table.seeded_ask')}")
            if (answer or "").strip().lower() not in said_yes():
                raise
            await client.ask(Join, table=code, seat=seat, seeded=True)
    except ProtocolError as error:
        if error.code != "already_seated":
            reason = reason_for(Join, {"seat": seat}, error)
            raise ProtocolError(error.code, reason) from None
        await client.ask(Sync, table=code)
    return code


async def first_open(client: Client, seat: Seat | None) -> str:
    """Take a seat at the first public table that waits for players."""
    async for table in public_tables(client, **where_known(client, free=1, phase="lobby")):
        if _has_room(table):
            return await take_seat(client, table.table, seat)
    raise ProtocolError("unknown_table", tell("refused.no_open"))


def _has_room(table: TableInfo) -> bool:
    return table.phase == "lobby" and any(seat.kind == "empty" for seat in table.seats)
