"""The addresses from which the open tables were opened, as far as known."""

from collections import Counter, defaultdict
from collections.abc import Set


class OpenerAddresses:
    """Addresses of openers, stored as hashes only.

    `sizes` is the number of addresses for each number of open tables.
    """

    def __init__(self) -> None:
        self.sizes: Counter[int] = Counter()
        self._of: dict[str, str] = {}
        self._codes: defaultdict[str, set[str]] = defaultdict(set)

    def note(self, code: str, opener: str) -> None:
        """Record the address from which a table was opened."""
        self.forget(code)
        self._of[code] = opener
        self._count(opener, -1)
        self._codes[opener].add(code)
        self._count(opener, 1)

    def forget(self, code: str) -> None:
        """Forget a table that is no longer open; nothing happens if its address is unknown."""
        opener = self._of.pop(code, None)
        if opener is not None:
            self._count(opener, -1)
            self._codes[opener].remove(code)
            self._count(opener, 1)
            if not self._codes[opener]:
                del self._codes[opener]

    def opened_by(self, opener: str) -> Set[str]:
        """Return the open tables that were opened from an address."""
        return self._codes.get(opener, frozenset())

    def _count(self, opener: str, by: int) -> None:
        size = len(self.opened_by(opener))
        if size:
            self.sizes[size] += by
            if not self.sizes[size]:
                del self.sizes[size]
