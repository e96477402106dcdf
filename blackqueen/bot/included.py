"""The bots that come with the program, as clients of a server.

They know what their seat knows, from the messages that a person's client gets.
"""

import asyncio
import sys
from random import Random

from bots.bot import Bot, Budget, Position
from bots.roster import STRENGTHS, lower_word, make_bot, numbered, recipe_of, strengths, withheld
from bots.spec import BadBot, Spec
from client_cli.names import level_word
from client_cli.tell import tell
from engine.catalogue import GAMES
from engine.choices import Action
from engine.match import Match
from protocol.connection import Client
from protocol.exits import UsageError
from protocol.mirror import TableMirror
from protocol.playing import Chooser
from protocol.safe_text import say
from protocol.to_client import GameCard, TableInfo
from protocol.to_server import Games

ANY_OTHER_GAME = ""
"""A game without players of its own has the strengths of any such."""


class IncludedBot:
    """The bot that a spec names, made for the game of its table."""

    def __init__(self, client: Client, spec: Spec, rng: Random) -> None:
        self._client = client
        self._spec = spec
        self._rng = rng

    async def prepare(self, table: TableMirror) -> Chooser:
        """Make the bot; `UsageError` if the game has none of this strength and these settings.

        It is reported if its word names the bot of a lower one.
        """
        bot = await self._made(table.info)
        if lower := lower_word(table.info.game, self._spec.name):
            words = {"level": level_word(self._spec.name), "lower": level_word(lower)}
            say(tell("bots.same", **words), file=sys.stderr)

        async def choose(table: TableMirror) -> Action:
            position = position_of(table)
            if bot.in_place:
                return bot.choose(position, Budget(), self._rng).action
            # A bot that thinks for long must not keep the connection from answering.
            decision = await asyncio.to_thread(bot.choose, position, Budget(), self._rng)
            return decision.action

        return choose

    async def _made(self, info: TableInfo) -> Bot:
        """The bot for this table; for a described game the server is asked for the description."""
        if self._spec.strength == 0 or info.game in {known.id for known in GAMES}:
            # Numba may have to be loaded, and even fetched before.
            return await asyncio.to_thread(bot_for, info.game, info.title, self._spec)
        (card,) = (await self._client.ask(Games, game=info.game)).games
        if card.description is None:
            raise UsageError(f"{card.title} is a game that only strength 0 can play here")
        return await asyncio.to_thread(described_bot, card, self._spec)


def position_of(table: TableMirror) -> Position:
    """What a seat to move knows, in the form for bots."""
    assert table.seat is not None, "only a seat is asked"
    return Position(
        game=table.info.game,
        seat=table.seat,
        view=table.view,
        choices=table.choices,
        options=table.info.options,
        facts=table.facts,
    )


def bot_for(game: str, title: str, spec: Spec) -> Bot:
    """A bot of the roster; `UsageError` if the game has none of that strength and settings."""
    spec = numbered(game, spec)
    must_have(game, title, int(spec.name))
    try:
        return make_bot(game, spec)
    except BadBot as error:
        raise UsageError(f"strength {spec} of {title}: {error}") from None


def described_bot(card: GameCard, spec: Spec) -> Bot:
    """A bot for a described game; `UsageError` if the description cannot be read."""
    from engine.recycle import BadDescription, load

    spec = numbered(card.id, spec)
    must_have(card.id, card.title, int(spec.name))
    try:
        rules = Match(load(card.description or "", card.title))
        return recipe_of(card.id, spec).make(dict(spec.settings), rules)
    except (BadBot, BadDescription) as error:
        raise UsageError(str(error)) from None


def must_have(game: str, title: str, strength: int) -> None:
    """Raise `UsageError`, which lists the strengths, if the game has no bot of this one."""
    if strength in withheld(game):
        raise UsageError(f"strength {strength} of {title} needs Numba: install blackqueen[strong]")
    if strength not in strengths(game):
        there_are = ", ".join(map(str, strengths(game)))
        raise UsageError(f"{title} has no bot of strength {strength}; there are {there_are}")


def some_game_must_have(strength: int) -> None:
    """Raise `UsageError` unless some game has this strength: otherwise no table would ever fit."""
    if not any(strength in strengths(game) for game in (*STRENGTHS, ANY_OTHER_GAME)):
        raise UsageError(f"no game has a bot of strength {strength} here")
