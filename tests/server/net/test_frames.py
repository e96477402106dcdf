"""The fast path for common frames, compared with the parser of `websockets`."""

import asyncio
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.net.frames import framed, message_in
from server.net.websocket import _is_between_frames
from tests.raw_client import RawClient
from tests.server.socket_server import SocketServer

SIZES = (0, 1, 125, 126, 127, 300, 65_535, 65_536)


def sent(opcode: Opcode, data: bytes, **fields: bool) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, data, **fields).serialize(mask=True)


@pytest.mark.parametrize("size", SIZES)
def test_a_message_is_framed_as_the_parser_frames_it(size: int) -> None:
    """The fast path frames a message as the parser does, for each length and kind."""
    data = b"x" * size
    assert framed(data) == Frame(Opcode.BINARY, data).serialize(mask=False)
    assert framed(data.decode()) == Frame(Opcode.TEXT, data).serialize(mask=False)


@pytest.mark.parametrize("size", SIZES[:-1])
def test_a_whole_message_is_read(size: int) -> None:
    """A single whole frame is read without the parser."""
    data = Random(size).randbytes(size)
    assert message_in(sent(Opcode.BINARY, data)) == data
    assert message_in(sent(Opcode.TEXT, "é".encode() * (size // 2))) == "é" * (size // 2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x82",
        sent(Opcode.BINARY, b"message")[:-1],
        sent(Opcode.BINARY, b"message") + b"\x82",
        sent(Opcode.BINARY, b"message") * 2,
        sent(Opcode.BINARY, b"part", fin=False),
        sent(Opcode.CONT, b"part"),
        sent(Opcode.PING, b"ping"),
        sent(Opcode.CLOSE, b"\x03\xe8"),
        b"\xc2" + sent(Opcode.BINARY, b"compressed")[1:],
        sent(Opcode.TEXT, b"\xc3"),
        Frame(Opcode.BINARY, b"not masked").serialize(mask=False),
        b"\x82\x85" + bytes(3),
        b"\x82\xfe" + bytes(3),
        b"\x82\xff" + (5).to_bytes(8, "big") + bytes(4) + b"12345",
        b"GET / HTTP/1.1\r\n",
    ],
    # Masks are drawn anew in each process, but all workers must know a case by one name.
    ids=map(str, count()),
)
def test_everything_else_is_left_to_the_parser(data: bytes) -> None:
    """Fragments, several frames, control frames and errors are left to the parser."""
    assert message_in(data) is None


LENGTHS = st.sampled_from([0, 1, 4, 125, 126, 127, 300])
FORMS = st.sampled_from([0, 2, 8])
"""Bytes of a length that is written out, be it as short as it may or not."""


@st.composite
def nearly_frames(draw: st.DrawFn) -> bytes:
    """Bytes that are a whole message but for what may be wrong with it."""
    first = draw(st.sampled_from([0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0xC2, 0xA1, 0x83]))
    length, form, is_masked = draw(LENGTHS), draw(FORMS), draw(st.booleans())
    short = length if form == 0 and length < 126 else 127 if form == 8 else 126
    written = b"" if short < 126 else length.to_bytes(form or 2, "big")
    mask = draw(st.binary(min_size=4, max_size=4) | st.just(bytes(4)))
    data = draw(st.binary(min_size=length, max_size=length) | st.just(b"e" * length))
    whole = bytes((first, short | 0x80 * is_masked)) + written + mask + data
    return whole[: len(whole) + draw(st.sampled_from([0, 0, -1]))] + draw(st.binary(max_size=1))


@given(data=nearly_frames() | st.binary(max_size=12))
def test_what_is_read_is_what_the_parser_reads(data: bytes) -> None:
    """What the fast path reads is for the parser one whole message, and nothing else."""
    message = message_in(data)
    if message is None:
        return
    parser = ServerProtocol(state=State.OPEN)
    parser.receive_data(data)
    if isinstance(message, str):
        frame = Frame(Opcode.TEXT, message.encode())
    else:
        frame = Frame(Opcode.BINARY, message)
    assert parser.events_received() == [frame]
    assert _is_between_frames(parser)


async def test_where_the_network_cuts_a_stream_changes_nothing(server: SocketServer) -> None:
    """Messages are read in order, wherever the network cuts the stream."""
    pings = [f'{{"type":"ping","id":{number}}}'.encode() for number in range(2, 6)]
    stream = b"".join(
        [
            sent(Opcode.TEXT, pings[0]),
            sent(Opcode.TEXT, pings[1][:9], fin=False),
            sent(Opcode.PING, b"sign of life"),
            sent(Opcode.CONT, pings[1][9:]),
            sent(Opcode.TEXT, pings[2]),
            sent(Opcode.TEXT, pings[3]),
        ]
    )
    for cut in range(1, len(stream), 7):
        async with server.client() as raw:
            for piece in (stream[:cut], stream[cut:]):
                await _write(raw, piece)
            numbers: list[int] = []
            while len(numbers) < len(pings):
                numbers += [answer["id"] for answer in await raw.receive()]
        assert numbers == [2, 3, 4, 5], f"cut after {cut} bytes"


async def test_a_message_whole_in_itself_inside_another_one_is_an_error(
    server: SocketServer,
) -> None:
    """A whole message within a fragmented one is an error."""
    async with server.client() as raw:
        await _write(raw, sent(Opcode.TEXT, b'{"type":', fin=False))
        await _write(raw, sent(Opcode.TEXT, b'{"type":"ping","id":2}'))
        assert await raw.closed() == (1002, "expected a continuation frame")


async def test_a_text_that_is_no_utf_8_is_an_error(server: SocketServer) -> None:
    """Text that is not UTF-8 closes the connection with 1007."""
    async with server.client() as raw:
        await _write(raw, sent(Opcode.TEXT, b"\xc3\x28"))
        code, _ = await raw.closed()
        assert code == 1007


async def _write(raw: RawClient, data: bytes) -> None:
    """Send bytes as they are, and let the server in this process read them."""
    raw.websocket.transport.write(data)
    for _ in range(3):
        await asyncio.sleep(0)
