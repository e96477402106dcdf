"""Fake bot processes: a test sees their jobs, answers them, and ends the processes."""

import asyncio
from collections.abc import Callable
from os import getpid
from typing import Any

from server.bots.job_queue import Job
from server.bots.workers import Processes


class FakeProcess:
    """A fake process whose job ends when the test says so."""

    ready = True

    def __init__(self, done: Callable[[object, float], None], lost: Callable[[], None]) -> None:
        self.pid = None
        self.killed = asyncio.Event()
        self.jobs: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
        self.seconds = 0.0
        """What its jobs take the processor."""
        self._done = done
        self.end = lost
        """Call it to have the process end by itself."""

    def do(self, work: Callable[..., object], *arguments: Any) -> None:
        self.jobs.append((work, arguments))

    def kill(self) -> None:
        self.killed.set()

    def wait(self, seconds: float) -> None:
        pass

    def answer(self, result: object) -> None:
        """Give the result of the latest job."""
        self._done(result, self.seconds)

    @property
    def job(self) -> tuple[Any, ...]:
        """The arguments of the latest job."""
        return self.jobs[-1][1]

    def work(self) -> None:
        """Run the latest job in this process and answer."""
        work, arguments = self.jobs[-1]
        self.answer(work(*arguments))


async def done_by(processes: Processes, work: Callable[..., object], *arguments: Any) -> object:
    """The result of a job that real processes run."""
    return await processes.run(Job(work, arguments))


async def pid_of(processes: Processes) -> int:
    """The id of the process that runs the next job."""
    pid = await done_by(processes, getpid)
    assert isinstance(pid, int)
    return pid
