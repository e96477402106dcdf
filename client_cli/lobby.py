"""The lobby of a server at a terminal: a person looks for a table, or opens one, by typed words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from client_cli.arguments import table_fields
from client_cli.effects import Remark
from client_cli.output import Output
from client_cli.seating import create_table, invitation, own_tables, take_seat
from client_cli.typed_commands import quoted, similar_word
from client_cli.typed_values import NotUnderstood
from engine.facts import Seat
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.exits import Mistake
from protocol.to_client import GameCard, TableInfo
from protocol.to_server import Games, ListTables, TableSettings

_MOST_CODE = 16
"""No code of a table is longer."""
_FILTERS = ("game", "free", "phase", "text")
Ask: TypeAlias = Callable[[str], Awaitable[str | None]]
"""Asks the person for one line; None at Ctrl-D."""

HELP: Mapping[str, str] = {
    "3 or K7Q2X": "sit down at the table with this number or code",
    "Enter": "list the tables again",
    "more": "list the next tables, if there are more",
    "new whist": "open a table for this game; new whist seats=4 private=yes: with options",
    "games": "list the games of this server",
    "game whist": "list only tables of this game",
    "free 2": "list only tables with at least 2 free seats",
    "phase lobby": "list only tables that wait for players",
    "text ann": "list only tables with this text in the code, the game or a name",
    "all": "list all tables again",
    "help": "this list",
    "quit": "close the program",
}
"""What can be typed, by an example, and what it does."""
_QUIT = ("quit", "exit", "q")
_ALIASES: Mapping[str, str] = {"?": "help", "exit": "quit", "q": "quit", "list": "", "tables": ""}
_WORDS = ("more", "new", "games", *_FILTERS, "all", "help", "quit", *_ALIASES)


class _Closed(Exception):
    """The person closes the program at a question."""


@dataclass(slots=True)
class Lobby:
    """Lets a person choose a table; `seat` is the one they want there, None for any."""

    client: Client
    output: Output
    ask: Ask
    seat: Seat | None = None
    _filters: Mapping[str, Any] = field(default_factory=dict, init=False)
    _tables: tuple[TableInfo, ...] = field(default=(), init=False)
    _next: str | None = field(default=None, init=False)

    async def choose(self) -> str | None:
        """The code of the table at which the person sits now; None if they want none."""
        try:
            return await self._choose()
        except _Closed:
            return None

    async def _choose(self) -> str | None:
        await self._list(self._filters)
        while True:
            more = "" if self._next is None else " more,"
            typed = await self.ask(f"Table number or code,{more} new, help or quit: ")
            if typed is None:
                return None
            word, _, rest = typed.strip().partition(" ")
            word = _ALIASES.get(word.lower(), word)
            if word.lower() == "quit":
                return None
            try:
                code = await self._do(word, rest.strip())
            except (NotUnderstood, Mistake) as error:
                self.output.remark(Remark(f"{quoted(typed)}: {error}", wrong=True))
            except ProtocolError as error:
                self.output.remark(Remark(f"{quoted(typed)}: {error.reason}", wrong=True))
            else:
                if code is not None:
                    return code

    async def _do(self, word: str, rest: str) -> str | None:
        """Do what was typed; the code of a table if that means sitting down there."""
        match word.lower():
            case "":
                await self._list(self._filters)
            case "more":
                # After the last page the list begins again.
                await self._list(self._filters, self._next)
            case "all":
                await self._list({})
            case "game" | "free" | "phase" | "text" as name:
                await self._list({**self._filters, name: _filter_value(name, rest)})
            case "games":
                self.output.games((await self.client.ask(Games)).games)
            case "new":
                return await self._open(rest)
            case "help":
                self.output.explain(HELP)
            case number if number.isascii() and number.isdigit():
                return await self._sit(int(number))
            case _:
                return await self._join(word, rest)
        return None

    async def _list(self, filters: Mapping[str, Any], page: str | None = None) -> None:
        answer = await self.client.ask(ListTables, page=page, **filters)
        self._filters, self._tables, self._next = filters, answer.tables, answer.next
        own = await own_tables(self.client)
        if page is None and not filters:
            # Also private ones, and those that only wait for their player.
            others = [table for table in answer.tables if table not in own]
            self._tables = (*own, *others)
        self.output.tables(self._tables, {table.table for table in own})
        if filters:
            named = ", ".join(f"{name} {value}" for name, value in filters.items())
            self.output.remark(Remark(f"Only tables with {named} are listed; all lists all."))

    async def _sit(self, number: int) -> str:
        if not 1 <= number <= len(self._tables):
            there_are = f"1 to {len(self._tables)}" if self._tables else "no tables"
            raise NotUnderstood(f"no table in the list has this number; the list has {there_are}")
        return await take_seat(self.client, self._tables[number - 1].table, self.seat)

    async def _join(self, word: str, rest: str) -> str:
        """Sit down at the table with this code, unless it cannot be one."""
        meant = similar_word(word, filter(None, _WORDS))
        why = f"unknown command; did you mean {meant}?" if meant else "unknown command; type help"
        if rest or not word.isalnum() or len(word) > _MOST_CODE:
            raise NotUnderstood(why)
        try:
            return await take_seat(self.client, word.upper(), self.seat)
        except ProtocolError as error:
            if error.code == "unknown_table" and meant:
                raise NotUnderstood(why) from None
            raise

    async def _open(self, rest: str) -> str | None:
        """A table of the person's own, once they have said yes to it."""
        words = rest.split()
        named = "_".join(word for word in words if "=" not in word)
        if not named:
            games = (await self.client.ask(Games)).games
            self.output.games(games)
            example = games[0].id if games else "whist"
            raise NotUnderstood(f"which game? For example: new {example}")
        game = (await self.client.ask(Games, game=named)).games[0]
        seats, fields = _table_fields([word for word in words if "=" in word])
        _check_options(fields["options"], game)
        private = " a private" if fields["settings"].get("private") else " a"
        players = f"{seats or game.usual_seats} players"
        answer = await self.ask(f"Open{private} table of {game.title} for {players}? yes or no: ")
        if answer is None or answer.lower() in _QUIT:
            raise _Closed
        if answer.lower() not in ("yes", "y"):
            self.output.remark(Remark("No table was opened."))
            return None
        code = await create_table(self.client, game.id, seats, fields)
        self.output.remark(invitation(self.client, code))
        return code


def _filter_value(name: str, text: str) -> str | int:
    if not text:
        example = {"game": "whist", "free": "2", "phase": "lobby", "text": "ann"}[name]
        raise NotUnderstood(f"{name} needs a word behind it. For example: {name} {example}")
    if name != "free":
        return text
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise NotUnderstood("how many free seats? For example: free 2")
    return int(text)


def _check_options(given: Mapping[str, Any], game: GameCard) -> None:
    """`NotUnderstood` about an option that the game does not have, before anything is asked."""
    known = [option.name for option in game.options]
    for name in given:
        if name not in known:
            has = f"its options are {', '.join(known)}" if known else "it has none"
            always = ", ".join(TableSettings.model_fields)
            raise NotUnderstood(
                f"{game.title} has no option {name}; {has}. Every table has seats, {always}."
            )


def _table_fields(words: list[str]) -> tuple[int | None, dict[str, Any]]:
    """The number of seats, None for the usual, and the other fields of a new table."""
    seats = None
    others = []
    for word in words:
        name, _, text = word.partition("=")
        if name != "seats":
            others.append(word)
        elif text.isascii() and text.isdigit():
            seats = int(text)
        else:
            raise NotUnderstood("how many seats? For example: seats=4")
    return seats, table_fields(others, flag="")
