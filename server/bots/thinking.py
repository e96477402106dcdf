"""What happens in a process of bots: a bot is made, loads its kernels and chooses.

Everything that such a process needs is imported here, so that it is ready when it says so.
"""

import resource
import signal
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from bots import Bot, Budget, Decision, Position, make_bot, strengths
from bots.arena import warm
from bots.workers import serve_the_parent
from engine import AnyGame, Catalogue
from server.games.descriptions import Source, make_game

NICENESS = 10
"""Bots wait for the server, not the server for bots."""
CONFINED_BYTES = 2 * 2**30
PROCESSOR_SECONDS = 5.0
"""What one question about a described game may use before its process ends."""
DESCRIBED_BUDGET = Budget(milliseconds=1500, samples=400)
"""What a bot of a described game may use: how long its playouts are, the description decides."""


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """Everything a bot needs, so that any process can answer. `seed` makes it repeatable.

    A bot that searches is repeatable only with a `budget` that the clock has no part in.
    `source` makes the game if it is a described one. Requests of one `lane`, a table, wait for each
    other rather than others for them.
    """

    strength: int
    position: Position
    seed: bytes
    budget: Budget = field(default_factory=Budget)
    source: Source | None = None
    lane: str = ""


def serve() -> None:
    """Prepare a process that thinks about the games of the program."""
    serve_the_parent(NICENESS)


def serve_confined() -> None:
    """Prepare one that thinks about described games, which may ask for any amount of memory."""
    serve_the_parent(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (CONFINED_BYTES, CONFINED_BYTES))


def think(question: BotQuestion) -> Decision:
    """Let the bot choose; runs in whatever process it is called in."""
    rng = Random(question.seed)
    if question.source is None:
        bot = bot_of(question.position.game, question.strength)
        return bot.choose(question.position, question.budget, rng)
    bot = _described_bot(question.source, question.strength)
    budget = DESCRIBED_BUDGET if question.budget == Budget() else question.budget
    return bot.choose(question.position, budget, rng)


def think_confined(question: BotQuestion) -> Decision:
    """The same where a description may make it think for ever; then the process ends.

    Only time on the processor counts. By then the question has been answered for the bot.
    """
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
    try:
        return think(question)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def warm_here(game: str, strength: int) -> str:
    """Make a bot ready in the process this is called in; what went wrong, or nothing."""
    try:
        warm(game, bot_of(game, strength))
    except Exception as error:
        return repr(error)
    return ""


@lru_cache(maxsize=64)
def bot_of(game: str, strength: int) -> Bot:
    """The bot of a game of the program, made once a process."""
    return make_bot(game, _offered(game, strength))


@lru_cache(maxsize=16)
def _described_bot(source: Source, strength: int) -> Bot:
    game = source.game
    return make_bot(game, _offered(game, strength), Catalogue((_described_game(source),)))


@lru_cache(maxsize=8)
def _described_game(source: Source) -> AnyGame:
    return make_game(source)


def _offered(game: str, strength: int) -> int:
    """That strength, or the best below it that can be played here.

    A table may have been stored by a server that could offer more.
    """
    return max(each for each in strengths(game) if each <= strength)
