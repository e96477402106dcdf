"""Silent clients are pinged, and any data is a sign of life."""

import asyncio
from pathlib import Path

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode

from tests.raw_client import raw_client
from tests.server.socket_server import open_socket_server

SECONDS = 0.3


def never_answers_pings(websocket: ClientConnection) -> asyncio.Semaphore:
    """Keep a client from sending pongs; it records each ping."""
    pings, protocol = asyncio.Semaphore(0), websocket.protocol
    send = protocol.send_frame

    def send_frame(frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            pings.release()
        else:
            send(frame)

    protocol.send_frame = send_frame  # type: ignore[method-assign] # to leave something out
    return pings


async def test_who_says_anything_is_there(tmp_path: Path) -> None:
    """A command counts as a sign of life, and a silent client is closed."""
    async with (
        open_socket_server(tmp_path, ping_seconds=SECONDS) as server,
        raw_client(server.url) as client,
    ):
        pings = never_answers_pings(client.websocket)
        for _ in range(3):
            await pings.acquire()
            assert (await client.ask("ping"))["type"] == "pong"
        assert await client.closed() == (1011, "keepalive ping timeout")
