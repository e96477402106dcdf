"""The matches that a person plays one after the other at private tables, from menu to menu."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client_cli.farewell import from_private
from client_cli.game_menu import (
    Choice,
    GameMenu,
    LastChoice,
    Left,
    names_file,
    offered_bots,
)
from client_cli.identity import Identity, state_directory
from client_cli.output import Output
from client_cli.private_server import private_server
from client_cli.private_table import description_errors, description_file, open_table, refusing
from client_cli.run_table import connected, line_asker, output_for, run_table, typed_by_hand
from client_cli.seating import unfinished
from protocol.connection import Client
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.safe_text import say
from protocol.to_client import GameCard
from protocol.to_server import Games, Leave


@dataclass(slots=True)
class PrivateMatches:
    """One match for a program, as many as they like for a person at a terminal.

    `arguments` are those of ``blackqueen play``, and `fields` those of the tables; `data` is where
    the private servers keep them.
    """

    arguments: argparse.Namespace
    # What `table_fields` gives: the options and settings of a table.
    fields: dict[str, Any]
    name: str
    who: Identity
    data: Path
    _last: LastChoice = field(init=False)
    _output: Output = field(init=False)
    _by_hand: bool = field(init=False)
    _remembered: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._by_hand = typed_by_hand(self.arguments)
        self._last = LastChoice(state_directory())
        self._output = output_for(self.arguments)

    async def play(self) -> Exit:
        """Play until the person has enough; the exit code of the last match."""
        choice = self._first()
        while True:
            file = description_file(choice.game)
            if file is not None and (errors := await description_errors(file)):
                say(*errors.splitlines(), file=sys.stderr)
                if not self._by_hand or self.arguments.game is not None:
                    return Exit.USAGE
                choice = Choice()
            async with private_server(self.data, *self._flags(choice)) as url:
                ended = await self._play_at(url, choice)
            if isinstance(ended, Exit):
                return ended
            choice = ended

    def _first(self) -> Choice:
        """What the command line names; without a game a person is asked."""
        bots = self.arguments.bots or ()
        if self.arguments.game is None and self.arguments.last:
            last = self._last.read()
            self._remembered = True
            return Choice(last.game, bots or last.bots)
        return Choice(self.arguments.game, bots)

    def _offered(self, games: Sequence[GameCard], choice: Choice) -> Choice:
        """A remembered choice, as far as this version still has its game and its bots."""
        card = next((card for card in games if card.id == choice.game), None)
        return Choice() if card is None else Choice(card.id, offered_bots(card, choice.bots))

    def _flags(self, choice: Choice) -> tuple[str, ...]:
        return server_flags(choice, self.arguments.seed)

    async def _play_at(self, url: str, choice: Choice) -> Choice | Exit:
        """Play what is chosen; the exit code, or the next choice if it needs another server."""
        flags = self._flags(choice)
        program = None if self._by_hand else "blackqueen play"
        while True:
            async with connected(url, self.name, self.who, program) as client:
                games: Sequence[GameCard] = ()
                remembered, self._remembered = self._remembered, False
                if remembered and choice.game is not None and not names_file(choice.game):
                    games = (await client.ask(Games)).games
                    choice = self._offered(games, choice)
                if self._by_hand and choice.game is None and not await unfinished(client):
                    games = games or (await client.ask(Games)).games
                    # One from a file is chosen by its path, which the next server needs.
                    own = [game for game in games if not game.described]
                    menu = GameMenu(own, self._output, line_asker(self.arguments))
                    try:
                        choice = await menu.choose(self._last.read(), choice.bots)
                    except Left:
                        return Exit.DONE
                    if self._flags(choice) != flags:
                        return choice
                if (code := await self._match(client, choice)) is not None:
                    return code
                match await GameMenu((), self._output, line_asker(self.arguments)).after():
                    case "leave":
                        return Exit.DONE
                    case "another":
                        choice = Choice()
                        # The options were those of the first game.
                        self.fields, self.arguments.seats = {"options": {}, "settings": {}}, None
                        if self._flags(choice) != flags:
                            # The next menu shows the bots of a server that has them all.
                            return choice

    async def _match(self, client: Client, choice: Choice) -> Exit | None:
        """Play one match; None if a person has played it to its end and may want another."""
        words = {**vars(self.arguments), "game": choice.game, "bots": choice.bots or None}
        arguments = argparse.Namespace(**words)
        with refusing(arguments):
            table = await open_table(client, arguments, self.fields, self._output)
        if self._by_hand and choice.game is not None:
            self._last.keep(choice)
        farewell = from_private(choice.game, self.arguments.data)
        kept = self.arguments.data is not None
        code = await run_table(client, table, arguments, self._output, farewell, kept=kept)
        seen = client.session.tables.get(table)
        if not self._by_hand or seen is None or seen.info.phase != "finished":
            return code
        with suppress(ProtocolError):
            await client.ask(Leave, table=table)
        return None


def server_flags(choice: Choice, seed: int | None) -> tuple[str, ...]:
    """The flags of the private server that what is chosen needs."""
    flags: tuple[str, ...] = () if seed is None else ("--allow-seeds",)
    if (file := description_file(choice.game)) is not None:
        flags += ("--games", str(file))
    if set(choice.bots) == {"easy"}:
        flags += ("--plain-bots",)
    return flags
