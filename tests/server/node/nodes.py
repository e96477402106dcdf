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
    address: str = "",
    **more: Any,
) -> AsyncIterator[ServerHarness]:
    """The node `name` of the database at `url`; without `buses` it is alone on its own."""
    store = await ControllableStore.open(url, node=Node(name, times=times, address=address))
    settings = Settings(**{**FAST_SETTINGS, "data": folder, **more})
    async with ServerHarness(settings, GAMES, store, buses=buses).running() as server:
        yield server


async def stored_tables(url: str, folder: Path, count: int) -> None:
    """Store tables at which matches are played, by a server of its own that ends."""
    store = await ControllableStore.open(url)
    settings = Settings(**{**FAST_SETTINGS, "data": folder})  # type: ignore[arg-type]
    async with ServerHarness(settings, GAMES, store).running() as server:
        for number in range(count):
            await server.match_of(f"Ann {number}", f"Bea {number}")
