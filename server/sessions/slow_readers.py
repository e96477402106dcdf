"""Clients that do not read as fast as their tables move.

They get no events, only answers (`Connection`), and are looked at again every so often: one that
has caught up gets one fresh snapshot a table, one that does not in time is hung up on.
"""

from collections.abc import Callable

from protocol.wire_form import WireForm
from server.ops.metrics import Metrics
from server.sessions.connection import Connection

CLOSE_LAGGING = 1013
LOOK_SECONDS = 0.25
PATIENCE_SECONDS = 30.0

_NOTICE: WireForm = {"type": "notice", "kind": "lagging"}


class SlowReaders:
    """`send_snapshots` sends a connection one fresh snapshot of each of its tables."""

    def __init__(
        self,
        send_snapshots: Callable[[Connection], None],
        metrics: Metrics,
        now: Callable[[], float],
        wake: Callable[[float], None],
    ) -> None:
        self._send_snapshots = send_snapshots
        self._metrics = metrics
        self._now = now
        self._wake = wake
        self._slow: set[Connection] = set()

    def add(self, connection: Connection) -> None:
        """Treat a client as slow: more waits for it than may. Hang up if it is far too much."""
        if connection.is_lost():
            self._hang_up(connection)
        elif connection.lagging_since is None:
            connection.lagging_since = self._now()
            self._slow.add(connection)
            self._wake(self._now() + LOOK_SECONDS)

    def forget(self, connection: Connection) -> None:
        """The connection is closed."""
        self._slow.discard(connection)

    def next_check(self) -> float | None:
        """When `look` wants to be called next; None while everybody keeps up."""
        return self._now() + LOOK_SECONDS if self._slow else None

    def check(self) -> None:
        """Show clients that have caught up their tables; hang up on those that take too long."""
        for connection in tuple(self._slow):
            try:
                self._check_one(connection)
            except Exception as error:
                self._slow.discard(connection)
                connection.fail(error)

    def _check_one(self, connection: Connection) -> None:
        since = connection.lagging_since
        if since is None or self._now() - since > PATIENCE_SECONDS:
            self._hang_up(connection)
        elif connection.has_caught_up():
            self._slow.discard(connection)
            connection.lagging_since = None
            self._metrics.caught_up.inc()
            connection.put(_NOTICE)
            self._send_snapshots(connection)

    def _hang_up(self, connection: Connection) -> None:
        self._slow.discard(connection)
        if not connection.closing:
            self._metrics.dropped.inc()
            connection.close(CLOSE_LAGGING, "too slow")
