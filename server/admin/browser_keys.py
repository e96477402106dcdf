"""The keys of browsers on the administrator's pages: one-time links, and keys of visits.

They are kept in memory, and only as digests; a restart ends all visits. `now` returns seconds.
"""

from collections.abc import Callable
from hashlib import sha256
from secrets import token_urlsafe

LINK_SECONDS = 600.0
"""How long a link may be used, once."""
VISIT_SECONDS = 8 * 3600.0
"""How long a browser may look after that."""
MOST = 16
"""Links and visits at a time; a further one ends the oldest."""
KEY_BYTES = 32


class BrowserKeys:
    """The unused links, and the visits that have not ended."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._links: dict[bytes, float] = {}
        self._visits: dict[bytes, float] = {}

    def new_link(self) -> str:
        """Make the key of a new link."""
        return self._new(self._links, LINK_SECONDS)

    def enter(self, key: str) -> str | None:
        """Exchange a link's key for that of a new visit; return None if it is wrong."""
        until = self._links.pop(_digest(key), 0.0)
        return self._new(self._visits, VISIT_SECONDS) if self._now() < until else None

    def may_look(self, key: str) -> bool:
        """Whether this is the key of a visit that has not ended."""
        return self._now() < self._visits.get(_digest(key), 0.0)

    def _new(self, kept: dict[bytes, float], seconds: float) -> str:
        key, now = token_urlsafe(KEY_BYTES), self._now()
        over = [digest for digest, until in kept.items() if until <= now]
        # They are in the order in which they were made.
        for digest in over or [*kept][: max(0, len(kept) - MOST + 1)]:
            del kept[digest]
        kept[_digest(key)] = now + seconds
        return key


def _digest(key: str) -> bytes:
    """Hash a key for look-ups, so that the time of a look-up reveals nothing about the key."""
    return sha256(key.encode("utf-8", "replace")).digest()
