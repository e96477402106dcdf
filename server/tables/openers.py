"""From which addresses the open tables were opened, as far as it is known."""

from collections import Counter, defaultdict
from collections.abc import Set


class Openers:
    """Addresses are known by their hashes alone.

    `sizes` says how many addresses have opened so many tables that are still open.
    """

    def __init__(self) -> None:
        self.sizes: Counter[int] = Counter()
        self._of: dict[str, str] = {}
        self._codes: defaultdict[str, set[str]] = defaultdict(set)

    def note(self, code: str, opener: str) -> None:
        """A table was opened from there."""
        self.forget(code)
        self._of[code] = opener
        self._count(opener, -1)
        self._codes[opener].add(code)
        self._count(opener, 1)

    def forget(self, code: str) -> None:
        """A table is no longer open; nothing happens if nobody knows who opened it."""
        opener = self._of.pop(code, None)
        if opener is not None:
            self._count(opener, -1)
            self._codes[opener].remove(code)
            self._count(opener, 1)
            if not self._codes[opener]:
                del self._codes[opener]

    def of(self, code: str) -> str:
        """From where a table was opened; "" if it is not known."""
        return self._of.get(code, "")

    def opened_by(self, opener: str) -> Set[str]:
        """The open tables that were opened from there."""
        return self._codes.get(opener, frozenset())

    def _count(self, opener: str, by: int) -> None:
        size = len(self.opened_by(opener))
        if size:
            self.sizes[size] += by
            if not self.sizes[size]:
                del self.sizes[size]
