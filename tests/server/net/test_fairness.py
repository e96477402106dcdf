"""A crowd that asks for much and reads nothing delays only itself."""

from contextlib import AsyncExitStack
from pathlib import Path

from bench.attackers import command
from tests.raw_client import RawClient
from tests.server.socket_server import SocketServer, open_socket_server

WATCHERS, TIMES = 30, 15
ASKED = 5
MOST = 6 * ASKED
"""Snapshots that are sent meanwhile: some slices of them, and far less than a round each time."""


def counted(server: SocketServer, figure: str, type: str) -> float:
    """The counted commands of a type, over all results."""
    lines = server.metrics.render()[1].decode().splitlines()
    ours = [line for line in lines if line.startswith(figure) and f'type="{type}"' in line]
    return sum(float(line.rpartition(" ")[2]) for line in ours)


async def ask_often(watchers: list[RawClient], table: str) -> None:
    """Let all request the table again and again at once, without reading."""
    for watcher in watchers:
        asked = [command("sync", 10 + number, table=table) for number in range(TIMES)]
        watcher.websocket.transport.write(b"".join(asked))


async def test_an_honest_client_waits_for_no_crowd(tmp_path: Path) -> None:
    """An honest client does not wait for a crowd's lists, hellos or small messages."""
    async with open_socket_server(tmp_path) as server, AsyncExitStack() as stack:
        host, honest = [await stack.enter_async_context(server.client()) for _ in range(2)]
        table = (await host.ask("create_table", id=2, game="black_queen"))["table"]
        watchers = [await stack.enter_async_context(server.client()) for _ in range(WATCHERS)]
        for watcher in watchers:
            assert (await watcher.ask("watch", id=2, table=table))["type"] == "ok"
        before = counted(server, "blackqueen_commands_total", "sync")
        await ask_often(watchers, table)
        for number in range(ASKED):
            assert (await honest.ask("list_tables", id=10 + number))["type"] == "tables"
        assert counted(server, "blackqueen_commands_total", "sync") - before < MOST
        for number in range(ASKED):
            assert (await honest.ask("ping", id=20 + number))["type"] == "pong"
        async with server.client() as newcomer:
            assert newcomer.welcome["type"] == "welcome"
        assert counted(server, "blackqueen_commands_total", "sync") - before < 2 * MOST
