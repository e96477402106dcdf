"""What a node does when it gets tables, and when its lease is not sure, sure again, or over."""

import asyncio
from collections.abc import Callable, Sequence

from server.node.leased_bus import LeasedBus
from server.ops.isolation import Beside
from server.store import LeaseState
from server.tables.taken_tables import TakenTables


class LeaseDuties:
    """Hears of the lease; `beside` runs what takes time. `on_end` is called when it is over."""

    def __init__(self, bus: LeasedBus, taken: TakenTables, beside: Beside) -> None:
        self.on_end: Callable[[], None] = _nothing
        self._bus = bus
        self._taken = taken
        self._beside = beside
        self._sure = asyncio.Event()
        self._sure.set()

    @property
    def is_sure(self) -> bool:
        """Whether the tables may go on."""
        return self._sure.is_set()

    async def sure(self) -> None:
        """Return when the tables may go on."""
        await self._sure.wait()

    def took(self, codes: Sequence[str]) -> None:
        """These tables are this node's from now on."""
        self._beside.spawn(self._taken.take(codes))

    def lease(self, state: LeaseState) -> None:
        """Stop, go on, or end."""
        if state is LeaseState.HELD:
            self._sure.set()
            self._bus.go_on()
            return
        self._sure.clear()
        if state is LeaseState.OVER:
            self._bus.end()
            self.on_end()


def _nothing() -> None:
    pass
