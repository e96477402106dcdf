"""Moves in the place of a bot that is late, has failed or is not compiled yet.

The strongest bot that needs no compiling makes them, or in a described game a search of a few
milliseconds; if there is neither, any legal move is made.
"""

from random import Random
from time import perf_counter
from typing import NamedTuple

import structlog

from bots import Decision
from bots.random_bot import random_action
from bots.roster import standby, standby_plays_at_once
from engine import AnyGame
from server.bots import thinking
from server.bots.thinking import BotQuestion
from server.rate_limit import TokenBucket

log = structlog.get_logger()

HURRY_SHARE = 0.05
HURRY_SECONDS = 0.1
"""Of the event loop's time moves in a hurry may take this share, and so many seconds at once."""


class BotChoice(NamedTuple):
    """A decision, and the strength of the bot that made it."""

    decision: Decision
    strength: int


class Standbys:
    """The bots that play in the place of others. They choose in the event loop of the tables."""

    def __init__(self) -> None:
        # Seconds of the event loop that moves in a hurry may take; the slowest is charged whole.
        self._hurry = TokenBucket.full(HURRY_SHARE, HURRY_SECONDS, perf_counter())

    def choice(self, question: BotQuestion, rules: AnyGame | None = None) -> BotChoice | None:
        """Return the choice of the asked bot's standby; None if it has none, or if it fails.

        A described game has one if its `rules` are given, and if such quick searches have not taken
        too much of the event loop's time already.
        """
        game, strength = question.position.game, question.strength
        try:
            if question.source is not None:
                decision, made_by = self._hasty(question, rules), 1
            elif standby_plays_at_once(game, strength):
                decision, made_by = thinking.think_plainly(question), standby(game, strength)
            else:
                return None
        except Exception as error:
            # The error's words may show hidden cards.
            log.error("bot_failed", game=game, reason=type(error).__name__)
            return None
        if decision is None or not question.position.choices.allows(decision.action):
            return None
        return BotChoice(decision, made_by)

    def _hasty(self, question: BotQuestion, rules: AnyGame | None) -> Decision | None:
        """Return a move by random playouts, as of strength 1; None if there is no time."""
        started = perf_counter()
        if rules is None or not self._hurry.take(started, 0.0):
            return None
        try:
            return thinking.hasty_move(rules, question)
        finally:
            now = perf_counter()
            self._hurry.charge(now, now - started)


def any_move(question: BotQuestion) -> BotChoice:
    """Return any legal move."""
    action = random_action(question.position.choices, Random(question.seed))
    return BotChoice(Decision(action), 0)
