"""The alarms of all tables, in one heap."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush


class Alarms:
    """The earliest alarm of each table. `wake` gets the time of a new first alarm."""

    def __init__(self, wake: Callable[[float], None]) -> None:
        self._heap: list[tuple[float, str]] = []
        self._set: dict[str, float] = {}
        self._wake = wake

    def __len__(self) -> int:
        """The number of tables that are to be woken."""
        return len(self._set)

    def set(self, code: str, due: float) -> None:
        """Wake `code` at `due` or earlier."""
        if self._set.get(code, float("inf")) <= due:
            return
        self._set[code] = due
        heappush(self._heap, (due, code))
        if self._heap[0] == (due, code):
            self._wake(due)

    def drop(self, code: str) -> None:
        """Remove the alarm of a table."""
        self._set.pop(code, None)

    def at(self, code: str) -> float | None:
        """Return the time of a table's alarm; None if it has none."""
        return self._set.get(code)

    def next(self) -> float | None:
        """The time of the first alarm; None without alarms."""
        while self._heap and self._set.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def ring(self, now: float) -> Iterator[str]:
        """Remove and return the tables whose alarms are due."""
        while (due := self.next()) is not None and due <= now:
            code = heappop(self._heap)[1]
            del self._set[code]
            yield code
