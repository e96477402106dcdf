"""A match as a program plays it: take a seat, say ready, answer every question.

take_seat ─▶ SeatPlayer.play ─▶ MatchResult
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from engine.choices import Action, Choices, Pick
from engine.facts import Fact, Seat
from protocol.client_events import (
    Answered,
    ClientEvent,
    Noticed,
    TableClosed,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.connection import Client
from protocol.errors import NOT_NOW, ConnectionLost, IllegalMove, ProtocolError
from protocol.listing import public_tables, where_known
from protocol.mirror import TableMirror
from protocol.texts import closing
from protocol.to_client import Asked, Notice, TableInfo
from protocol.to_server import Act, Join, Leave, Ready

T = TypeVar("T")

LOOK_AGAIN_SECONDS = 2.0
"""How long to wait for a table with a free seat before asking again."""
MOST_LISTED = 12
"""Choices that an error lists."""
LEAVE_SECONDS = 5.0
"""How long the server may take to let a seat go that is given up."""

Chooser: TypeAlias = Callable[[TableMirror], Awaitable[Action]]
"""Chooses a move at a table where our seat is asked."""
Prepare: TypeAlias = Callable[[TableMirror], Awaitable[Chooser]]
"""Gets ready for the game of a table, before the seat says that it is."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended: names, totals and ranks by seat, and which seat was ours.

    Rank 1 is best; equal totals share a rank.
    """

    table: str
    seat: Seat
    names: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The rank of our seat."""
        return self.ranks[self.seat]


async def take_seat(
    client: Client, code: str | None = None, suits: Callable[[TableInfo], bool] = lambda _: True
) -> str:
    """Sit down at table `code`, or at the first public table with a free seat that `suits`.

    Without a code this waits until there is such a table. Returns the code. `suits` is also called
    for the table of a code if that is listed, and may raise; a private table tells its game only to
    those who sit there.
    """
    while True:
        wanted = {"text": code} if code else {"free": 1, "phase": "lobby"}
        listed = [each async for each in public_tables(client, **where_known(client, **wanted))]
        if code is not None:
            for info in listed:
                if info.table == code and not suits(info):
                    raise ProtocolError("forbidden", f"{info.title} does not suit this program")
        open_ones = [info.table for info in listed if _has_room(info) and suits(info)]
        for table in open_ones if code is None else [code]:
            try:
                await client.ask(Join, table=table)
                return table
            except ProtocolError as error:
                # Others may have been faster at a table from the list.
                if code or error.code not in ("table_full", "unknown_table", "wrong_phase"):
                    raise
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


def _has_room(info: TableInfo) -> bool:
    return info.phase == "lobby" and any(seat.kind == "empty" for seat in info.seats)


def always(choose: Chooser) -> Prepare:
    """A preparation that does nothing and always succeeds."""

    async def prepare(table: TableMirror) -> Chooser:
        return choose

    return prepare


class SeatPlayer:
    """Plays one seat of one table, which has been taken or asked for, until the match is over."""

    def __init__(self, client: Client, code: str, prepare: Prepare) -> None:
        self._client = client
        self._code = code
        self._prepare = prepare
        self._choose: Chooser | None = None
        self._answered: tuple[int, int] | None = None
        self._waits = False
        self._last: TableMirror | None = None

    async def play(
        self, tell: Callable[[ClientEvent], None] = lambda _: None
    ) -> MatchResult | None:
        """Answer every question until the match is over, and `tell` each client event.

        None if the match ended while we were not connected. `ProtocolError` if the seat is lost.
        If a move cannot be chosen, the seat is given up, so that a bot of the server plays on, and
        the exception is raised: the chooser's own, or `IllegalMove`.
        """
        async for event in self._client.events():
            tell(event)
            match event:
                case TableClosed(mirror, reason) if mirror.table == self._code:
                    if reason != "finished":
                        raise ProtocolError("forbidden", f"lost the seat: {closing(reason)}")
                    return result_of(mirror)
                case TableSnapshot(mirror) | TableEvent(mirror) if mirror.table == self._code:
                    self._waits = False
                    result = result_of(mirror)
                    if result is not None and mirror.info.phase == "finished":
                        return result
                case Answered(Join(), Asked(table=code)) if code == self._code:
                    self._waits = True
                case Noticed(Notice(kind="refused", table=code, reason=reason)) if (
                    code == self._code
                ):
                    raise ProtocolError("forbidden", f"not let in: {closing(reason or 'refused')}")
                case Welcomed() if self._waits and not self._client.session.sits_at(self._code):
                    # The request was withdrawn with the connection, unless the host was quicker.
                    await self._client.ask(Join, table=self._code)
            # Not the table of this event: while we were thinking, more may have come.
            table = self._client.session.tables.get(self._code)
            if table is not None and table.seat is not None:
                await self._do_next(table, table.seat)
        raise ConnectionLost("the connection was closed")

    async def _do_next(self, table: TableMirror, seat: Seat) -> None:
        if self._choose is None:
            self._choose = await self._or_leave(self._prepare(table))
        if table.info.phase == "lobby" and not table.info.seats[seat].ready:
            await self._ask(Ready, table=table.table)
        turn_now = (table.info.match, table.question.turn)
        if table.my_turn and table.choices and turn_now != self._answered:
            action = await self._or_leave(self._legal(self._choose, table))
            turn = table.question.turn
            if await self._ask(Act, table=table.table, turn=turn, action=action):
                self._answered = turn_now

    async def _legal(self, choose: Chooser, table: TableMirror) -> Action:
        action = await choose(table)
        if not table.choices.allows(action):
            raise illegal(action, table.choices)
        return action

    async def _or_leave(self, work: Awaitable[T]) -> T:
        """The result of `work`; if it raises, the seat is given up first."""
        try:
            return await work
        except Exception:
            with suppress(ProtocolError, ConnectionLost, TimeoutError):
                async with asyncio.timeout(LEAVE_SECONDS):
                    await self._client.ask(Leave, table=self._code)
            raise

    async def _ask(self, kind: type[Ready] | type[Act], **fields: object) -> bool:
        """Answer a pending question; True once the match is over."""
        try:
            await self._client.ask(kind, **fields)
        except ProtocolError as error:
            if error.code not in NOT_NOW:
                raise
            return False
        return True


def result_of(table: TableMirror) -> MatchResult | None:
    """The result of the match that has ended at a table with our seat; None if none has."""
    if table.seat is None:
        return None
    for fact in reversed(table.facts):
        match fact:
            case Fact("match_ended", {"totals": tuple(totals), "ranks": tuple(ranks)}):
                return MatchResult(table.table, table.seat, table.names, totals, ranks)
    return None


def illegal(action: Action, choices: Choices) -> IllegalMove:
    """The error for an action that is not among the choices; it names some of these."""
    patterns = [
        f"{pick.verb} with {_number(pick)} of {' '.join(pick.cards)}" for pick in choices.picks
    ]
    words = [*choices.actions, *patterns]
    more = f" and {len(words) - MOST_LISTED} more" if len(words) > MOST_LISTED else ""
    listed = ", ".join(words[:MOST_LISTED])
    return IllegalMove(f"{action!r:.80} is not one of the choices: {listed}{more}")


def _number(pick: Pick) -> str:
    return str(pick.least) if pick.least == pick.most else f"{pick.least} to {pick.most}"
