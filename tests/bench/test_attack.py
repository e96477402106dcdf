"""The attackers, and the measurements of clients under attack."""

from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from bench.attackers import BINARY, PONG, TEXT, WAYS, attack, frame
from bench.measure_crowds import with_omitted
from tests.server.socket_server import open_socket_server


def parsed(data: bytes) -> Frame:
    """The one frame in `data`, as a server reads it."""
    reader = StreamReader()
    reader.feed_data(data)
    try:
        next(Frame.parse(reader.read_exact, mask=True))
    except StopIteration as end:
        found: Frame = end.value
        assert not reader.buffer
        return found
    raise AssertionError("there is no whole frame")


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_attackers_send_frames(length: int) -> None:
    """Attackers send masked frames of any length."""
    sent = parsed(frame(BINARY, b"x" * length))
    assert (sent.opcode, len(sent.data), sent.fin) == (Opcode.BINARY, length, True)
    assert parsed(frame(PONG)).opcode is Opcode.PONG
    assert not parsed(frame(TEXT, b"a", final=False)).fin


def test_moves_that_were_not_made_are_counted() -> None:
    """Moves that were not made in time are counted: five in a second at one each 0.2 seconds."""
    assert with_omitted([0.05, 0.1], 0.2) == [0.05, 0.1]
    assert with_omitted([0.5, 0.01], 0.2) == pytest.approx([0.5, 0.3, 0.1, 0.01])


async def test_every_way_of_attacking_connects_again_and_again(tmp_path: Path) -> None:
    """Every kind of attack reconnects until its time is over, and the server survives."""
    async with open_socket_server(tmp_path, address_connections_per_second=0) as server:
        counts = await attack(server.url, list(WAYS), len(WAYS), 0.5, "127.0.0.1")
        assert counts["connections"] >= len(WAYS)
        async with server.client() as raw:
            assert (await raw.ask("ping", id=2))["type"] == "pong"
