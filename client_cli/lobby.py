"""The lobby of a server at a terminal: a person looks for a table, or opens one, by typed words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from client_cli.arguments import table_fields
from client_cli.effects import Remark
from client_cli.option_help import option_help
from client_cli.output import Output
from client_cli.refusals import told_reason
from client_cli.seating import Ask, create_table, invitation, own_tables, take_seat
from client_cli.tell import tell, told
from client_cli.text import Look
from client_cli.typed_commands import quoted, similar_word
from client_cli.typed_values import NotUnderstood, said_yes
from engine.facts import Seat
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.exits import UsageError
from protocol.pasted import MOST_CODE, table_code
from protocol.to_client import GameCard, GameList, TableInfo
from protocol.to_server import Games, ListTables, TableSettings

_FILTERS = ("game", "free", "phase", "text")
_WORDS = ("more", "new", "games", *_FILTERS, "all", "help", "quit", "list", "tables")


class _Closed(Exception):
    """The person closes the program at a question."""


@dataclass(slots=True)
class LobbyScreen:
    """Lets a person choose a table; `seat` is the one they want there, None for any."""

    client: Client
    output: Output
    ask: Ask
    seat: Seat | None = None
    _filters: Mapping[str, Any] = field(default_factory=dict, init=False)
    _tables: tuple[TableInfo, ...] = field(default=(), init=False)
    _next: str | None = field(default=None, init=False)

    async def choose(self) -> str | None:
        """The code of the table that the person joined; None if they want none."""
        try:
            return await self._choose()
        except _Closed:
            return None

    async def _choose(self) -> str | None:
        await self._list(self._filters)
        while True:
            typed = await self.ask(tell("lobby.ask" if self._next is None else "lobby.ask_more"))
            if typed is None:
                return None
            word, _, rest = typed.strip().partition(" ")
            word = _aliases().get(word.lower(), word)
            if word.lower() == "quit":
                return None
            try:
                code = await self._do(word, rest.strip())
            except (NotUnderstood, UsageError) as error:
                self._refuse(typed, str(error))
            except ProtocolError as error:
                self._refuse(typed, told_reason(error))
            else:
                if code is not None:
                    return code

    def _refuse(self, typed: str, why: str) -> None:
        said = tell("typed.wrong", typed=quoted(typed), why=why)
        self.output.remark(Remark(said, wrong=True))

    async def _do(self, word: str, rest: str) -> str | None:
        """Carry out the typed words; returns the code of a table if they join one."""
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
                await self._explain(rest)
            case number if number.isascii() and number.isdigit():
                return await self._sit(int(number))
            case _:
                return await self._join(word, rest)
        return None

    async def _explain(self, game: str) -> None:
        """Explain the words of the lobby, or the options for a table of a game."""
        if not game:
            self.output.explain(told("lobby.help"))
            return
        answer = await self._game(game)
        self.output.explain(dict(option_help(answer, {}, Look())))

    async def _game(self, named: str) -> GameList:
        """The card of the game with this id or title."""
        try:
            return await self.client.ask(Games, game="_".join(named.split()))
        except ProtocolError as error:
            if error.code != "unknown_game":
                raise
            words = named.casefold().replace("_", " ")
            games = (await self.client.ask(Games)).games
            found = [each.id for each in games if each.title.casefold() == words]
            if len(found) != 1:
                raise
        return await self.client.ask(Games, game=found[0])

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
            self.output.remark(Remark(tell("lobby.only", filters=named)))

    async def _sit(self, number: int) -> str:
        if not 1 <= number <= len(self._tables):
            most = len(self._tables)
            there_are = tell("name.range", low=1, high=most) if most else tell("lobby.no_tables")
            raise NotUnderstood(tell("lobby.no_number", there_are=there_are))
        return await take_seat(self.client, self._tables[number - 1].table, self.seat, self.ask)

    async def _join(self, word: str, rest: str) -> str:
        """Join the table with this code, if it is a valid one."""
        meant = similar_word(word, (*_WORDS, *_aliases()))
        why = tell("lobby.meant", word=meant) if meant else tell("lobby.unknown")
        typed = f"{word} {rest}".strip()
        code = table_code(typed)
        if (rest and "/" not in typed) or not code.isalnum() or len(code) > MOST_CODE:
            raise NotUnderstood(why)
        try:
            return await take_seat(self.client, code, self.seat, self.ask)
        except ProtocolError as error:
            if error.code == "unknown_table" and meant:
                raise NotUnderstood(why) from None
            raise

    async def _open(self, rest: str) -> str | None:
        """Open a table of the person's own, after they have confirmed it."""
        words = rest.split()
        named = " ".join(word for word in words if "=" not in word)
        if not named:
            games = (await self.client.ask(Games)).games
            self.output.games(games)
            example = games[0].id if games else "whist"
            raise NotUnderstood(tell("lobby.which_game", game=example))
        game = (await self._game(named)).games[0]
        seats, fields = _table_fields([word for word in words if "=" in word])
        _check_options(fields["options"], game)
        question = "lobby.open_private" if fields["settings"].get("private") else "lobby.open"
        players = seats or game.usual_seats
        answer = await self.ask(tell(question, game=game.title, seats=str(players)))
        if answer is None or answer.lower() in tell("words.quit").split():
            raise _Closed
        if answer.lower() not in said_yes():
            self.output.remark(Remark(tell("lobby.not_opened")))
            return None
        code = await create_table(self.client, game.id, seats, fields)
        self.output.remark(invitation(self.client, code))
        return code


def _aliases() -> Mapping[str, str]:
    """The other words that mean one of the lobby's."""
    names = ("help", "quit", "new", "games", "all", "more")
    words = {word: name for name in names for word in tell(f"words.{name}").split()}
    return {**words, "list": "", "tables": ""}


def _filter_value(name: str, text: str) -> str | int:
    if not text:
        example = {"game": "whist", "free": "2", "phase": "lobby", "text": "ann"}[name]
        raise NotUnderstood(tell("lobby.filter", name=name, example=example))
    if name != "free":
        return text
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise NotUnderstood(tell("lobby.how_many_free"))
    return int(text)


def _check_options(given: Mapping[str, Any], game: GameCard) -> None:
    """Raise `NotUnderstood` for an option that the game does not have."""
    known = [option.name for option in game.options]
    for name in given:
        if name not in known:
            args = {"game": game.title, "name": name, "known": ", ".join(known)}
            key = "lobby.no_option" if known else "lobby.no_options"
            raise NotUnderstood(tell(key, **args, always=", ".join(TableSettings.model_fields)))


def _table_fields(words: list[str]) -> tuple[int | None, dict[str, Any]]:
    """The number of seats, None for the default, and the other fields of a new table."""
    seats = None
    others = []
    for word in words:
        name, _, text = word.partition("=")
        if name != "seats":
            others.append(word)
        elif text.isascii() and text.isdigit():
            seats = int(text)
        else:
            raise NotUnderstood(tell("lobby.how_many"))
    return seats, table_fields(others, flag="")
