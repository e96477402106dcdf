"""The queue of jobs for the bots' processes, with lanes that are served in turn."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from server.ops.tracing import CAUSE, Cause

BotName: TypeAlias = tuple[str, int]
"""A bot by its game and its strength."""


class Load(NamedTuple):
    """The load of the processes when a job begins, including that job.

    `questions` wait or are being answered, `lane` of them in the job's own lane, which has one
    process at a time. Of the `processes` only `long` do jobs of more than `short_seconds`.
    """

    questions: int
    lane: int
    processes: int
    long: int
    short_seconds: float = 0.5


def _result() -> "asyncio.Future[object]":
    return asyncio.get_running_loop().create_future()


@dataclass(eq=False, slots=True)
class Job:
    """A call `work(*arguments)` to be done in another process; `result` is its future result.

    A job belongs to a lane, a table or a described game; lanes take turns. A hint comes after every
    move, and a `review` after every hint. `loads` names the bot whose kernels a process loads for
    it, unless it has them already.
    `attempts` counts the processes it was given to. `fitted` gives the arguments instead, by the
    load when the job begins. `found` is what the job has said of its result so far.
    `cause` is what log lines about the job belong to.
    """

    work: Callable[..., object]
    arguments: tuple[Any, ...]
    lane: str = ""
    hint: bool = False
    review: bool = False
    loads: BotName | None = None
    fitted: Callable[[Load], tuple[Any, ...]] | None = None
    result: "asyncio.Future[object]" = field(default_factory=_result)
    found: list[object] = field(default_factory=list)
    attempts: int = 0
    cause: Cause | None = field(default_factory=CAUSE.get)

    @property
    def wanted(self) -> bool:
        """Whether a caller still waits for the result."""
        return not self.result.done()

    def end(self, result: object) -> None:
        """Finish the job and set its result, unless no caller waits for it any more."""
        if self.wanted:
            self.result.set_result(result)


class JobQueue:
    """The queue of waiting jobs; within a lane, the first that was added comes first."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[str, deque[Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._lanes.values()))

    def waiting(self, lane: str) -> int:
        """Return the number of waiting jobs of a lane."""
        return len(self._lanes.get(lane, ()))

    def put(self, job: Job) -> None:
        """Add a job as the last of its lane."""
        self._lanes.setdefault(job.lane, deque()).append(job)

    def put_back(self, job: Job) -> None:
        """Put a job back as the next one, before all other lanes."""
        self._lanes.setdefault(job.lane, deque()).appendleft(job)
        self._lanes.move_to_end(job.lane, last=False)

    def take(self, allowed: Callable[[str], bool]) -> Job | None:
        """Take the next job of the next `allowed` lane, whose next turn comes after all others."""
        lane = next((lane for lane in self._lanes if allowed(lane)), None)
        if lane is None:
            return None
        jobs = self._lanes[lane]
        job = jobs.popleft()
        self._lanes.move_to_end(lane)
        if not jobs:
            del self._lanes[lane]
        return job

    def remove(self, job: Job) -> bool:
        """Remove a job that no caller waits for; return False if it is not in the queue."""
        jobs = self._lanes.get(job.lane, deque())
        if job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del self._lanes[job.lane]
        return True
