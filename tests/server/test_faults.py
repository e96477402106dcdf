"""A fault stays where it happens: rules that raise cost their own table, and nobody else anything.

The rules raise at the n-th call of each of their methods. Afterwards every command has one answer,
nobody misses a number, the other table has gone on, nothing is left waiting, the log replays.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from engine import GAMES, AnyGame
from tests.counts import NIGHT
from tests.server.failing import METHODS
from tests.server.fault_story import Stage, Story, on_stage
from tests.server.recorded_match import recorded_match
from tests.server.table.minimal_games import SmallGame

Tell: TypeAlias = Callable[[Stage, Callable[[], None]], Awaitable[Story]]
"""Tells a story at a stage, and calls when the rules are to be counted from there on."""

DRAWN = 100
"""Calls at which the rules of a game that ships raise by day; `make nightly` tries all."""
MOVES = 3
"""Rounds of a story that begins in the middle of a match."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules raise at call `at` of a method while this story is played."""

    method: str
    at: int
    tell: Tell
    place: str = ""


async def test_rules_that_raise_at_any_call_cost_their_own_table(
    tmp_path: Path, sampling_bots: dict[str, AnyGame]
) -> None:
    """Every call of every method of a small game, from the opening of a table to a rematch."""
    tests = Tests(tmp_path, SmallGame(), 2, sampling_bots)

    async def tell(stage: Stage, arm: Callable[[], None]) -> Story:
        arm()
        story = Story(stage, Random(1))
        await story.from_the_lobby()
        return story

    faults = await tests.faults_of({"lobby": tell})
    assert {fault.method for fault in faults} == set(METHODS)
    failures = await tests.failures(faults)
    assert not failures, report(failures, len(faults))


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("id", [info.id for info in GAMES])
async def test_so_do_those_of_the_games_that_ship(
    tmp_path: Path, sampling_bots: dict[str, AnyGame], id: str
) -> None:
    """Calls drawn from a whole match; by night, every call."""
    game, rng = GAMES.game(id), Random(id)
    tests = Tests(tmp_path, game, min(game.info.usual_seats, 3), sampling_bots)
    match = recorded_match(game, tests.people, rng)

    async def tell(stage: Stage, arm: Callable[[], None], entries: int) -> Story:
        story = Story(stage, Random(entries))
        await story.come_back(match.put(stage, entries))
        arm()
        await story.play(MOVES)
        return story

    places = list(range(match.first, len(match.bodies), MOVES))
    chosen = places if NIGHT else rng.sample(places, min(12, len(places)))
    faults = await tests.faults_of({f"{at}": partial(tell, entries=at) for at in chosen})
    if not NIGHT:
        faults = rng.sample(faults, min(DRAWN, len(faults)))
    failures = await tests.failures(faults)
    assert not failures, report(failures, len(faults))


class Tests:
    """Stories played on a stage, which is built again after a story that has gone wrong."""

    __test__ = False

    def __init__(
        self, folder: Path, game: AnyGame, people: int, sampling_bots: dict[str, AnyGame]
    ) -> None:
        self.people = people
        self._folder = folder
        self._game = game
        self._sampling_bots = sampling_bots
        self._stages = 0

    async def faults_of(self, tells: Mapping[str, Tell]) -> list[Fault]:
        """A fault for every call of every method in stories in which nothing goes wrong.

        Each story has the name of the place where it begins.
        """
        faults: list[Fault] = []
        async with self._stage() as stage:
            for place, tell in tells.items():
                story = await tell(stage, stage.failing.arm)
                calls = stage.failing.calls.copy()
                assert not (problems := list(story.problems())), (place, problems)
                await story.end()
                faults += [
                    Fault(method, at, tell, place)
                    for method in METHODS
                    for at in range(1, calls[method] + 1)
                ]
        return faults

    async def failures(self, faults: Sequence[Fault]) -> list[str]:
        """What went wrong in which story."""
        failures: list[str] = []
        left = list(reversed(faults))
        while left:
            async with self._stage() as stage:
                while left and not (problems := await self._problems(stage, left[-1])):
                    left.pop()
                if left:
                    fault = left.pop()
                    place = f"{fault.place} {fault.method} {fault.at}"
                    failures.append(f"{place}: {'; '.join(problems)}")
        return failures

    async def _problems(self, stage: Stage, fault: Fault) -> list[str]:
        try:
            story = await fault.tell(stage, partial(stage.failing.arm, fault.method, fault.at))
        # Whatever comes out of the server would have ended it, or somebody's connection.
        except Exception as error:
            return [f"the server raised {error!r}"]
        if not stage.failing.raised:
            return ["the rules did not raise"]
        problems = list(story.problems())
        stage.failing.arm()
        await story.end()
        return problems

    def _stage(self) -> AbstractAsyncContextManager[Stage]:
        self._stages += 1
        folder = self._folder / str(self._stages)
        folder.mkdir()
        return on_stage(folder, self._game, self.people, self._sampling_bots)


def report(failures: Sequence[str], of: int) -> str:
    """How many stories went wrong, and some of them in full."""
    return "\n".join((f"{len(failures)} of {of} stories went wrong:", *failures[:40]))
