"""Bots that are asked a question, and bots that answer as a test wants."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bots import Budget, Decision, Position
from engine import Choices, View
from server.bots.pool import BotPool
from server.bots.thinking import BotQuestion
from tests.server.bots.fake_process import FakeProcess

LEGAL = ("play 2C", "play 3C")
QUESTION = BotQuestion(0, Position("black_queen", 0, View(), Choices(LEGAL)), b"seed")


@dataclass
class Odd:
    """A bot that answers `says`, or raises it."""

    says: str | Exception
    in_place: bool = True
    needs_facts: bool = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        if isinstance(self.says, Exception):
            raise self.says
        return Decision(self.says)


SLOW = Odd("unused", in_place=False)
"""A bot that thinks in another process."""


@dataclass
class Asking:
    """Asks a pool and keeps the answers, the strengths that played, and how late each was.

    With the fixture `slow` bots think in the processes `fakes`, for which the test answers.
    """

    pool: BotPool
    lateness: list[str]
    fakes: list[FakeProcess] = field(default_factory=list)
    answers: list[Decision] = field(default_factory=list)
    strengths: list[int] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self, question: BotQuestion = QUESTION, **fields: Any) -> Callable[[], None]:
        """Ask; what drops the question."""
        return self.pool.ask(question, self._answer, **fields)

    def answer(self, result: object) -> None:
        """Have the process that was started last answer so."""
        self.fakes[-1].answer(result)

    @property
    def moves(self) -> list[str]:
        """The moves that were answered."""
        return [decision.action for decision in self.answers]

    def _answer(self, decision: Decision, strength: int) -> None:
        self.answers.append(decision)
        self.strengths.append(strength)
        self.answered.set()
