"""A node as its event loop sees it: what it owns, and whether it may go on."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import structlog

from server.store.lease import LeaseState, NodeListener
from server.store.lease_keeper import LeaseKeeper

AGAIN_SECONDS = 0.05
"""How often a node that is not sure looks whether it is again."""

log = structlog.get_logger()


class Membership:
    """Belongs to the event loop that made it; `begin` starts the thread of `keeper`."""

    def __init__(self, keeper: LeaseKeeper, listener: NodeListener | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._keeper = keeper
        self._lease = keeper.lease
        self._listener = listener
        self._told = LeaseState.HELD
        self._next: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Keep the lease, and tell what becomes of it."""
        self._lease.on_end = lambda: self._soon(self._look)
        self._keeper.start(lambda taken: self._soon(partial(self._took, taken)))
        self._look()

    @property
    def name(self) -> str:
        """The node's own."""
        return self._lease.name

    @property
    def epoch(self) -> int:
        """Higher each time that the node begins, or that it loses its tables."""
        return self._lease.epoch

    @property
    def state(self) -> LeaseState:
        """Whether the node may go on, at this moment."""
        return self._lease.state

    def owns(self, code: str) -> bool:
        """Whether a table is this node's to write to, as long as its lease is held."""
        return code in self._lease.owned

    async def take(self, *codes: str) -> list[str]:
        """Take tables that nobody owns; those of `codes` that this node owns then.

        A table of a node whose lease is over is taken from it. `StoreError` if that is not known.
        """
        return await asyncio.wrap_future(self._keeper.take(codes))

    def stop_taking(self) -> None:
        """Leave tables that nobody owns to the other nodes, from the next renewal on."""
        self._keeper.has_tables = False

    def end(self) -> None:
        """Tell nobody of anything any more."""
        self._listener = None
        if self._next is not None:
            self._next.cancel()

    def _look(self) -> None:
        """Tell of the lease if something has changed, and look again when something may have."""
        if self._next is not None:
            self._next.cancel()
        state = self._lease.state
        if state is LeaseState.HELD:
            left = self._lease.sure_until - self._lease.clock()
            self._next = self._loop.call_later(max(0.0, left), self._look)
        elif state is LeaseState.UNSURE:
            self._next = self._loop.call_later(AGAIN_SECONDS, self._look)
        if state is not self._told and self._listener is not None:
            self._told = state
            log.warning("lease_changed", node=self.name, epoch=self.epoch, state=state.name.lower())
            self._listener.lease(state)

    def _took(self, codes: Sequence[str]) -> None:
        if self._listener is not None:
            self._listener.took(codes)

    def _soon(self, call: Callable[[], None]) -> None:
        # A loop that is closed hears nothing more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)
