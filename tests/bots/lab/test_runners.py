"""Games on several workers: in order, with equal bytes, and stopped at once."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import active_children
from typing import Any

import pytest

from bots.lab import runners as module
from bots.lab.plan import Plan
from bots.lab.runners import Block, LostWorker, Runner, in_order, in_processes, in_this_process
from bots.lab.runs import TABLES
from tests.bots.lab.made import plan, small


def played(runner: Runner, of: Plan, first: int = 0) -> dict[str, str]:
    """Everything that a runner writes."""
    with closing(runner(of, first)) as blocks:
        written = list(blocks)
    assert sum(block.runs for block in written) == of.games - first
    return {name: "".join(block.texts[name] for block in written) for name in TABLES}


def test_two_processes_write_what_one_does() -> None:
    """The tables of two processes equal those of one, also when continued."""
    of = small(games=30)
    whole = played(in_this_process, of)
    assert played(in_processes(2), of) == whole
    assert whole["results"].endswith(played(in_processes(2), of, 21)["results"])


class Backwards(Executor):
    """A pool whose answers come in reverse order, when the first is asked for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._waiting: list[tuple[Any, ...]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        answer = _Late(self)
        self._waiting.append((answer, fn, args))
        return answer

    def answer(self) -> None:
        while self._waiting:
            late, fn, args = self._waiting.pop()
            late.set_result(fn(*args))


class _Late(Future[Any]):
    def __init__(self, pool: Backwards) -> None:
        super().__init__()
        self._answering = pool

    def result(self, timeout: float | None = None) -> Any:
        self._answering.answer()
        return super().result(timeout)


def test_answers_are_put_in_order() -> None:
    """Games come in the order of their numbers, whichever worker is done first."""
    of = small(games=20)
    assert played(lambda of, first: in_order(Backwards(), 3, of, first), of) == played(
        in_this_process, of
    )


def test_parts_learn_their_own_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of quick games grow, end with their part, and begin small in the next."""
    sizes = []

    def instant(of: Plan, first: int, count: int) -> Block:
        sizes.append((first, count))
        return Block(count, dict.fromkeys(TABLES, ""), {}, 0.001 * count)

    monkeypatch.setattr(module, "play_block", instant)
    list(in_this_process(plan(("r", 40), ("1", 6)), 0))
    assert sizes == [(0, 1), (1, 4), (5, 16), (21, 19), (40, 1), (41, 4), (45, 1)]
    sizes.clear()
    monkeypatch.setattr(module, "_SECONDS_A_BLOCK", 0.003)
    list(in_this_process(plan(("r", 10)), 0))
    assert sizes == [(0, 1), (1, 3), (4, 3), (7, 3)]


def test_stopping_leaves_no_process_behind() -> None:
    """Closing the runner stops the workers at once."""
    before = set(active_children())
    blocks = in_processes(2)(small("hearts", games=20000), 0)
    next(blocks)
    blocks.close()
    assert set(active_children()) <= before


def test_a_killed_worker_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed worker raises an error, and the command goes on."""
    before = set(active_children())
    blocks = in_processes(2)(small("hearts", games=20000), 0)
    next(blocks)
    for worker in set(active_children()) - before:
        worker.kill()
    with pytest.raises(LostWorker, match="killed"), closing(blocks):
        list(blocks)
