"""Clients that do not read as fast as their tables move.

They get no events, only answers (`Connection`), and are checked regularly: one that has caught up
gets one fresh snapshot a table, and one that is too slow for too long is closed.
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
    """The slow clients; `send_snapshots` sends a connection fresh snapshots of its tables."""

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
        """Treat a client as slow, as too many bytes wait for it. Hang up if it is far too many."""
        if connection.is_lost():
            self._hang_up(connection)
        elif connection.lagging_since is None:
            connection.lagging_since = self._now()
            self._slow.add(connection)
            self._wake(self._now() + LOOK_SECONDS)

    def forget(self, connection: Connection) -> None:
        """Forget a closed connection."""
        self._slow.discard(connection)

    def next_check(self) -> float | None:
        """Return the time of the next call of `check`; None while all clients keep up."""
        return self._now() + LOOK_SECONDS if self._slow else None

    def check(self) -> None:
        """Send snapshots to clients that have caught up; hang up on those that take too long."""
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
