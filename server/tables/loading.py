"""Tables that sleep in the store, and how they come back into memory.

A command that touches one has it loaded at once. Those that only time wakes wait in line, one
is loaded after the other, and what is due at the tables in memory never waits for that.
"""

import asyncio
from collections.abc import Awaitable, Callable


class Loader:
    """At most one attempt at a time for each table, whoever wants it."""

    def __init__(self, load: Callable[[str], Awaitable[None]]) -> None:
        self._load = load
        self._under_way: dict[str, asyncio.Event] = {}

    def __len__(self) -> int:
        """How many tables are being loaded."""
        return len(self._under_way)

    async def load(self, code: str) -> None:
        """Load a table, or wait for somebody else's attempt, whatever becomes of that."""
        if code in self._under_way:
            await self._under_way[code].wait()
            return
        over = self._under_way[code] = asyncio.Event()
        try:
            await self._load(code)
        finally:
            del self._under_way[code]
            over.set()


class LoadQueue:
    """Sleeping tables whose time has come, in the order in which they are loaded."""

    def __init__(self) -> None:
        self._codes: dict[str, None] = {}
        self._some = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._codes)

    def put(self, code: str) -> None:
        self._codes[code] = None
        self._some.set()

    def take(self) -> str:
        """The first in line; there has to be one."""
        code = next(iter(self._codes))
        del self._codes[code]
        if not self._codes:
            self._some.clear()
        return code

    async def wait(self) -> None:
        """Return when somebody stands in line."""
        await self._some.wait()
