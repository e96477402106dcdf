"""Checks whether the database stores rows, and logs changes of that."""

from collections.abc import Sequence

import structlog

from server.store.errors import StoreError, StoreUnavailable
from server.store.rows import Write
from server.store.writer import Round

log = structlog.get_logger()

UNWELL_SECONDS = 5.0
"""How long a database elsewhere is unwell after it refused rows, even if it takes an empty write:
one table alone may be what it refuses, and one disk of several may be full."""


class Health:
    """The health of storing. In a file an empty write needs as much as any other; else not."""

    def __init__(self, *, is_file: bool) -> None:
        self._is_file = is_file
        self._refused_at = 0.0
        self.trouble: StoreError | None = None

    def tell(self, written: Round, outcomes: Sequence[StoreError | None], now: float) -> None:
        """Log when storing begins to fail, and when it works again."""
        if self.trouble is None and not any(outcomes):
            return
        found = next((error for error in outcomes if isinstance(error, StoreUnavailable)), None)
        before = self.trouble
        if found is not None:
            self.trouble, self._refused_at = found, now
            if before is None or before.code != found.code:
                log.error("database_unavailable", code=found.code, reason=str(found))
        elif before is not None and self._is_well(written, now):
            self.trouble = None
            log.info("database_available")

    def _is_well(self, written: Round, now: float) -> bool:
        """Whether rows would be stored again, now that these are."""
        return (
            self._is_file
            or now > self._refused_at + UNWELL_SECONDS
            or any(write != Write() for write in written.writes)
        )
