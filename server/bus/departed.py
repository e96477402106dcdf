"""Which peers were on the bus a short time ago and are not any more, and since when."""

from collections.abc import Callable, Mapping

from server.bus.bus import Bus, P

GONE_SECONDS = 3600.0
"""For so long it is known that a peer was there."""
MOST_GONE = 50
"""Of so many: a process that is started again and again may have another name each time."""


class Departed:
    """Hears on `bus` who comes and goes; `now` gives server time in seconds."""

    def __init__(self, bus: Bus[P], now: Callable[[], float]) -> None:
        self._now = now
        # The latest last.
        self._since: dict[str, float] = {}
        bus.on_presence(self._presence)

    def since(self) -> Mapping[str, float]:
        """Since when each of them is gone, by name."""
        long_ago = self._now() - GONE_SECONDS
        self._since = {name: when for name, when in self._since.items() if when > long_ago}
        return self._since

    def _presence(self, peer: str, here: bool) -> None:
        self._since.pop(peer, None)
        if here:
            return
        self._since[peer] = self._now()
        if len(self._since) > MOST_GONE:
            del self._since[next(iter(self._since))]
