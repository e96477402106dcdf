"""When to ping the other side of a connection, and when to give it up; without I/O.

heard ─▶ silent for a while: ask ─▶ still nothing: gone
"""

from dataclasses import dataclass

LATE_SECONDS = 1.0
"""Whoever looks so much later than they wanted was stopped, asleep or busy themselves."""
AGAIN_SECONDS = 0.1
"""The pause in which they read what has come meanwhile."""


@dataclass(frozen=True, slots=True)
class SilenceCheck:
    """The result of a check, and the seconds until the next one."""

    seconds: float
    asks: bool = False
    is_gone: bool = False


class Silence:
    """The silence of one connection. `was_answered` is whether something came after the ping.

    All times are seconds of one clock, which begins at `now`.
    """

    __slots__ = ("_asked", "_due", "was_answered")

    def __init__(self, now: float) -> None:
        self.was_answered = False
        self._asked: float | None = None
        self._due = now

    def look(self, now: float, heard: float, ask_at: float, limit: float) -> SilenceCheck:
        """Check a connection on which data came last at `heard`.

        The ping is due at `ask_at`, and an answer within `limit` seconds after it.
        """
        is_late = now > self._due + LATE_SECONDS
        self.was_answered = self._asked is not None and heard >= self._asked
        if self.was_answered:
            self._asked = None
        if self._asked is not None:
            left = self._asked + limit - now
            if left <= 0 and not is_late:
                return SilenceCheck(0.0, is_gone=True)
            return self._next(now, left if left > 0 else AGAIN_SECONDS)
        if now < ask_at:
            return self._next(now, ask_at - now)
        self._asked = now
        return self._next(now, limit, asks=True)

    def _next(self, now: float, seconds: float, *, asks: bool = False) -> SilenceCheck:
        self._due = now + seconds
        return SilenceCheck(seconds, asks)
