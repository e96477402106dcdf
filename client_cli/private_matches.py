"""The matches that a person plays one after the other at private tables, from menu to menu."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client_cli.effects import Remark, Show
from client_cli.farewell import from_private
from client_cli.game_menu import (
    After,
    ChosenGame,
    GameMenu,
    LastChoice,
    MenuLeft,
    names_file,
    offered_bots,
)
from client_cli.identity import TokenPlace, state_directory
from client_cli.included_games import included_games
from client_cli.kept_matches import MatchFolder
from client_cli.output import Output
from client_cli.private_server import NoPrivateServer, private_server
from client_cli.private_table import description_errors, description_file, open_table, refusing
from client_cli.refusals import told_reason
from client_cli.review import print_review
from client_cli.run_table import connected, line_asker, output_for, run_table, typed_by_hand
from client_cli.seating import is_unfinished, unfinished
from client_cli.tell import tell
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.mirror import TableMirror
from protocol.safe_text import say
from protocol.to_client import GameCard
from protocol.to_server import Games, Leave


class NotResumed(Exception):
    """The unfinished match cannot be played on; the text says why."""


@dataclass(slots=True)
class PrivateMatches:
    """Matches at private tables: one for a program, any number for a person at a terminal.

    `arguments` are those of ``blackqueen play``, and `fields` those of the tables; `data` is where
    the private servers store them.

    A person's matches may be kept for the next visit in a `folder`. If `resumed` is given, the
    folder has an unfinished match of that choice.
    """

    arguments: argparse.Namespace
    # What `table_fields` gives: the options and settings of a table.
    fields: dict[str, Any]
    name: str
    who: TokenPlace
    data: Path
    folder: MatchFolder | None = None
    resumed: ChosenGame | None = None
    _last: LastChoice = field(init=False)
    _output: Output = field(init=False)
    _by_hand: bool = field(init=False)
    _remembered: bool = field(default=False, init=False)
    _known: str | None = field(init=False)
    _finished: TableMirror | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._by_hand = typed_by_hand(self.arguments)
        self._last = LastChoice(state_directory())
        self._output = output_for(self.arguments)
        self._known = self.who.token

    async def play(self) -> Exit:
        """Play until the person stops; returns the exit code of the last match."""
        choice = self._first()
        while True:
            file = description_file(choice.game)
            if file is not None and (errors := await description_errors(file)):
                say(*errors.splitlines(), file=sys.stderr)
                if not self._by_hand or self.arguments.game is not None:
                    return Exit.USAGE
                choice = ChosenGame()
            try:
                async with private_server(self.data, *self._flags(choice)) as url:
                    ended = await self._play_at(url, choice)
            except NoPrivateServer as error:
                if self.resumed is None:
                    raise
                raise NotResumed(str(error)) from None
            if isinstance(ended, Exit):
                return ended
            choice = ended

    def _first(self) -> ChosenGame:
        """The choice of the command line, or the person's if it names no game."""
        if self.resumed is not None:
            # Its game is in the folder, even if the file that described it is gone.
            return ChosenGame(None, self.resumed.bots)
        bots = self.arguments.bots or ()
        if self.arguments.game is None and self.arguments.last:
            last = self._last.read()
            self._remembered = True
            return ChosenGame(last.game, bots or last.bots)
        return ChosenGame(self.arguments.game, bots)

    def _offered(self, games: Sequence[GameCard], choice: ChosenGame) -> ChosenGame:
        """A remembered choice, as far as this version still has its game and its bots."""
        card = next((card for card in games if card.id == choice.game), None)
        return (
            ChosenGame() if card is None else ChosenGame(card.id, offered_bots(card, choice.bots))
        )

    def _flags(self, choice: ChosenGame) -> tuple[str, ...]:
        return server_flags(choice, self.arguments.seed)

    async def _play_at(self, url: str, choice: ChosenGame) -> ChosenGame | Exit:
        """Play a choice; returns the exit code, or the next choice if it needs another server."""
        flags = self._flags(choice)
        program = None if self._by_hand else "blackqueen play"
        while True:
            async with connected(url, self.name, self.who, program) as client:
                games: Sequence[GameCard] = ()
                if self.resumed is not None:
                    await self._find_resumed(client)
                remembered, self._remembered = self._remembered, False
                if remembered and choice.game is not None and not names_file(choice.game):
                    games = (await client.ask(Games)).games
                    choice = self._offered(games, choice)
                if self._by_hand and choice.game is None and not await unfinished(client):
                    games = games or (await client.ask(Games)).games
                    # One from a file is chosen by its path, which the next server needs.
                    own = [game for game in games if not game.described]
                    ask = line_asker(self.arguments)
                    menu = GameMenu(own, self._output, ask, included_games())
                    try:
                        choice = await menu.choose(self._last.read(), choice.bots)
                    except MenuLeft:
                        return Exit.DONE
                    if self._flags(choice) != flags:
                        return choice
                if (code := await self._match(client, choice)) is not None:
                    return code
                match await self._after(client):
                    case "leave":
                        return Exit.DONE
                    case "again" if self.resumed is not None:
                        choice, self.resumed = self.resumed, None
                    case "another":
                        choice, self.resumed = ChosenGame(), None
                        # The options were those of the first game.
                        self.fields, self.arguments.seats = {"options": {}, "settings": {}}, None
                if self._flags(choice) != flags:
                    # The next menu shows the bots of a server that has them all.
                    return choice

    async def _after(self, client: Client) -> After:
        """What comes after a match, once the person has looked back at it as often as they like."""
        table = self._finished
        assert table is not None
        while True:
            wish = await GameMenu((), self._output, line_asker(self.arguments)).after()
            if wish == "history":
                self._output.show(Show("history"), table)
            elif wish == "review":
                which = {"code": table.table, "match": None, "seat": None}
                try:
                    await print_review(
                        client, argparse.Namespace(**{**vars(self.arguments), **which})
                    )
                except ProtocolError as error:
                    self._output.remark(Remark(told_reason(error), wrong=True))
            else:
                return wish

    async def _match(self, client: Client, choice: ChosenGame) -> Exit | None:
        """Play one match; None if a person has played it to its end and may want another."""
        words = {**vars(self.arguments), "game": choice.game, "bots": choice.bots or None}
        arguments = argparse.Namespace(**words)
        with refusing(arguments):
            table = await open_table(client, arguments, self.fields, self._output)
        if self._by_hand and choice.game is not None:
            self._last.keep(choice)
        named = self.arguments.name
        kept = self._keep(client.session.tables[table], choice)
        data = self.data if kept else None
        farewell = from_private(choice.game, data, named, offered=self.folder is not None)
        try:
            code = await run_table(client, table, arguments, self._output, farewell, kept=kept)
        finally:
            seen = client.session.tables.get(table)
            if self.folder is not None and not (seen and is_unfinished(seen)):
                self.folder.over()
        if not self._by_hand or seen is None or seen.info.phase != "finished":
            return code
        self._finished = seen
        with suppress(ProtocolError):
            await client.ask(Leave, table=table)
        return None

    def _keep(self, table: TableMirror, choice: ChosenGame) -> bool:
        """Whether the match at `table` will be kept for the next visit."""
        if self.folder is None:
            return self.arguments.data is not None
        choice = self.resumed or choice
        seats = self.arguments.seats
        return self.folder.begin(table.info.title, choice, self.name, seats, self.fields)

    async def _find_resumed(self, client: Client) -> None:
        """Raise `NotResumed` if the folder has no unfinished match."""
        if await unfinished(client):
            return
        if self.folder is not None and client.session.token == self._known:
            # It was played to its end, but another program did that, or could not say so. Who is
            # not known to the server any more cannot tell, so then the match stays.
            self.folder.over()
        raise NotResumed(tell("kept.over"))


def server_flags(choice: ChosenGame, seed: int | None) -> tuple[str, ...]:
    """The flags of the private server for a choice."""
    flags: tuple[str, ...] = () if seed is None else ("--allow-seeds",)
    if (file := description_file(choice.game)) is not None:
        flags += ("--games", str(file))
    if set(choice.bots) == {"easy"}:
        flags += ("--plain-bots",)
    return flags
