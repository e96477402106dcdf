"""A node's knowledge of its lease, without I/O: whether it holds, and its tables.

Two threads and the event loop use it. The thread that renews the lease records how long it is sure;
the first thread that finds it over for good records that, and nothing reverts it.
"""

import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol

from server.store.errors import NodeFenced, StoreError, StoreUnavailable
from server.store.nodes import LeaseTimes, NodeRow


class LeaseState(Enum):
    """Whether a node may go on with its tables."""

    HELD = auto()
    UNSURE = auto()
    """It was not renewed in time: nothing is stored until it is."""
    OVER = auto()
    """Others may own the tables; final."""


def moment() -> float:
    """Return seconds of a clock that is never set, and that goes on while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class NodeListener(Protocol):
    """The listener for changes of a node, in its event loop."""

    def took(self, codes: Sequence[str]) -> None:
        """Receive tables that this node owns from now on, which had no owner or were given."""

    def looked(self, rows: Sequence[NodeRow]) -> None:
        """Receive the rows of all nodes after a renewal of the lease."""

    def lease(self, state: LeaseState) -> None:
        """React to a lease that is held again, uncertain, or over with all tables.

        A node whose lease is over closes its store, forgets its tables, and may open the store
        anew.
        """


class Lease:
    """The lease of the node `name`; `on_end` is called once, by any thread, when it is over."""

    def __init__(
        self, name: str, times: LeaseTimes, clock: Callable[[], float] | None = None
    ) -> None:
        self.name = name
        self.times = times
        self.epoch = 0
        """Higher each time that the node begins, or that it loses its tables."""
        self.began = 0
        """The transaction with which the lease began: all later ones may know of it."""
        self.transaction = 0
        """The last one that has renewed the lease: a synchronous standby knows it, too."""
        self.identity = ""
        self.owned: set[str] = set()
        """The open tables that are the node's in the database, and that it writes to."""
        self.sure_until = 0.0
        self.on_end: Callable[[], None] = lambda: None
        self.clock = moment if clock is None else clock
        self._end: StoreError | None = None

    @property
    def state(self) -> LeaseState:
        """Whether the node may go on."""
        if self._end is not None:
            return LeaseState.OVER
        return LeaseState.HELD if self.clock() < self.sure_until else LeaseState.UNSURE

    @property
    def seconds_left(self) -> float:
        """Return how long the node is sure of its lease; 0 if it is not."""
        held = self.state is LeaseState.HELD
        return max(0.0, self.sure_until - self.clock()) if held else 0.0

    def renewed(self, sent: float) -> None:
        """Count the lease from when its renewal was `sent`, as the database received it later."""
        self.sure_until = sent + self.times.lasts - self.times.margin

    def check(self) -> None:
        """Raise `NodeFenced` if the lease is over, `StoreUnavailable` if it may be."""
        state = self.state
        if state is LeaseState.OVER:
            raise self._why()
        if state is LeaseState.UNSURE:
            raise StoreUnavailable(f"node {self.name}: its lease was not renewed in time")

    def fence(self, why: str) -> NodeFenced:
        """Record that the lease is over for good; return the error to raise."""
        return self.end(NodeFenced(f"node {self.name}: {why}; it stores nothing any more"))

    def end(self, error: StoreError) -> NodeFenced:
        """End the lease with `fence`, for the reason of `error`."""
        if self._end is None:
            self._end = error
            self.on_end()
        return self._why()

    def _why(self) -> NodeFenced:
        assert self._end is not None
        # An exception of its own for each caller: a raised one collects its tracebacks.
        return NodeFenced(str(self._end))
