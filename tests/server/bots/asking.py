"""Requests to a pool of bots, and bots with scripted answers."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from bots import Budget, Decision, Position
from engine import AnyGame, Choices, View
from server.bots.pool import BotPool
from server.bots.thinking import BotQuestion
from tests.server.bots.fake_process import FakeProcess

Result = TypeVar("Result")
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


async def turns() -> None:
    """Let the event loop run everything that can be done now."""
    for _ in range(8):
        await asyncio.sleep(0)


async def begun(work: Coroutine[Any, Any, Result]) -> "asyncio.Task[Result]":
    """A task that has run as far as it can for now."""
    task = asyncio.get_running_loop().create_task(work)
    await turns()
    return task


@dataclass
class Asking:
    """Asks a pool and records the answers, the strengths that played, and their delays.

    With the fixture `slow` bots think in the processes `fakes`, for which the test answers.
    """

    pool: BotPool
    lateness: list[str]
    fakes: list[FakeProcess] = field(default_factory=list)
    answers: list[Decision] = field(default_factory=list)
    strengths: list[int] = field(default_factory=list)

    async def ask(
        self, question: BotQuestion = QUESTION, rules: AnyGame | None = None
    ) -> asyncio.Task[None]:
        """Ask a bot; returns the task that waits for the answer."""
        return await begun(self.play(question, rules))

    async def play(self, question: BotQuestion, rules: AnyGame | None = None) -> None:
        """Ask a bot and wait for the answer."""
        choice = await self.pool.choose(question, rules)
        self.answers.append(choice.decision)
        self.strengths.append(choice.strength)

    async def answer(self, result: object) -> None:
        """Answer as the process that was started last."""
        self.fakes[-1].answer(result)
        await turns()

    @property
    def moves(self) -> list[str]:
        """The moves that were answered."""
        return [decision.action for decision in self.answers]
