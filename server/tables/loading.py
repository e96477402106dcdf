"""Loads tables that sleep in the store.

A table with a command is loaded at once. Tables woken by an alarm wait in a queue and are loaded
one after the other; due work at the tables in memory does not wait for them. Tables that another
node had wait there too, first those with connected players.
"""

import asyncio
from collections.abc import Awaitable, Callable


class Loader:
    """Loads tables, at most one attempt at a time for each table."""

    def __init__(self, load: Callable[[str], Awaitable[None]]) -> None:
        self._load = load
        self._under_way: dict[str, asyncio.Event] = {}

    def __len__(self) -> int:
        """The number of tables that are being loaded."""
        return len(self._under_way)

    def __contains__(self, code: str) -> bool:
        """Whether a table is being loaded."""
        return code in self._under_way

    async def load(self, code: str) -> None:
        """Load a table, or wait for the end of the attempt in progress."""
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
    """Sleeping tables to be loaded, in order; first those that a client waits for."""

    def __init__(self) -> None:
        self._codes: dict[str, None] = {}
        self._awaited: dict[str, None] = {}
        self._some = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._codes or self._awaited)

    @property
    def is_awaited(self) -> bool:
        """Whether a client waits for the first of them."""
        return bool(self._awaited)

    def put(self, code: str, *, awaited: bool = False) -> None:
        """Queue a table; one that waits already keeps its place among those of its kind."""
        if awaited:
            self._codes.pop(code, None)
            self._awaited[code] = None
        elif code not in self._awaited:
            self._codes[code] = None
        self._some.set()

    def take(self) -> str:
        """Remove and return the first in the queue, which must not be empty."""
        codes = self._awaited or self._codes
        code = next(iter(codes))
        del codes[code]
        if not self:
            self._some.clear()
        return code

    async def wait(self) -> None:
        """Wait until the queue is not empty."""
        await self._some.wait()
