"""Reviews on a server whose test process judges, quickly."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bots import Budget
from bots.generic.ismcts import TreeSearcher
from bots.review import Judgement, judge
from server.bots.thinking import ReviewQuestion
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


class Judging(ServerHarness):
    """A server that judges at once with few samples; `asked` are the questions put to bots.

    Questions whose number is in `failing` have no answer.
    """

    asked: list[ReviewQuestion]
    failing: set[int]


@asynccontextmanager
async def judging_server(folder: Path, **settings: Any) -> AsyncIterator[Judging]:
    """A server on the database in `folder`."""
    async with open_server(folder, **settings) as server:
        server.__class__ = Judging
        assert isinstance(server, Judging)
        server.asked, server.failing = [], set()
        pool: Any = server.pool

        async def quickly(question: ReviewQuestion) -> Judgement | None:
            server.asked.append(question)
            if question.number in server.failing:
                return None
            game = server.library.game(question.moment.position.game)
            few = Budget(samples=4)
            return judge(TreeSearcher(game), question.moment, few, question.aim, question.number)

        pool.judge = quickly
        pool.is_cold = lambda game, strength: False
        pool.substitute = lambda game, strength, repeatable: None
        yield server


async def whole_review(server: ServerHarness, client: TestClient, code: str, **fields: Any) -> Any:
    """The last page of a review with all decisions, requested until it is complete."""
    decisions: list[Any] = []
    while True:
        page = await client.ask("review", table=code, after=len(decisions), **fields)
        assert page["type"] == "review", page
        decisions += page.get("decisions", ())
        if "summary" in page and not page.get("more"):
            return {**page, "decisions": decisions}
        if not page.get("more"):
            await server.game_server.reviews.work()
