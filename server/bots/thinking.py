"""The work of a bots' process: it makes a bot, loads its kernels and has it choose.

This module imports everything that such a process needs, so the process is ready when it reports
so.
"""

import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Literal

from bots import Bot, Budget, Decision, Position, make_bot, strengths
from bots.arena import warm
from bots.bot import Improves
from bots.review import DecisionPoint, Judgement, judge, judging_bot
from bots.roster import make_standby, note_kept, thinks_apart
from bots.workers import serve_the_parent
from engine import AnyGame, Catalogue
from server.bots.process import report
from server.games.descriptions import GameSource, make_game

NICENESS = 10
"""Bots wait for the server, not the server for bots."""
CONFINED_BYTES = 2 * 2**30
PROCESSOR_SECONDS = 5.0
"""What one question about a described game may use before its process ends."""
REPORT_SECONDS = 0.1
"""How often a bot of a described game says what it would choose if it were stopped now."""


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """All that a bot needs to choose in any process. `seed` makes its choice repeatable.

    A bot that searches is repeatable only if its `budget` does not depend on the clock. `source`
    makes the game if it is a described one. Questions of one `lane`, a table, wait for each other
    before other lanes wait for them.
    """

    strength: int
    position: Position
    seed: bytes
    budget: Budget = field(default_factory=Budget)
    source: GameSource | None = None
    lane: str = ""


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A decision to analyse, the `number`-th of its review, by the bot of `strength`.

    `aim` and `source` are those of the game; a native game has no source. With `plainly` the bot's
    standby analyses the decision, which needs no compiling. In a described game, which may be slow,
    `budget` has a limit of time too.
    """

    strength: int
    moment: DecisionPoint
    number: int
    aim: Literal["high", "low"]
    budget: Budget
    source: GameSource | None = None
    plainly: bool = False


def serve() -> None:
    """Prepare a process for the games of the program."""
    serve_the_parent(NICENESS)


def serve_confined() -> None:
    """Prepare a process for described games, which could use any amount of memory."""
    serve_the_parent(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (CONFINED_BYTES, CONFINED_BYTES))


def think(question: BotQuestion) -> Decision:
    """Compute the bot's decision in this process."""
    rng = Random(question.seed)
    game, strength = question.position.game, question.strength
    if question.source is None or not thinks_apart(game, strength):
        # A bot that plays any game needs no rules. To make them takes a second where they are long.
        bot = bot_of(game, strength)
        return bot.choose(question.position, question.budget, rng)
    bot = _described_bot(question.source, question.strength)
    if not isinstance(bot, Improves):
        return bot.choose(question.position, question.budget, rng)
    return best_found(bot.improving(question.position, question.budget, rng), report)


def best_found(
    improving: Iterable[Callable[[], Decision]],
    report: Callable[[Decision], None],
    clock: Callable[[], float] = monotonic,
) -> Decision:
    """Return the last decision of a search; `report` is called with intermediate results."""
    reported = clock()
    for decision in improving:
        if (now := clock()) - reported >= REPORT_SECONDS:
            report(decision())
            reported = now
    return decision()


@contextmanager
def _confined() -> Iterator[None]:
    """End this process if the block runs on: in a described game a bot may do so for ever.

    Only processor time counts. By then the pool has answered the question in the bot's place.
    """
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def think_confined(question: BotQuestion) -> Decision:
    """Compute a decision in a described game."""
    with _confined():
        return think(question)


def judge_moment(question: ReviewQuestion) -> Judgement:
    """Compute the bot's analysis of a decision in this process."""
    game = question.moment.position.game
    if question.plainly:
        bot = _standby_of(game, question.strength)
    else:
        bot = _judge_of(game, question.strength, question.source)
    return judge(bot, question.moment, question.budget, question.aim, question.number)


def judge_confined(question: ReviewQuestion) -> Judgement:
    """Compute an analysis in a described game."""
    with _confined():
        return judge_moment(question)


def warm_here(game: str, strength: int) -> str:
    """Make a bot ready in this process; return what went wrong, or ""."""
    try:
        warm(game, bot_of(game, strength))
    except Exception as error:
        return repr(error)
    note_kept(game, strength)
    return ""


def think_plainly(question: BotQuestion) -> Decision:
    """Compute the decision of the bot that substitutes for one that is not compiled yet."""
    bot = _standby_of(question.position.game, question.strength)
    return bot.choose(question.position, question.budget, Random(question.seed))


def hasty_move(game: AnyGame, question: BotQuestion) -> Decision:
    """Return the choice of a search of a few milliseconds in a described game."""
    # Servers that host no descriptions need not load what plays them.
    from bots.generic.hasty import HastyPlayer

    return HastyPlayer(game).choose(question.position, Budget(), Random(question.seed))


@lru_cache(maxsize=64)
def bot_of(game: str, strength: int) -> Bot:
    """Return the bot of a game of the program, made once a process."""
    return make_bot(game, offered(game, strength))


@lru_cache(maxsize=64)
def _standby_of(game: str, strength: int) -> Bot:
    return make_standby(game, strength)


@lru_cache(maxsize=64)
def _judge_of(game: str, strength: int, source: GameSource | None) -> Bot:
    if source is None:
        return judging_bot(game, strength)
    return judging_bot(game, strength, Catalogue((_described_game(source),)))


@lru_cache(maxsize=128)
def _described_bot(source: GameSource, strength: int) -> Bot:
    game = source.game
    return make_bot(game, offered(game, strength), Catalogue((_described_game(source),)))


@lru_cache(maxsize=64)
def _described_game(source: GameSource) -> AnyGame:
    return make_game(source)


def offered(game: str, strength: int) -> int:
    """Return that strength, or the best below it that can be played here, which is then used.

    A table may have been stored by a server that could offer more.
    """
    return max(each for each in strengths(game) if each <= strength)
