"""Servers that are nodes of one database, each with a gateway of its own in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine import GAMES
from server.game_server import Buses
from server.ops.settings import Settings
from server.store import LeaseTimes, Node
from tests.server.controllable_store import ControllableStore
from tests.server.harness import FAST_SETTINGS, ServerHarness
from tests.server.store.nodes import STEADY


@asynccontextmanager
async def node_server(
    url: str,
    name: str,
    folder: Path,
    times: LeaseTimes = STEADY,
    buses: Buses | None = None,
    **more: Any,
) -> AsyncIterator[ServerHarness]:
    """The node `name` of the database at `url`; without `buses` it is alone on its own."""
    store = await ControllableStore.open(url, node=Node(name, times=times))
    settings = Settings(**{**FAST_SETTINGS, "data": folder, **more})
    server = ServerHarness(settings, GAMES, store, buses=buses)
    try:
        await server.library.refresh()
        await server.game_server.open()
        yield server
    finally:
        server.library.close()
        server.pool.close()
        await store.close()


async def stored_tables(url: str, folder: Path, count: int) -> None:
    """Store tables at which matches are played, by a server of its own that ends."""
    store = await ControllableStore.open(url)
    settings = Settings(**{**FAST_SETTINGS, "data": folder})  # type: ignore[arg-type]
    server = ServerHarness(settings, GAMES, store)
    try:
        for number in range(count):
            await server.match_of(f"Ann {number}", f"Bea {number}")
    finally:
        server.library.close()
        server.pool.close()
        await store.close()
