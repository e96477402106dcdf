"""Which bots there are for a game, by strength."""

from collections.abc import Callable, Mapping

from bots.black_queen import counting, looking
from bots.bot import Bot
from bots.random_bot import RandomBot

ROSTER: Mapping[str, tuple[Callable[[], Bot], ...]] = {
    "black_queen": (RandomBot, looking, counting),
}
"""By game id, the bot of each strength from 0 up."""


def strengths(game: str) -> tuple[int, ...]:
    """The strengths a game offers; every game has at least the random bot."""
    return tuple(range(len(ROSTER.get(game, (RandomBot,)))))


def make_bot(game: str, strength: int) -> Bot:
    """A bot; `KeyError` for a strength the game does not offer."""
    bots = ROSTER.get(game, (RandomBot,))
    if not 0 <= strength < len(bots):
        raise KeyError(f"{game} has no bot of strength {strength}; there are {strengths(game)}")
    return bots[strength]()
