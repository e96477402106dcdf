"""Logs repeated failures in a few lines: each reason once, and the end of them."""

import structlog

from server.store.lease import Lease

MOST_REASONS = 8
"""In one outage. What is new in each attempt, such as a process number, is no news."""

log = structlog.get_logger()


class OutageLog:
    """Logs `failing` when attempts of the node of `lease` begin to fail, and `again` afterwards."""

    def __init__(self, failing: str, again: str, lease: Lease) -> None:
        self._failing = failing
        self._again = again
        self._lease = lease
        self._began = 0.0
        self._attempts = 0
        self._reasons: set[str] = set()

    def failed(self, reason: str) -> None:
        """Record a failed attempt."""
        if not self._attempts:
            self._began = self._lease.clock()
        self._attempts += 1
        if reason in self._reasons or len(self._reasons) >= MOST_REASONS:
            return
        self._reasons.add(reason)
        log.warning(self._failing, node=self._lease.name, reason=reason)

    def over(self) -> None:
        """Record a successful attempt."""
        if not self._attempts:
            return
        lasted = round(self._lease.clock() - self._began, 1)
        log.warning(self._again, node=self._lease.name, seconds=lasted, count=self._attempts)
        self._attempts = 0
        self._reasons.clear()
