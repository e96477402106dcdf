"""The deals of a contest on every core. Results come as they are done, in any order."""

from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children

from bots.arena import Contest, DealResult, play_deal
from bots.workers import serve_the_parent

_WAITING_PER_WORKER = 3


def play_deals(contest: Contest, deals: int, workers: int) -> Generator[DealResult, None, None]:
    """Deals 0 … `deals` − 1; closing the generator stops the work at once."""
    if workers == 1:
        yield from (play_deal(contest, deal) for deal in range(deals))
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, initializer=serve_the_parent)
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
