"""The strength of a bot as people give it: by number, or easy, medium or strong.

On the wire a strength is a number. What a word means depends on the game, so the server's card of
the game says it; the card of a server that is too old to say it lists only the numbers.
"""

from typing import TYPE_CHECKING, TypeAlias, get_args

from protocol.message import Level

if TYPE_CHECKING:
    from protocol.connection import Client
    from protocol.to_client import GameCard

LEVELS: tuple[Level, ...] = get_args(Level)
"""The words for a strength, the weakest first."""
MEDIUM: Level = "medium"
"""How strong a bot is where nobody has said it."""

Wished: TypeAlias = int | Level
"""A strength as somebody has said it."""


def wished_strength(text: str) -> Wished | None:
    """The strength that `text` gives, a number from 0 to 9 or a word; None if it gives none.

    >>> wished_strength("2"), wished_strength("Easy"), wished_strength("10")
    (2, 'easy', None)
    """
    if text.isascii() and text.isdigit() and len(text) == 1:
        return int(text)
    return next((level for level in LEVELS if level == text.lower()), None)


def strength_in(card: "GameCard", wished: Wished) -> int:
    """The number of a wished strength in the game of `card`."""
    if isinstance(wished, int):
        return wished
    for bot in card.bots:
        if wished in bot.levels:
            return bot.strength
    # An older server: 0 is its random player, which is never meant.
    played = [strength for strength in card.strengths if strength > 0] or [0]
    return played[{"easy": 0, "medium": (len(played) - 1) // 2, "strong": -1}[wished]]


def plainer_strength(card: "GameCard", wished: Wished) -> int | None:
    """The weaker strength that a word names in place of a stronger bot; None if it is not replaced.

    The stronger bot needs Numba, which is not installed where the server runs.
    """
    return strength_in(card, wished) if wished in card.lowered else None


def lower_word(card: "GameCard", wished: Wished) -> str | None:
    """The lower word that names the bot of this word; None if the word has a bot of its own.

    None also if it names a plainer bot than it means: then `plainer_strength` says so.
    """
    for bot in card.bots:
        if wished in bot.levels[1:] and wished not in card.lowered:
            return bot.levels[0]
    return None


async def strength_number(client: "Client", game: str, wished: Wished) -> int:
    """The number of a wished strength at a table of `game`; for a word the server is asked."""
    from protocol.to_server import Games

    if isinstance(wished, int):
        return wished
    return strength_in((await client.ask(Games, game=game)).games[0], wished)
