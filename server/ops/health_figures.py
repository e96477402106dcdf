"""Metrics of the server's health, read whenever they are requested."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

DISK_SECONDS = 2.0


class HealthFigures(Collector):
    """Health metrics; `ready` returns why the server is not ready, or ""; `folder` has its data."""

    def __init__(
        self, ready: Callable[[], Awaitable[str]], folder: Path, connections: int, tables: int
    ) -> None:
        self._ready = ready
        self._folder = folder
        self._measured: asyncio.Future[tuple[int, int] | None] | None = None
        self._figures: dict[str, tuple[str, float]] = {
            "connections_limit": ("The connections that may be open at once", connections),
            "tables_limit": ("The tables that may be open at once", tables),
        }

    async def ask(self) -> None:
        """Read the values for `collect`; this waits a few seconds at most."""
        words = "1 if the server takes players, else 0; /readyz says why"
        self._figures["ready"] = (words, 0.0 if await self._ready() else 1.0)
        space = await self._space()
        if space is None:
            # Not to be taken for the figures of now.
            self._figures.pop("disk_free_bytes", None)
            self._figures.pop("disk_bytes", None)
        else:
            size, free = space
            self._figures["disk_bytes"] = ("Bytes of the disk with the data folder", size)
            self._figures["disk_free_bytes"] = ("Free bytes of that disk", free)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics in Prometheus's form."""
        for name, (words, value) in self._figures.items():
            yield GaugeMetricFamily(f"blackqueen_{name}", words, value)

    async def _space(self) -> tuple[int, int] | None:
        """Return size and free bytes of the disk; None if the system does not answer in time."""
        measured = self._measured
        if measured is None:
            # A disk that does not answer keeps one thread, not one more each time.
            loop = asyncio.get_running_loop()
            self._measured = measured = loop.run_in_executor(None, _space, self._folder)
        done, _ = await asyncio.wait([measured], timeout=DISK_SECONDS)
        if not done:
            return None
        self._measured = None
        return measured.result()


def _space(folder: Path) -> tuple[int, int] | None:
    try:
        size, _, free = shutil.disk_usage(folder)
    except OSError:
        return None
    return size, free
