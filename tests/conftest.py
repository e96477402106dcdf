"""Settings of all tests: Hypothesis, coverage, timeouts.

The order of tests is random; the header of each run names the seed that repeats it (`pytest
--randomly-seed=N`).
"""

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from platformdirs import user_cache_path

from tests.counts import FACTOR, count
from tests.mosquitto import Mosquitto
from tests.postgres import Cluster, running_cluster

if TYPE_CHECKING:
    from tests.chromium import Chromium
    from tests.commands import Commands

# Programs that tests start have homes of their own, and would compile every kernel again.
os.environ.setdefault("NUMBA_CACHE_DIR", str(user_cache_path("blackqueen") / "kernels"))

settings.register_profile(
    "blackqueen",
    max_examples=count(50),
    # Time is bounded by pytest-timeout; a slow machine must not fail an example.
    deadline=None,
    print_blob=True,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
settings.load_profile("blackqueen")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure no coverage in tests marked `no_cover`: whole games take three times as long then.

    pytest-cov should see to it, but starts two tracers in a process of pytest-xdist and stops one.
    """
    if not item.get_closest_marker("no_cover"):
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give every test more time when its counts are raised."""
    if FACTOR == 1:
        return
    usual = float(config.getini("timeout"))
    for item in items:
        marker = item.get_closest_marker("timeout")
        seconds = float(marker.args[0]) if marker and marker.args else usual
        item.add_marker(pytest.mark.timeout(seconds * FACTOR), append=False)


@pytest.fixture(scope="session")
def shared_mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """The broker of all tests of this process; a test takes `mosquitto`."""
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.end()


@pytest.fixture
def mosquitto(shared_mosquitto: Mosquitto) -> Iterator[Mosquitto]:
    """A running Mosquitto, which the test may kill or stop."""
    shared_mosquitto.start()
    yield shared_mosquitto
    shared_mosquitto.go_on()


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Chromium]":
    """A browser for all tests of this process; started by the first that needs it."""
    from tests.chromium import Chromium

    browser = Chromium()
    yield browser
    browser.end()


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """PostgreSQL for all tests of this process; started by the first that needs it."""
    with running_cluster(tmp_path_factory.mktemp("postgresql") / "cluster") as cluster:
        yield cluster


@pytest.fixture
def here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> "Commands":
    """Runs commands of the program in this process, below a folder of the test's own."""
    from tests.commands import Commands

    return Commands(tmp_path, capsys, monkeypatch)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """A random source that pytest-randomly's seed repeats."""
    seed = request.config.getoption("randomly_seed", 0)
    return Random(f"{seed} {request.node.name}")
