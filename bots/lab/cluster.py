"""The games of a plan on a Dask cluster: ``--scheduler tcp://host:8786``.

The workers of the cluster need this program of the same version; what they play is the plan, sent
whole. Dask is loaded here alone.
"""

from collections.abc import Generator
from concurrent.futures import CancelledError
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bots.lab.errors import BadPlan, NoCluster
from bots.lab.plan import Plan
from bots.lab.runners import Block, Runner, in_order

_SECONDS_TO_ANSWER = 10.0


def on_cluster(address: str) -> Runner:
    """A pool of all workers that the scheduler at `address` has now; `NoCluster` if that fails."""
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise BadPlan("--scheduler needs Dask: install blackqueen[lab]") from error

    def runner(plan: Plan, first: int) -> Generator[Block, None, None]:
        try:
            client: Any = Client(  # type: ignore[no-untyped-call]  # so Dask has it
                address, timeout=_SECONDS_TO_ANSWER, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise NoCluster(f"no Dask scheduler answers at {address}") from error
        try:
            with client:
                pool = client.get_executor(pure=False)
                try:
                    yield from in_order(pool, _threads(client, address), plan, first)
                finally:
                    pool.shutdown(wait=False)
        except (CancelledError, KilledWorker, OSError) as error:
            raise NoCluster(f"the cluster at {address} was lost: {error!r}") from error

    return runner


def _threads(client: Any, address: str) -> int:
    """The number of games that the cluster plays at once, after a check that it can play."""
    threads: int = sum(client.nthreads().values())
    if not threads:
        raise NoCluster(f"the scheduler at {address} has no workers")
    for worker, other in client.run(_version).items():
        if other != _version():
            raise NoCluster(f"worker {worker} has blackqueen {other}, not {_version()}")
    return threads


def _version() -> str:
    try:
        return version("blackqueen")
    except PackageNotFoundError:
        return "not installed"
