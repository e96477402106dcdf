"""Errors in the rules affect only their own table.

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
from protocol.to_server import TableSettings
from tests.counts import NIGHT
from tests.games.catalogue import SERVER_SUBJECTS
from tests.server.faults.failing_game import METHODS
from tests.server.faults.harness import FaultHarness, open_harness
from tests.server.faults.invariants import problems_of
from tests.server.faults.scenario import Scenario
from tests.server.log_builder import LogBuilder
from tests.server.table.minimal_games import SmallGame

Play: TypeAlias = Callable[[FaultHarness, Callable[[], None]], Awaitable[Scenario]]
"""Plays a scenario, and calls when the calls of the rules are to be counted from there on."""

DRAWN = 40
"""Calls at which the rules of a game that ships raise by day; `make nightly` tries all."""
MOVES = 3
"""Rounds of a scenario that begins in the middle of a match."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the rules raise at call `at` of a method in this scenario."""

    method: str
    at: int
    play: Play
    place: str = ""


async def test_rules_that_raise_at_any_call_cost_their_own_table(
    tmp_path: Path, sampling_bots: dict[str, AnyGame]
) -> None:
    """An error at any call of a small game's rules affects only its table."""
    search = FaultSearch(tmp_path, SmallGame(), 2, sampling_bots)

    async def play(harness: FaultHarness, arm: Callable[[], None]) -> Scenario:
        arm()
        scenario = Scenario(harness, Random(1))
        await scenario.play_from_lobby()
        return scenario

    faults = await search.faults_of({"lobby": play})
    assert {fault.method for fault in faults} == set(METHODS)
    failures = await search.failures(faults)
    assert not failures, report(failures, len(faults))


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("id", [info.id for info in GAMES])
async def test_so_do_those_of_the_games_that_ship(
    tmp_path: Path, sampling_bots: dict[str, AnyGame], id: str
) -> None:
    """An error at random calls of the games that ship affects only their table."""
    game, rng = GAMES.game(id), Random(id)
    search = FaultSearch(tmp_path, game, min(game.info.usual_seats, 3), sampling_bots)
    log = random_log(game, search.people, rng)
    first = len(log.entries)
    log.finish()

    async def play(harness: FaultHarness, arm: Callable[[], None], entries: int) -> Scenario:
        scenario = Scenario(harness, Random(entries))
        await scenario.resume_table(harness.store_table(log, entries))
        arm()
        await scenario.play_rounds(MOVES)
        return scenario

    places = list(range(first, len(log.entries), MOVES))
    chosen = places if NIGHT else rng.sample(places, min(6, len(places)))
    faults = await search.faults_of({f"{at}": partial(play, entries=at) for at in chosen})
    if not NIGHT:
        faults = rng.sample(faults, min(DRAWN, len(faults)))
    failures = await search.failures(faults)
    assert not failures, report(failures, len(faults))


def random_log(game: AnyGame, people: int, rng: Random) -> LogBuilder:
    """The log of a match of people and bots that has just begun."""
    bots = ["Ada"] * (game.info.usual_seats - people)
    settings = TableSettings(turn_seconds=20, hints=True)
    short = SERVER_SUBJECTS[game.info.id].short
    log = LogBuilder(game, ("Ann", "Bea", "Cid")[:people], bots, short, rng, settings)
    log.start()
    return log


class FaultSearch:
    """Plays scenarios with a harness, which is rebuilt after a failure."""

    def __init__(
        self, folder: Path, game: AnyGame, people: int, sampling_bots: dict[str, AnyGame]
    ) -> None:
        self.people = people
        self._folder = folder
        self._game = game
        self._sampling_bots = sampling_bots
        self._harnesses = 0

    async def faults_of(self, plays: Mapping[str, Play]) -> list[Fault]:
        """A fault for every call of every method in scenarios without faults.

        `plays` has each scenario under the name of the place where it begins.
        """
        faults: list[Fault] = []
        async with self._harness() as harness:
            for place, play in plays.items():
                scenario = await play(harness, harness.failing.arm)
                calls = harness.failing.calls.copy()
                assert not (problems := list(problems_of(scenario))), (place, problems)
                await scenario.everybody_leaves()
                faults += [
                    Fault(method, at, play, place)
                    for method in METHODS
                    for at in range(1, calls[method] + 1)
                ]
        return faults

    async def failures(self, faults: Sequence[Fault]) -> list[str]:
        """The failures by scenario."""
        failures: list[str] = []
        left = list(reversed(faults))
        while left:
            async with self._harness() as harness:
                while left and not (problems := await self._problems(harness, left[-1])):
                    left.pop()
                if left:
                    fault = left.pop()
                    place = f"{fault.place} {fault.method} {fault.at}"
                    failures.append(f"{place}: {'; '.join(problems)}")
        return failures

    async def _problems(self, harness: FaultHarness, fault: Fault) -> list[str]:
        try:
            scenario = await fault.play(
                harness, partial(harness.failing.arm, fault.method, fault.at)
            )
        # Whatever comes out of the server would have ended it, or somebody's connection.
        except Exception as error:
            return [f"the server raised {error!r}"]
        if not harness.failing.raised:
            return ["the rules did not raise"]
        problems = list(problems_of(scenario))
        harness.failing.arm()
        await scenario.everybody_leaves()
        return problems

    def _harness(self) -> AbstractAsyncContextManager[FaultHarness]:
        self._harnesses += 1
        folder = self._folder / str(self._harnesses)
        folder.mkdir()
        return open_harness(folder, self._game, self.people, self._sampling_bots)


def report(failures: Sequence[str], of: int) -> str:
    """The number of failed scenarios, and some of them in full."""
    return "\n".join((f"{len(failures)} of {of} scenarios went wrong:", *failures[:40]))
