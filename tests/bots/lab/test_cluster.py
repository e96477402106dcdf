"""Games on a real Dask cluster of this machine: a scheduler and two workers over TCP."""

from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from bots.lab import cluster
from bots.lab.cluster import on_cluster
from bots.lab.errors import BadPlan, NoCluster
from bots.lab.runners import in_this_process
from tests.bots.lab.made import small
from tests.bots.lab.test_runners import played

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask warns of what is none of our business, such as ports and disks."""


def started(workers: int) -> Any:
    from distributed import LocalCluster

    return LocalCluster(  # type: ignore[no-untyped-call]  # so Dask has it
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        protocol="tcp://",
        dashboard_address=None,
        silence_logs=50,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers, one process each."""
    with started(2) as running:
        yield running.scheduler_address


def test_the_cluster_writes_what_one_process_does(address: str) -> None:
    """The tables that the cluster writes equal those of one process, byte for byte."""
    for plan in (small(games=40), small(bots="s:playouts=1,r", games=8)):
        assert played(on_cluster(address), plan) == played(in_this_process, plan)


def test_both_workers_play(address: str) -> None:
    """The cluster has as many games under way as threads."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        assert cluster._threads(client, address) == 2


def test_stopping_leaves_the_cluster_alone(address: str) -> None:
    """After a run was stopped the cluster plays the next one as usual."""
    with closing(on_cluster(address)(small("hearts", games=400), 0)) as blocks:
        next(blocks)
    assert played(on_cluster(address), small(games=4)) == played(in_this_process, small(games=4))


def test_another_version_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers with another version of the program are refused before anything is played."""
    monkeypatch.setattr(cluster, "version", lambda name: "99.0")
    with pytest.raises(NoCluster, match=r"has blackqueen .*, not 99\.0"):
        played(on_cluster(address), small())


def test_workers_without_the_program_are_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers without the program are refused as having another version."""

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(cluster, "version", missing)
    with pytest.raises(NoCluster, match="not installed"):
        played(on_cluster(address), small())


def test_a_cluster_that_goes_away_is_told() -> None:
    """If the scheduler ends meanwhile the command says so, without a traceback or waiting."""
    running = started(1)
    blocks = on_cluster(running.scheduler_address)(small("hearts", games=20000), 0)
    next(blocks)
    running.close()
    with pytest.raises(NoCluster, match="was lost"), closing(blocks):
        list(blocks)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong port or word is reported as a missing cluster, without a traceback."""
    monkeypatch.setattr(cluster, "_SECONDS_TO_ANSWER", 0.3)
    for wrong in ("tcp://127.0.0.1:1", "nonsense://here"):
        with pytest.raises(NoCluster, match="no Dask scheduler answers"):
            played(on_cluster(wrong), small())


def test_a_scheduler_without_workers_is_refused() -> None:
    """A scheduler without workers is refused, as the games would wait for ever."""
    with started(0) as empty, pytest.raises(NoCluster, match="has no workers"):
        played(on_cluster(empty.scheduler_address), small())


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Dask the error names the extra to install."""
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(BadPlan, match=r"blackqueen\[lab\]"):
        on_cluster("tcp://127.0.0.1:1")
