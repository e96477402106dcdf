"""What tables ask of bots, wherever these think: in this process, beside it, or on other machines.

Every question for a move is answered. If a bot is late, fails or is lost, the best move that it has
found so far is played. If there is none its standby plays for it: the strongest bot that needs no
compiling, or at a described game a search of a few milliseconds. If that fails too, any legal move
is played. The log says so. A hint is no move: if it does not come in time, the player who wanted it
is told so.

Quick bots answer in the event loop of the tables. All others are always given the facts, so that
the process with the tables need not load them. Until one is ready its standby plays in its place;
at a table whose moves must be repeatable, which bot plays may not depend on the time, so the table
waits.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

from bots import Budget, Decision
from bots.review import Judgement
from bots.roster import thinks_apart
from server.bots import thinking
from server.bots.job_queue import BotName
from server.bots.pending_answer import Done, Observe, PendingAnswer
from server.bots.thinking import BotQuestion, ReviewQuestion
from server.rate_limit import TokenBucket

DEADLINE_SECONDS = 5.0
REPEATABLE_SECONDS = 60.0
"""The deadline of a question with a budget: the same shall happen again, however busy the machine.
"""
HURRY_SHARE = 0.05
HURRY_SECONDS = 0.1
"""Of the event loop's time moves in a hurry may take this share, and so many seconds at once."""


class Meanwhile(NamedTuple):
    """What happens until a bot is ready: one of `strength` plays; with None the table waits.

    `seconds` is about how long that takes, 0 if the bot can never be made ready here.
    """

    strength: int | None
    seconds: float


class BotService(ABC):
    """Answers questions to bots.

    `on_ready` is called with each compiled bot that has become ready, or cannot be made ready.
    """

    def __init__(self, observe: Observe | None = None) -> None:
        self.on_ready: Callable[[BotName], None] = lambda bot: None
        self._observe = observe or (lambda *choice: None)
        self._waiting: defaultdict[BotName, list[PendingAnswer]] = defaultdict(list)
        # Seconds of the event loop that moves in a hurry may take; the slowest is charged whole.
        self._hurry = TokenBucket.full(HURRY_SHARE, HURRY_SECONDS, perf_counter())

    @abstractmethod
    def meanwhile(self, game: str, strength: int, *, repeatable: bool) -> Meanwhile | None:
        """What happens if this bot is asked now; None if it answers itself."""

    @abstractmethod
    def prepare(self, game: str, strength: int) -> None:
        """Have a compiled bot made ready before those that no table waits for."""

    @abstractmethod
    def hints_full(self, described: bool) -> bool:
        """Whether so many hints wait that one more would come too late."""

    @abstractmethod
    async def judge(self, question: ReviewQuestion) -> Judgement | None:
        """What a bot thinks of a decision, after all moves and hints; None if it fails.

        A bot that is still to be compiled is loaded for it, so prepare it first.
        """

    @abstractmethod
    def have_answered(self, pending: PendingAnswer, seconds: float) -> None:
        """Have a question answered by a bot that is ready, outside this event loop."""

    def is_cold(self, game: str, strength: int) -> bool:
        """Whether that is a compiled bot that is not ready, and may still become so."""
        meanwhile = self.meanwhile(game, strength, repeatable=True)
        return meanwhile is not None and meanwhile.seconds > 0

    def needs_facts(self, game: str, strength: int) -> bool:
        """Whether a bot of a game wants the facts of the deal beside the view."""
        return thinks_apart(game, strength) or thinking.bot_of(game, strength).needs_facts

    def ask(
        self,
        question: BotQuestion,
        done: Done,
        *,
        no_hint: Callable[[], None] | None = None,
        hasty: Callable[[], Decision] | None = None,
    ) -> Callable[[], None]:
        """Have `done` called with the bot's decision: at once, or later from the event loop.

        With `no_hint` this is a hint, which comes after all moves; `no_hint` is called if there is
        none in time. `hasty` makes a move within milliseconds if the bot has found none, and if
        such moves have not taken too much of the event loop's time already.
        Call what is returned if nobody waits for the decision any more.
        """
        hurried = None if hasty is None else partial(self._in_a_hurry, hasty)
        pending = PendingAnswer(question, done, self._observe, no_hint, hurried)
        game, strength = question.position.game, question.strength
        if not thinks_apart(game, strength) and thinking.bot_of(game, strength).in_place:
            pending.think()
            return pending.drop
        repeatable = question.budget != Budget()
        meanwhile = self.meanwhile(game, strength, repeatable=repeatable)
        if meanwhile is None:
            deadline = REPEATABLE_SECONDS if repeatable else DEADLINE_SECONDS
            self.have_answered(pending, deadline)
        elif meanwhile.strength is None:
            self._waiting[game, strength].append(pending)
            self.prepare(game, strength)
            return partial(self._stop_waiting, pending)
        else:
            pending.think_plainly()
        return pending.drop

    def _stop_waiting(self, pending: PendingAnswer) -> None:
        """Nobody waits for an answer any more, whose bot may not have become ready yet."""
        bot = (pending.question.position.game, pending.question.strength)
        waiting = self._waiting.get(bot, [])
        if pending in waiting:
            waiting.remove(pending)
            if not waiting:
                del self._waiting[bot]
        pending.drop()

    def _ended(self, bot: BotName) -> None:
        """A bot is ready, or cannot be made ready: questions that waited for it are answered."""
        ready = self.meanwhile(*bot, repeatable=True) is None
        for pending in self._waiting.pop(bot, ()):
            if ready:
                self.have_answered(pending, REPEATABLE_SECONDS)
            else:
                pending.think_plainly()
        self.on_ready(bot)

    def _in_a_hurry(self, choose: Callable[[], Decision]) -> Decision | None:
        """A move of `choose`, which runs in the event loop; None if there is no time for it."""
        started = perf_counter()
        if not self._hurry.take(started, 0.0):
            return None
        try:
            return choose()
        finally:
            now = perf_counter()
            self._hurry.charge(now, now - started)
