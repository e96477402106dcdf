"""The processes in which bots choose: they get jobs in turn, and lost ones are replaced.

When a process ends, only its own job is affected: another process does it once more, and a new one
is started at once, so that the next job need not wait for that. A job whose result is no longer
needed is removed from the queue; if it has begun, its process has some time to finish it and is
then killed and replaced.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog

from server.bots.job_queue import BotName, Job, JobQueue, Load
from server.bots.process import LOST, BotProcess, Failed, Progress
from server.ops.tracing import caused_by

log = structlog.get_logger()

ATTEMPTS = 2
GRACE_SECONDS = 0.5
"""How long a job that nobody waits for may go on; a new process takes about as long to start."""
SEARCH_SECONDS = 10.0
"""The same where the process has kernels: its searches end by their budgets, and on a busy machine
loading kernels anew would only make it busier."""
LOADING_SECONDS = 60.0
"""The same while kernels are loaded for it: compiled after an installation, they are kept."""
HEAVY_SECONDS = 0.5
"""Processor time of a job from which its lane counts as heavy."""
START_SECONDS = 60.0
"""How long a process may take to start, on however busy a machine."""
CLOSE_SECONDS = 0.5
"""How long a killed process is waited for."""


class Worker:
    """A place for one process, which is started for its first job and again when it is lost.

    `chores` are jobs for this worker only, such as loading kernels; they alternate with others.
    `loaded` are the bots whose kernels the process has.
    """

    def __init__(self) -> None:
        self.process: BotProcess | None = None
        self.job: Job | None = None
        self.chores: deque[Job] = deque()
        self.did_chore = False
        self.loaded: set[BotName | None] = {None}


class Processes:
    """A group of at most `workers` processes; each calls `prepare` first.

    No lane has more than `lane_share` processes at a time. Hints, reviews and heavy lanes together
    have half of the processes, so that short jobs find one. `renewed` is called with a worker whose
    process was lost while it did no chore.
    """

    def __init__(
        self,
        workers: int,
        prepare: Callable[[], None],
        *,
        lane_share: int | None = None,
        renewed: Callable[[Worker], None] = lambda worker: None,
    ) -> None:
        self.workers = tuple(Worker() for _ in range(workers))
        self._prepare = prepare
        self._lane_share = lane_share or workers
        self._heavy_share = max(1, workers // 2)
        self._heavy: set[str] = set()
        self._renewed = renewed
        self._moves = JobQueue()
        self._hints = JobQueue()
        self._reviews = JobQueue()
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that run."""
        pids = (worker.process.pid for worker in self.workers if worker.process is not None)
        return tuple(pid for pid in pids if pid is not None)

    @property
    def hints_waiting(self) -> int:
        """How many hints wait for a process."""
        return len(self._hints)

    async def run(self, job: Job) -> object:
        """Return the result of a job, which is done as soon as its turn comes.

        If the caller is cancelled, the job is no longer needed.
        """
        self.submit(job)
        try:
            return await job.result
        except asyncio.CancelledError:
            self._drop(job)
            raise

    def submit(self, job: Job) -> None:
        """Add a job, which is done as soon as its turn comes."""
        self._queue(job).put(job)
        self._dispatch()

    def chore(self, worker: Worker, job: Job) -> None:
        """Let one worker's process do a job."""
        worker.chores.append(job)
        self._dispatch()

    def _drop(self, job: Job) -> None:
        """Remove a job that is no longer needed from the queue, or let it end soon."""
        if self._queue(job).remove(job):
            return
        for worker in self.workers:
            if worker.job is job:
                self._let_go(worker, job)

    def close(self) -> None:
        """Kill all processes. No further job is done."""
        self._closed = True
        running = [worker.process for worker in self.workers if worker.process is not None]
        for worker in self.workers:
            worker.process = worker.job = None
        for process in running:
            process.kill()
        for process in running:
            process.wait(CLOSE_SECONDS)

    def _queue(self, job: Job) -> JobQueue:
        if job.review:
            return self._reviews
        return self._hints if job.hint else self._moves

    def _dispatch(self) -> None:
        """Give jobs to all free processes, first to those that run already."""
        if self._closed:
            return
        for worker in sorted(self.workers, key=_readiness):
            if worker.job is None and (job := self._next(worker)) is not None:
                self._begin(worker, job)

    def _next(self, worker: Worker) -> Job | None:
        if worker.chores and not worker.did_chore:
            worker.did_chore = True
            return worker.chores.popleft()
        running = [other.job for other in self.workers if other.job is not None]
        lanes = Counter(job.lane for job in running)
        room = sum(map(self._is_heavy, running)) < self._heavy_share

        def allowed(lane: str) -> bool:
            return lanes[lane] < self._lane_share and (room or lane not in self._heavy)

        job = self._moves.take(allowed)
        if job is None and room:
            job = self._hints.take(allowed)
        if job is None and room and not self._moves:
            job = self._reviews.take(allowed)
        worker.did_chore = job is None and bool(worker.chores)
        return worker.chores.popleft() if worker.did_chore else job

    def _is_heavy(self, job: Job) -> bool:
        return job.hint or job.review or job.lane in self._heavy

    def _took(self, worker: Worker, job: Job, seconds: float) -> None:
        """Record whether a lane has long jobs, if lanes have shares: those of described games."""
        if self._lane_share < len(self.workers):
            if seconds < HEAVY_SECONDS:
                self._heavy.discard(job.lane)
            else:
                self._heavy.add(job.lane)

    def _begin(self, worker: Worker, job: Job) -> None:
        worker.job = job
        job.attempts += 1
        loop = asyncio.get_running_loop()
        if worker.process is None:
            try:
                process = worker.process = self._start(worker)
            except OSError as error:
                log.error("bots_not_started", reason=str(error))
                loop.call_soon(self._lost, worker)
                return
            loop.call_later(START_SECONDS, self._give_up, worker, process)
        if worker.process.ready:
            self._ready(worker)

    def _start(self, worker: Worker) -> BotProcess:
        return BotProcess(
            self._prepare,
            lambda: self._ready(worker),
            lambda result, seconds: self._done(worker, result, seconds),
            lambda: self._lost(worker),
        )

    def _start_again(self, worker: Worker) -> None:
        """Start a process before there is a job for it; an error is reported by the next job."""
        with suppress(OSError):
            process = worker.process = self._start(worker)
            asyncio.get_running_loop().call_later(START_SECONDS, self._give_up, worker, process)

    def _ready(self, worker: Worker) -> None:
        """Give the ready process a job: the one that was meant for it, if it is still needed."""
        job, process = worker.job, worker.process
        assert process is not None, "it has just said so"
        if job is None:
            self._dispatch()
            return
        try:
            process.do(job.work, *self._arguments(job))
        except Exception as error:
            # It cannot be sent: that is the job's fault, not the process's.
            failed = Failed(type(error).__name__)
            asyncio.get_running_loop().call_soon(self._done, worker, failed, 0.0)

    def _arguments(self, job: Job) -> tuple[Any, ...]:
        """Return a job's arguments, according to the present load."""
        if job.fitted is None:
            return job.arguments
        running = [worker.job for worker in self.workers if worker.job is not None]
        in_lane = sum(other.lane == job.lane for other in running)
        return job.fitted(
            Load(
                questions=len(self._moves) + len(running),
                lane=self._moves.waiting(job.lane) + in_lane,
                processes=len(self.workers),
                long=self._heavy_share,
                short_seconds=HEAVY_SECONDS,
            )
        )

    def _done(self, worker: Worker, result: object, seconds: float) -> None:
        if isinstance(result, Progress):
            if worker.job is not None and worker.job.wanted:
                worker.job.found.append(result.found)
            return
        job, worker.job = worker.job, None
        if job is not None:
            self._took(worker, job, seconds)
            if not isinstance(result, Failed):
                worker.loaded.add(job.loads)
            job.end(result)
        self._dispatch()

    def _lost(self, worker: Worker) -> None:
        """Give the job of an ended process to another one, or fail it for good."""
        job = worker.job
        with caused_by(None if job is None else job.cause):
            log.warning("bots_lost", reason="idle" if job is None else "at work")
        self._replace(worker)

    def _let_go(self, worker: Worker, job: Job) -> None:
        """Give a process time to finish a job that is no longer needed; a starting one goes on."""
        if worker.process is not None and not worker.process.ready:
            worker.job = None
            self._dispatch()
            return
        grace = GRACE_SECONDS
        if job.loads is not None:
            grace = SEARCH_SECONDS if job.loads in worker.loaded else LOADING_SECONDS
        asyncio.get_running_loop().call_later(grace, self._stop, worker, job)

    def _give_up(self, worker: Worker, process: BotProcess) -> None:
        """Kill a process that takes too long to start."""
        if worker.process is process and not process.ready:
            log.error("bots_not_started", reason=f"not ready after {START_SECONDS:g} s")
            process.kill()
            self._replace(worker)

    def _stop(self, worker: Worker, job: Job) -> None:
        """Kill a process whose job is no longer needed."""
        if worker.job is job and worker.process is not None:
            with caused_by(job.cause):
                log.info("bots_stopped", reason="nobody waits for its work")
            self._took(worker, job, HEAVY_SECONDS)
            worker.process.kill()
            self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        job, worker.job = worker.job, None
        began = worker.process is not None and worker.process.ready
        worker.process = None
        worker.loaded = {None}
        if self._closed:
            return
        lost_again = job is not None and job.wanted and job.attempts >= ATTEMPTS
        if began and not lost_again:
            self._start_again(worker)
        chore = worker.did_chore and job is not None
        if not chore:
            self._renewed(worker)
        if job is not None and job.wanted:
            if lost_again:
                job.end(LOST)
            elif chore:
                worker.chores.appendleft(job)
                worker.did_chore = False
            else:
                self._queue(job).put_back(job)
        self._dispatch()


def _readiness(worker: Worker) -> int:
    """Sort key of the order in which workers get jobs: those that are starting come last."""
    if worker.process is None:
        return 2
    return 0 if worker.process.ready else 1
