"""Servers in this process that are nodes of one database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine import GAMES
from server.node_server import NodeServer
from server.nodes.lease_duties import LeaseDuties
from server.ops.settings import Settings
from server.store import LeaseTimes, NodeDetails
from tests.server.controllable_store import ControllableStore
from tests.server.events.recording_broker import RecordingBroker
from tests.server.harness import FAST_SETTINGS, ServerHarness
from tests.server.store.nodes import STEADY


def address(name: str) -> str:
    """The address of a node for clients."""
    return f"ws://127.0.0.1:8765/n/{name}/"


@asynccontextmanager
async def node_server(
    url: str,
    name: str,
    folder: Path,
    times: LeaseTimes = STEADY,
    broker: RecordingBroker | None = None,
    **more: Any,
) -> AsyncIterator[ServerHarness]:
    """The node `name` of the database at `url`."""
    at = address(name)
    store = await ControllableStore.open(url, node=NodeDetails(name, times=times, address=at))
    own = {"data": folder, "node_url": at, "database_url": url}
    settings = Settings(**{**FAST_SETTINGS, **own, **more})
    async with ServerHarness(settings, GAMES, store, broker=broker).running() as server:
        yield server


def lease_of(server: ServerHarness) -> LeaseDuties:
    """The lease handling of a node."""
    assert isinstance(server.game_server, NodeServer)
    return server.game_server.lease


async def stored_tables(url: str, folder: Path, count: int) -> None:
    """Store tables with matches by a server of its own that ends."""
    store = await ControllableStore.open(url)
    settings = Settings(**{**FAST_SETTINGS, "data": folder})  # type: ignore[arg-type]
    async with ServerHarness(settings, GAMES, store).running() as server:
        for number in range(count):
            await server.match_of(f"Ann {number}", f"Bea {number}")
