"""Faults of our own stay where they happen too: one exception anywhere costs one table, one command
or one connection, and whoever it was comes back and sends it again.

Every function below raises once, at some call, while people play, chat, watch and are away. Those
who were hung up on connect anew and repeat what they have no answer to, as every client does.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog

from engine import AnyGame
from tests.counts import count
from tests.server.failing import Small
from tests.server.fault_story import Stage, Story, on_stage

DRAWN = 4
"""Calls of each function that raise; with a factor of twenty most have no more."""

PLACES = (
    "server.audience:info_of",
    "server.audience:question_for",
    "server.audience:seen_by",
    "server.snapshots:snapshot_for",
    "server.audiences:Audiences.dismiss",
    "server.audiences:Audiences.part",
    "server.audiences:Audiences.publish",
    "server.audiences:Audiences.tell",
    "server.connection:Connection.falls_behind",
    "server.connection:Connection.flush",
    "server.connection:Connection.put",
    "server.connection:Connection.put_encoded",
    "server.desk:Desk.chat",
    "server.hints:Hints.ask",
    "server.hints:_hint",
    "server.desk:Desk.sync",
    "server.desk:Desk.watch",
    "server.metrics:Metrics.command",
    "server.people:People.put",
    "server.reception:Reception._tell_missed",
    "server.slow_readers:SlowReaders.look",
    "server.spectators:SpectatorCounts.look",
    "server.table.clocks:Clocks.moved_on",
    "server.table.clocks:Clocks.seconds_left",
    "server.table.clocks:Clocks.due",
    "server.table.clocks:Clocks.went_away",
    "server.table.decide:Clerk.decide",
    "server.table.table:advance",
    "server.table.table:asks_due",
    "server.table.table:entries_due",
    "server.tables:info_of",
    "server.tables:players_of",
    "server.bot_questions:request_for",
    "server.effect_runner:EffectRunner._count",
    "server.effect_runner:write_of",
    "server.tables:Tables._rest",
    "server.tables:Tables.note",
)


class OnceBroken:
    """A function that raises at one of its calls, counted from when it was armed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.calls = 0
        self._function = function
        self._at = 0

    def arm(self, at: int) -> None:
        self.calls, self._at = 0, at

    def method(self) -> Callable[..., Any]:
        """As a plain function, which a class binds to its objects."""

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self._at:
                raise ZeroDivisionError("a mistake of ours")
            return self._function(*args, **kwargs)

        return call


def broken(monkeypatch: pytest.MonkeyPatch, place: str) -> OnceBroken:
    """The function at ``module:name`` or ``module:Class.name``, broken once it is armed."""
    module, _, path = place.partition(":")
    owner: Any = import_module(module)
    *classes, name = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    function = OnceBroken(getattr(owner, name))
    monkeypatch.setattr(owner, name, function.method())
    return function


@pytest.mark.parametrize("place", PLACES)
async def test_an_exception_costs_whom_it_concerns(
    tmp_path: Path,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
    sampling_bots: dict[str, AnyGame],
    log_events: list[structlog.typing.EventDict],
) -> None:
    """All commands are answered, all numbers seen, both tables go on, and the log tells of it."""
    function = broken(monkeypatch, place)
    async with on_stage(tmp_path, Small(), 2, sampling_bots) as stage:
        function.arm(0)
        await told(stage)
        calls = function.calls
        assert calls, "this story does not come by here"
        numbers = range(1, calls + 1)
        for at in Random(place).sample(numbers, min(count(DRAWN), calls)):
            function.arm(at)
            del log_events[:]
            story = await told(stage)
            assert function.calls >= at
            assert not (problems := list(story.problems())), (at, problems)
            assert [event for event in log_events if "exc_info" in event], f"{at}: not in the log"


async def told(stage: Stage) -> Story:
    story = Story(stage, Random(1))
    await story.from_the_lobby()
    await story.come_again()
    # Some of what went wrong is tried again after a moment.
    await stage.house.wait(2)
    await story.come_again()
    await story.end()
    await story.come_again()
    return story
