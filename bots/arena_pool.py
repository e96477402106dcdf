"""The deals of a contest on every core. Results come as they are done, in any order."""

import os
import signal
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children

from bots.arena import Contest, DealResult, play_deal

_WAITING_PER_WORKER = 3


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_deals(contest: Contest, deals: int, workers: int) -> Generator[DealResult, None, None]:
    """Deals 0 … `deals` − 1; closing the generator stops the work at once."""
    if workers == 1:
        yield from (play_deal(contest, deal) for deal in range(deals))
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent)
    pending: set[Future[DealResult]] = set()
    try:
        for deal in range(deals):
            pending.add(pool.submit(play_deal, contest, deal))
            if len(pending) >= _WAITING_PER_WORKER * workers:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        if pending:
            for worker in set(active_children()) - others:
                worker.terminate()
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
