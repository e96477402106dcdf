"""Internal errors affect one table, one command or one connection, and clients can send
the command again.

Every function below raises once, at some call, while people play, chat, watch and are away. Clients
that were disconnected reconnect and repeat every unanswered command, as real clients do.
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
from tests.server.faults.harness import FaultHarness, open_harness
from tests.server.faults.invariants import problems_of
from tests.server.faults.scenario import Scenario
from tests.server.table.minimal_games import SmallGame

DRAWN = 4
"""Calls of each function that raise, times the factor of the run."""

PLACES = (
    "server.sessions.broadcaster:info_of",
    "server.sessions.broadcaster:with_choices",
    "server.sessions.broadcaster:seen_by",
    "server.sessions.snapshot_cache:snapshot_for",
    "server.sessions.subscribers:Subscribers.unsubscribe_player",
    "server.sessions.subscribers:Subscribers.unsubscribe",
    "server.sessions.broadcaster:Broadcaster.publish",
    "server.sessions.subscribers:Subscribers.broadcast",
    "server.sessions.connection:Connection.falls_behind",
    "server.sessions.connection:Connection.flush",
    "server.sessions.connection:Connection.put",
    "server.sessions.connection:Connection.put_encoded",
    "server.lobby.service:LobbyService.chat",
    "server.tables.hints:Hints.ask",
    "server.tables.hints:hint_message",
    "server.lobby.service:LobbyService.sync",
    "server.lobby.service:LobbyService.watch",
    "server.ops.metrics:Metrics.command",
    "server.sessions.connection:Connection.tell",
    "server.sessions.connection:Connection.tell_encoded",
    "server.commands.resume:Resume._tell_missed",
    "server.sessions.slow_readers:SlowReaders.check",
    "server.sessions.spectator_counts:SpectatorCounts.announce",
    "server.table.clocks:Clocks.moved_on",
    "server.table.clocks:Clocks.seconds_left",
    "server.table.clocks:Clocks.due",
    "server.table.clocks:Clocks.went_away",
    "server.table.decide:Decider.decide",
    "server.table.decide:Decider.move",
    "server.table.table:advance",
    "server.table.table:bots_to_ask",
    "server.table.table:entries_due",
    "server.tables.live_tables:info_of",
    "server.tables.live_tables:players_of",
    "server.bots.questions:bot_question",
    "server.tables.effect_runner:EffectRunner._count",
    "server.tables.effect_runner:entry_rows",
    "server.tables.effect_runner:write_of",
    "server.tables.live_tables:LiveTables._on_idle",
    "server.tables.live_tables:LiveTables.update_directory",
)


class OnceBroken:
    """A function that raises once, at one of its calls after it was armed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.calls = 0
        self._function = function
        self._at = 0

    def arm(self, at: int) -> None:
        self.calls, self._at = 0, at

    def method(self) -> Callable[..., Any]:
        """A plain function, which a class binds to its objects."""

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self._at:
                raise ZeroDivisionError("a mistake of ours")
            return self._function(*args, **kwargs)

        return call


def broken(monkeypatch: pytest.MonkeyPatch, place: str) -> OnceBroken:
    """The function at ``module:name`` or ``module:Class.name``, replaced by a breakable one."""
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
    """After an exception all commands are answered, both tables go on, and it is logged."""
    function = broken(monkeypatch, place)
    async with open_harness(tmp_path, SmallGame(), 2, sampling_bots) as harness:
        function.arm(0)
        await play_through(harness)
        calls = function.calls
        assert calls, "this story does not come by here"
        drawn = Random(place).sample(range(1, calls + 1), min(count(DRAWN), calls))
        raised = 0
        for at in drawn:
            function.arm(at)
            del log_events[:]
            scenario = await play_through(harness)
            if function.calls < at:
                # What is remembered for a moment is made a few times less in some stories.
                continue
            raised += 1
            assert not (problems := list(problems_of(scenario))), (at, problems)
            assert [event for event in log_events if "exc_info" in event], f"{at}: not in the log"
        assert raised >= 0.75 * len(drawn), "the function was called too seldom to raise"


async def play_through(harness: FaultHarness) -> Scenario:
    scenario = Scenario(harness, Random(1))
    await scenario.play_from_lobby()
    await scenario.reconnect_closed()
    # Some of what went wrong is tried again after a moment.
    await harness.server.wait(2)
    await scenario.reconnect_closed()
    await scenario.everybody_leaves()
    await scenario.reconnect_closed()
    return scenario
