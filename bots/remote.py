"""`blackqueen bot`: a bot as a client, which sits down at a server's table and plays a match.

It knows what its seat knows, from the same messages that a person's client gets.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from random import Random

from bots.bot import Bot, Budget, Position
from bots.roster import STRENGTHS, make_bot, recipe_of, strengths, withheld
from bots.spec import BadBot, Spec, parse_spec
from engine.catalogue import GAMES
from engine.choices import Action
from engine.facts import Seat
from engine.match import Match
from protocol.address import server_address
from protocol.client_events import (
    Answered,
    Noticed,
    TableClosed,
    TableEvent,
    TableSnapshot,
    Welcomed,
)
from protocol.connection import Client, connect
from protocol.errors import NOT_NOW, ConnectionLost, ProtocolError
from protocol.exits import Exit, Mistake, run_client
from protocol.lines import finished_record, record
from protocol.listing import public_tables, where_known
from protocol.mirror import TableMirror
from protocol.safe_text import say
from protocol.texts import closing
from protocol.to_client import Asked, GameCard, Notice, TableInfo
from protocol.to_server import Act, Games, Join, Leave, Ready
from protocol.wire_form import WireForm

ANY_OTHER_GAME = ""
"""A game without players of its own has the strengths of any such."""
LOOK_AGAIN_SECONDS = 2.0
"""How long to wait for a table with a free seat before asking again."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``blackqueen bot`` to `parser`."""
    parser.add_argument("url", metavar="URL", help="address of the server: ws://host:port")
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="table (default: the next open one)"
    )
    parser.add_argument(
        "--strength",
        type=_strength,
        default=Spec("0"),
        metavar="N[:NAME=VALUE…]",
        help="how well it plays, and settings of that bot: 3:aim=score (default: 0)",
    )
    parser.add_argument("--name", help="its name at the table (default: Bot and its strength)")
    parser.add_argument("--seed", type=int, metavar="N", help="make what it draws repeatable")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for scripts")


def run(arguments: argparse.Namespace) -> int:
    """Sit down at a table, play a match and return the exit code."""
    return run_client(_bot(arguments))


def _strength(text: str) -> Spec:
    """A bot by strength, since names of bots are not known at every table."""
    try:
        spec = parse_spec(text)
    except BadBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if spec.strength is None:
        raise argparse.ArgumentTypeError(f"{text!r} must begin with a strength, such as 2")
    return spec


async def _bot(arguments: argparse.Namespace) -> Exit:
    spec: Spec = arguments.strength
    name = arguments.name or f"Bot {spec.name}"
    wanted = arguments.code and arguments.code.upper()
    if wanted is None:
        _some_game_must_have(int(spec.name))
    async with connect(server_address(arguments.url), name=name) as client:
        code = await seated(client, wanted, int(spec.name))
        player = Player(client, code, spec, Random(arguments.seed))
        return await player.play(_json if arguments.json else _briefly)


async def seated(client: Client, code: str | None, strength: int = 0) -> str:
    """The table at which we have taken a seat: `code`, or the first public one that has room.

    None is taken at a listed table whose game has no bot of this strength: it might be that of a
    bot, which would be gone. A private table says only to who sits there what is played.
    """
    while True:
        wanted = {"text": code} if code else {"free": 1, "phase": "lobby"}
        listed = [each async for each in public_tables(client, **where_known(client, **wanted))]
        for info in listed:
            if info.table == code:
                _must_have(info.game, info.title, strength)
        for table in [code] if code else _open_to(strength, listed):
            try:
                await client.ask(Join, table=table)
                return table
            except ProtocolError as error:
                # Others may have been faster at a table from the list.
                if code or error.code not in ("table_full", "unknown_table", "wrong_phase"):
                    raise
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


def _open_to(strength: int, tables: Iterable[TableInfo]) -> list[str]:
    return [
        table.table
        for table in tables
        if table.phase == "lobby"
        and any(seat.kind == "empty" for seat in table.seats)
        and strength in strengths(table.game)
    ]


class Player:
    """One seat of one table, played until the match is over."""

    def __init__(self, client: Client, code: str, spec: Spec, rng: Random) -> None:
        self._client = client
        self._code = code
        self._spec = spec
        self._rng = rng
        self._answered: tuple[int, int] | None = None
        self._bot: Bot | None = None
        self._waits = False

    async def play(self, tell: Callable[[WireForm], None]) -> Exit:
        """Answer every question; print each event as a line of `--json`."""
        async for event in self._client.events():
            tell(record(event))
            match event:
                case TableClosed(mirror, reason) if mirror.table == self._code:
                    if reason != "finished":
                        raise ProtocolError("forbidden", f"lost the seat: {closing(reason)}")
                    return Exit.DONE
                case TableSnapshot(mirror) | TableEvent(mirror) if mirror.table == self._code:
                    self._waits = False
                    result = finished_record(mirror)
                    if result is not None and mirror.info.phase == "finished":
                        tell(result)
                        return Exit.DONE
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
            if table is not None:
                await self._do_next(table)
        raise ConnectionLost("the connection was closed")

    async def _do_next(self, table: TableMirror) -> None:
        if table.seat is None:
            return
        if self._bot is None:
            self._bot = await self._made_or_gone(table)
        if table.info.phase == "lobby" and not table.info.seats[table.seat].ready:
            await self._ask(Ready, table=table.table)
        turn_now = (table.info.match, table.question.turn)
        if table.my_turn and table.choices and turn_now != self._answered:
            action = await self._choose(self._bot, table, table.seat)
            turn = table.question.turn
            if await self._ask(Act, table=table.table, turn=turn, action=action):
                self._answered = turn_now

    async def _choose(self, bot: Bot, table: TableMirror, seat: Seat) -> Action:
        position = Position(
            game=table.info.game,
            seat=seat,
            view=table.view,
            choices=table.choices,
            options=table.info.options,
            facts=table.facts,
        )
        if bot.in_place:
            return bot.choose(position, Budget(), self._rng).action
        # A bot that thinks for long must not keep the connection from answering.
        decision = await asyncio.to_thread(bot.choose, position, Budget(), self._rng)
        return decision.action

    async def _made_or_gone(self, table: TableMirror) -> Bot:
        """The bot, made before it says ready; if there is none, the seat is given back."""
        try:
            return await self._made(table.info)
        except Mistake:
            with suppress(ProtocolError):
                await self._client.ask(Leave, table=table.table)
            raise

    async def _made(self, info: TableInfo) -> Bot:
        """The bot for this table; for a described game the server is asked for the description."""
        if self._spec.strength == 0 or info.game in {known.id for known in GAMES}:
            return bot_for(info.game, info.title, self._spec)
        (card,) = (await self._client.ask(Games, game=info.game)).games
        if card.description is None:
            raise Mistake(f"{card.title} is a game that only strength 0 can play here")
        return await asyncio.to_thread(described_bot, card, self._spec)

    async def _ask(self, kind: type[Ready] | type[Act], **fields: object) -> bool:
        """Whether it is done; if not, the next event brings another look at the table."""
        try:
            await self._client.ask(kind, **fields)
        except ProtocolError as error:
            if error.code not in NOT_NOW:
                raise
            return False
        return True


def bot_for(game: str, title: str, spec: Spec) -> Bot:
    """A bot of the roster; `Mistake` where the game has none of that strength and settings."""
    _must_have(game, title, int(spec.name))
    try:
        return make_bot(game, spec)
    except BadBot as error:
        raise Mistake(f"strength {spec} of {title}: {error}") from None


def described_bot(card: GameCard, spec: Spec) -> Bot:
    """A bot that plays what a description says; `Mistake` where it cannot be read."""
    from engine.recycle import BadDescription, load

    _must_have(card.id, card.title, int(spec.name))
    try:
        rules = Match(load(card.description or "", card.title))
        return recipe_of(card.id, spec).make(dict(spec.settings), rules)
    except (BadBot, BadDescription) as error:
        raise Mistake(str(error)) from None


def _must_have(game: str, title: str, strength: int) -> None:
    """`Mistake`, telling the strengths there are, if the game has no bot of this one."""
    if strength in withheld(game):
        raise Mistake(f"strength {strength} of {title} needs Numba: install blackqueen[server]")
    if strength not in strengths(game):
        there_are = ", ".join(map(str, strengths(game)))
        raise Mistake(f"{title} has no bot of strength {strength}; there are {there_are}")


def _some_game_must_have(strength: int) -> None:
    """`Mistake` unless some game has this strength: else no table would ever do."""
    if not any(strength in strengths(game) for game in (*STRENGTHS, ANY_OTHER_GAME)):
        raise Mistake(f"no game has a bot of strength {strength} here")


def _json(form: WireForm) -> None:
    say(json.dumps(form, separators=(",", ":")), flush=True)


def _briefly(form: WireForm) -> None:
    """Print what people want to know of a bot: the connection and the result."""
    match form:
        case {"type": "disconnected", "reason": reason}:
            say(f"Connection lost: {reason}. Trying to come back.", flush=True)
        case {"type": "reconnected"}:
            say("Connected again.", flush=True)
        case {"type": "finished", "names": names, "totals": totals}:
            say(", ".join(f"{n} {t}" for n, t in zip(names, totals, strict=True)), flush=True)
