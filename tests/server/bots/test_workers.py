"""The order of jobs for a process; a lost process costs only its own job."""

import asyncio
import signal
import time

import pytest
import structlog

from server.bots import workers
from server.bots.job_queue import Job
from server.bots.process import LOST
from server.bots.thinking import serve
from server.bots.workers import Processes
from tests.server.bots.asking import begun, turns
from tests.server.bots.fake_process import FakeProcess, done_by, pid_of


def job(name: str, heard: list[object], lane: str = "", hint: bool = False) -> Job:
    """A job named by its argument, whose result is recorded."""
    job = Job(str, (name,), lane, hint)
    note(job, heard)
    return job


def note(job: Job, heard: list[object]) -> None:
    """Record the result of a job, unless it was dropped."""
    job.result.add_done_callback(
        lambda result: None if result.cancelled() else heard.append(result.result())
    )


async def drop(task: "asyncio.Task[object]") -> None:
    """Drop a job."""
    task.cancel()
    await asyncio.sleep(0)


def order_of(process: FakeProcess, jobs: int) -> list[str]:
    """Let a process do this many jobs; returns their names in order."""
    for _ in range(jobs):
        process.work()
    return [arguments[0] for _, arguments in process.jobs]


async def test_lanes_take_turns(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Lanes take turns, so that a table with many requests delays only itself."""
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        one.submit(job(name, heard, lane=name[0]))
    assert order_of(fakes[0], 6) == ["a1", "a2", "b1", "c1", "a3", "b2"]
    assert len(fakes) == 1


async def test_moves_come_before_hints(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Moves of all tables come before hints."""
    for name in ("h1", "h2", "m1", "m2"):
        one.submit(job(name, heard, hint=name[0] == "h"))
    assert one.hints_waiting == 1
    assert order_of(fakes[0], 4) == ["h1", "m1", "m2", "h2"]
    assert one.hints_waiting == 0


async def test_hints_have_half_of_the_processes(
    fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Hints use at most half of the processes."""
    processes = Processes(2, serve)
    for name in ("h1", "h2", "h3"):
        processes.submit(job(name, heard, lane=name, hint=True))
    assert len(fakes) == 1
    processes.submit(job("m1", heard))
    assert fakes[1].job == ("m1",)


async def test_a_lane_has_no_more_than_its_share(
    fakes: list[FakeProcess], heard: list[object]
) -> None:
    """A lane has no more processes than its share."""
    processes = Processes(2, serve, lane_share=1)
    for name in ("a1", "a2", "b1", "b2"):
        processes.submit(job(name, heard, lane=name[0]))
    assert [process.job for process in fakes] == [("a1",), ("b1",)]
    fakes[1].work()
    assert fakes[1].job == ("b2",)
    fakes[1].work()
    assert len(fakes[1].jobs) == 2
    fakes[0].work()
    assert ("a2",) in (fakes[0].job, fakes[1].job)


async def test_a_chore_takes_turns_with_other_jobs(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Loading kernels takes turns with other jobs."""
    for name in ("m1", "m2", "m3"):
        one.submit(job(name, heard))
    for name in ("c1", "c2", "c3"):
        one.chore(one.workers[0], job(name, heard))
    assert order_of(fakes[0], 6) == ["m1", "c1", "m2", "c2", "m3", "c3"]


async def test_a_lost_process_costs_no_other_job(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """A lost process costs no other job, and the new one does its job first."""
    for name in ("a1", "b1"):
        one.submit(job(name, heard, lane=name[0]))
    fakes[0].end()
    assert order_of(fakes[1], 2) == ["a1", "b1"]
    await turns()
    assert heard == ["a1", "b1"]


async def test_a_job_that_ends_two_processes_has_failed(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """A job that ends two processes has failed, and the one behind it goes on."""
    for name in ("a1", "b1"):
        one.submit(job(name, heard, lane=name[0]))
    for process in (0, 1):
        fakes[process].end()
    fakes[2].work()
    await turns()
    assert heard == [LOST, "b1"]


async def test_a_dropped_job_is_not_begun(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """A dropped job is not begun."""
    tasks = [await begun(one.run(job(name, heard))) for name in ("a", "b", "c")]
    await drop(tasks[1])
    assert order_of(fakes[0], 2) == ["a", "c"]
    await turns()
    assert heard == ["a", "c"]


async def test_work_that_nobody_waits_for_is_stopped(
    one: Processes,
    fakes: list[FakeProcess],
    heard: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dropped job in progress gets a moment to end, then its process is replaced."""
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.0)
    endless = await begun(one.run(job("endless", heard)))
    one.submit(job("after", heard))
    await drop(endless)
    assert not fakes[0].killed.is_set()
    await fakes[0].killed.wait()
    await asyncio.sleep(0)
    fakes[1].work()
    await turns()
    assert heard == ["after"]


async def test_work_that_ends_in_time_keeps_its_process(
    one: Processes,
    fakes: list[FakeProcess],
    heard: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dropped job that ends in time keeps its process."""
    monkeypatch.setattr(workers, "GRACE_SECONDS", 0.0)
    await drop(await begun(one.run(job("dropped", heard))))
    fakes[0].work()
    one.submit(job("next", heard))
    await turns()
    fakes[0].work()
    await turns()
    assert heard == ["next"]
    assert not fakes[0].killed.is_set()


async def test_a_process_that_cannot_be_started_fails_the_job(
    one: Processes,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process that cannot be started fails the job, and the server goes on."""

    def refuse(*arguments: object) -> FakeProcess:
        raise OSError("no more processes")

    monkeypatch.setattr(Processes, "_start", refuse)
    assert await done_by(one, str, "a") == LOST
    assert "no more processes" in str(log_events)


async def test_closed_processes_begin_nothing(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """After closing no job starts a process."""
    one.submit(job("a", heard))
    one.close()
    assert fakes[0].killed.is_set()
    one.submit(job("b", heard))
    assert len(fakes) == 1


async def test_kernels_are_loaded_to_the_end(
    one: Processes, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading kernels is not stopped by late requests."""
    for seconds in ("GRACE_SECONDS", "SEARCH_SECONDS"):
        monkeypatch.setattr(workers, seconds, 0.0)
    jobs = [Job(str, ("",), loads=("whist", 3)) for _ in range(2)]
    await drop(await begun(one.run(jobs[0])))
    await turns()
    assert not fakes[0].killed.is_set()
    fakes[0].work()
    await drop(await begun(one.run(jobs[1])))
    await fakes[0].killed.wait()


async def test_a_process_that_starts_is_not_stopped(one: Processes) -> None:
    """A process that is still starting is not stopped for a dropped job."""
    deadly = await begun(one.run(Job(signal.raise_signal, (signal.SIGKILL,))))
    pids = one.pids
    await drop(deadly)
    assert await pid_of(one) == pids[0]
    assert deadly.cancelled()


async def test_what_takes_long_leaves_processes_to_the_rest(
    fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Games that think long share half of the processes."""
    processes = Processes(2, serve, lane_share=1)
    for name in ("a1", "b1"):
        processes.submit(job(name, heard, lane=name[0]))
    for process in fakes:
        process.seconds = 2.0
        process.work()
        process.seconds = 0.0
    for name in ("a2", "b2", "c1", "c2"):
        processes.submit(job(name, heard, lane=name[0]))
    assert [process.job for process in fakes] == [("a2",), ("c1",)]
    fakes[1].work()
    assert fakes[1].job == ("c2",)
    # Once it is quick again it is like all others.
    fakes[0].work()
    fakes[0].work()
    for name in ("a3", "b3"):
        processes.submit(job(name, heard, lane=name[0]))
    fakes[1].work()
    await turns()
    assert heard[-1] == "c2"
    assert {process.job for process in fakes} == {("a3",), ("b3",)}


async def test_a_process_at_work_for_nobody_is_replaced(one: Processes) -> None:
    """A process at work for nobody is replaced, for the job behind it."""
    first = await pid_of(one)
    endless = await begun(one.run(Job(time.sleep, (3600,))))
    await drop(endless)
    assert await pid_of(one) != first
    assert endless.cancelled()


async def test_a_process_that_never_starts_is_replaced(
    one: Processes,
    fakes: list[FakeProcess],
    heard: list[object],
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process that never starts is replaced, and its job gets another."""
    monkeypatch.setattr(workers, "START_SECONDS", 0.0)
    monkeypatch.setattr(FakeProcess, "ready", False)
    one.submit(job("a", heard))
    fakes[0].ready = False
    monkeypatch.setattr(FakeProcess, "ready", True)
    await fakes[0].killed.wait()
    await asyncio.sleep(0)
    fakes[1].work()
    await turns()
    assert heard == ["a"]
    assert [event["event"] for event in log_events] == ["bots_not_started"]


async def test_reviews_come_last(
    one: Processes, fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Reviews come after moves and hints."""
    one.submit(Job(str, ("r1",), review=True))
    one.submit(Job(str, ("r2",), review=True))
    for name in ("h1", "m1"):
        one.submit(job(name, heard, hint=name[0] == "h"))
    assert order_of(fakes[0], 4) == ["r1", "m1", "h1", "r2"]


async def test_reviews_share_half_of_the_processes_with_hints(
    fakes: list[FakeProcess], heard: list[object]
) -> None:
    """Reviews and hints together use at most half of the processes."""
    processes = Processes(2, serve)
    for name in ("r1", "r2", "r3"):
        processes.submit(Job(str, (name,), lane=name, review=True))
    processes.submit(job("h1", heard, hint=True))
    assert len(fakes) == 1
    processes.submit(job("m1", heard))
    assert fakes[1].job == ("m1",)
    fakes[0].work()
    assert fakes[0].job == ("h1",)
