"""The contents of `/metrics`, which equal what was counted."""

import asyncio
import platform
from importlib.metadata import version

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.ops.collectors import by_phase, by_strength
from server.ops.metrics import Metrics, watch_loop


def figures(metrics: Metrics) -> dict[str, float]:
    """Every sample of ours by name and labels."""
    _, body = metrics.render()
    return {
        sample.name.removeprefix("blackqueen_")
        + "".join(
            f" {label}={value}" for label, value in sorted(sample.labels.items())
        ): sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


def test_what_is_counted_is_told() -> None:
    """Commands, moves and commits are counted with their labels."""
    metrics = Metrics()
    metrics.command("act", "ok", 0.004)
    metrics.command("act", "ok", 0.0025)
    metrics.command("act", "illegal_action", 9.0)
    metrics.moves.inc()
    metrics.bot_moves.inc(2)
    metrics.connections.inc()
    metrics.committed(200, 3, 0.004)
    told = figures(metrics)
    assert told["commands_total result=ok type=act"] == 2
    assert told["commands_total result=illegal_action type=act"] == 1
    assert told["command_seconds_bucket le=0.001 type=act"] == 0
    assert told["command_seconds_bucket le=0.0025 type=act"] == 1
    assert told["command_seconds_bucket le=0.005 type=act"] == 2
    assert told["command_seconds_bucket le=5.0 type=act"] == 2
    assert told["command_seconds_bucket le=+Inf type=act"] == 3
    assert told["command_seconds_count type=act"] == 3
    assert told["command_seconds_sum type=act"] == pytest.approx(9.0065)
    assert told["moves_total by=person"] == 1
    assert told["moves_total by=bot"] == 2
    assert told["connections"] == 1
    assert told["failed_writes_total"] == 3
    assert told["commit_writes_sum"] == 200
    assert told["commit_writes_bucket le=128.0"] == 0
    assert told["commit_writes_bucket le=256.0"] == 1
    assert told["commit_seconds_bucket le=0.002"] == 0
    assert told["commit_seconds_bucket le=0.004"] == 1


def test_the_build_is_told_by_labels() -> None:
    """The build's version is a label."""
    labels = f"build_info python={platform.python_version()} version={version('blackqueen')}"
    assert figures(Metrics())[labels] == 1


def test_choices_of_bots_are_told_by_game_and_strength() -> None:
    """Bots' moves are counted and timed by game and strength; all described games are one."""
    metrics = Metrics()
    metrics.bot_chose("hearts", 2, 0.5)
    metrics.bot_chose("hearts", 2, 0.25, "late")
    metrics.bot_chose("Agram3.rcy@0123", 1, 1.0)
    metrics.bot_chose("Golf2.rcy@4567", 1, 1.0)
    told = figures(metrics)
    assert told["bot_choices_total game=hearts strength=2"] == 2
    assert told["bot_choice_seconds_total game=hearts strength=2"] == 0.75
    assert told["bot_choices_total game=described strength=1"] == 2
    assert told["bot_seconds_count"] == 4
    assert told["late_bots_total"] == 1


def test_seated_bots_are_counted_when_asked() -> None:
    """Seated bots are counted by game and strength when fetched."""
    metrics = Metrics()
    bots = {("hearts", 2): 3, ("Agram3.rcy@0123", 1): 1, ("Golf2.rcy@4567", 1): 2}
    metrics.watch(lambda: by_strength(bots))
    told = figures(metrics)
    assert told["bots game=hearts strength=2"] == 3
    assert told["bots game=described strength=1"] == 3


def test_what_did_not_happen_is_told_as_zero() -> None:
    """What did not happen is 0, not missing."""
    told = figures(Metrics())
    for name in (
        "late_bots_total",
        "slow_clients_total outcome=dropped",
        "slow_clients_total outcome=snapshot",
        "moves_total by=bot",
        "loop_lag_seconds_count",
        "loop_lag_worst_seconds",
    ):
        assert told[name] == 0


def test_tables_are_counted_when_asked() -> None:
    """Tables by phase are counted when fetched."""
    metrics = Metrics()
    phases = {"lobby": 1}
    metrics.watch(lambda: by_phase(phases))
    assert figures(metrics)["tables phase=lobby"] == 1
    phases["lobby"] = 4
    assert figures(metrics)["tables phase=lobby"] == 4


def test_two_servers_in_a_process_count_apart() -> None:
    """Two servers in a process have separate figures."""
    one, other = Metrics(), Metrics()
    one.events.inc()
    assert (figures(one)["events_total"], figures(other)["events_total"]) == (1, 0)


def test_process_tells_its_time_and_memory() -> None:
    """The process's time and memory are given as totals."""
    told = figures(Metrics())
    assert told["process_cpu_seconds_total"] > 0
    assert told["process_resident_memory_bytes"] > 1_000_000


def test_content_type_is_the_one_prometheus_expects() -> None:
    """The content type is Prometheus's, with a version."""
    content_type, _ = Metrics().render()
    assert content_type.startswith("text/plain; version=")


def test_lags_are_told_with_the_worst_of_them() -> None:
    """Lags are a histogram with the worst one."""
    metrics = Metrics()
    for seconds in (0.0, 0.015, 0.06, 0.03):
        metrics.lagged(seconds)
    told = figures(metrics)
    assert told["loop_lag_seconds_bucket le=0.02"] == 2
    assert told["loop_lag_seconds_bucket le=0.1"] == 4
    assert told["loop_lag_worst_seconds"] == 0.06


async def test_lag_is_how_late_the_loop_woke() -> None:
    """The lag is how late the loop woke: by 0, 0.25 and 0 s for 0.1, 0.35 and 0.05 s."""
    times = iter([10.0, 10.1, 20.0, 20.35, 30.0, 30.05, 40.0])
    naps = [0]
    seen: list[float] = []

    async def sleep(seconds: float) -> None:
        assert seconds == 0.1
        naps[0] += 1
        if naps[0] == 4:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await watch_loop(seen.append, interval=0.1, clock=lambda: next(times), sleep=sleep)
    assert seen == pytest.approx([0.0, 0.25, 0.0])
