"""Playing the games of a plan on any number of workers, with the results in order.

Workers get a few games at a time, as many as take about half a second, and return their rows as
text. How games are grouped into blocks changes nothing: the rows of a game follow from its number
alone.
"""

from collections import Counter, deque
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import active_children
from time import perf_counter
from typing import TypeAlias

from bots.lab.errors import LabError
from bots.lab.plan import Part, Plan
from bots.lab.play import play
from bots.lab.runs import Run, Texts, texts
from bots.workers import serve_the_parent
from engine.errors import EngineError

_SECONDS_A_BLOCK = 0.5
_LARGEST_BLOCK = 500
_WAITING_PER_WORKER = 3


class LostWorker(LabError):
    """A process that played games has died."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some consecutive games: their rows, the stopped games with reasons, and the time."""

    runs: int
    texts: Texts
    stopped: Mapping[str, int]
    seconds: float


Runner: TypeAlias = Callable[[Plan, int], Generator[Block, None, None]]
"""Plays the games of a plan from a number on; closing the generator stops the work at once."""


class FailedGame(LabError):
    """A game or a bot in it broke the rules: a bug, reported with its place."""


def play_block(plan: Plan, first: int, count: int) -> Block:
    """Games `first` to `first + count - 1` of the plan, played in this process."""
    started = perf_counter()
    runs = [_played(plan, number) for number in range(first, first + count)]
    stopped = Counter(run.stopped for run in runs if run.stopped)
    return Block(count, texts(runs), stopped, perf_counter() - started)


def _played(plan: Plan, number: int) -> Run:
    try:
        return play(plan, number)
    except EngineError as error:
        raise FailedGame(f"game {number} failed: {type(error).__name__}: {error}") from error


def in_this_process(plan: Plan, first: int) -> Generator[Block, None, None]:
    """The blocks of a plan, played in this process."""
    sizes = _Sizes(plan)
    while first < plan.games:
        block = play_block(plan, first, sizes.at(first))
        sizes.learn(first, block)
        yield block
        first += block.runs


def in_processes(workers: int) -> Runner:
    """The blocks of a plan, played in so many processes of this machine."""

    def runner(plan: Plan, first: int) -> Generator[Block, None, None]:
        others = set(active_children())
        pool = ProcessPoolExecutor(workers, initializer=serve_the_parent)
        finished = False
        try:
            yield from in_order(pool, workers, plan, first)
            finished = True
        except BrokenProcessPool as error:
            raise LostWorker("a worker process was killed (out of memory?)") from error
        finally:
            if not finished:
                for worker in set(active_children()) - others:
                    worker.terminate()
            pool.shutdown(cancel_futures=True)

    return runner


def in_order(pool: Executor, workers: int, plan: Plan, first: int) -> Generator[Block, None, None]:
    """The blocks of `pool`'s answers, each as soon as all before it are there."""
    waiting: deque[tuple[int, Future[Block]]] = deque()
    sizes, following = _Sizes(plan), first
    while waiting or following < plan.games:
        while following < plan.games and len(waiting) < _WAITING_PER_WORKER * workers:
            size = sizes.at(following)
            waiting.append((following, pool.submit(play_block, plan, following, size)))
            following += size
        number, answer = waiting.popleft()
        block = answer.result()
        sizes.learn(number, block)
        yield block


class _Sizes:
    """The number of games to play at a time, measured by part, since searching is far slower."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._fitting: dict[Part, int] = {}

    def at(self, run: int) -> int:
        """The number of games to play from this one on, within the end of its part."""
        part, number = self._plan.place(run)
        return min(self._fitting.get(part, 1), part.games - number)

    def learn(self, run: int, block: Block) -> None:
        fitting = int(_SECONDS_A_BLOCK * block.runs / max(block.seconds, 1e-9))
        part, _ = self._plan.place(run)
        # Not too bold at once: the first games need not be like the others.
        self._fitting[part] = max(1, min(fitting, _LARGEST_BLOCK, 4 * block.runs))
