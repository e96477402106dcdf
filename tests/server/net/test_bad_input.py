"""Bad input at the socket: each kind gets the answer that docs/protocol.md promises.

Meanwhile two other clients play a match, and every event must reach them in order. The server's log
must hold no traceback.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect as dial
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.to_server import MAX_ID
from protocol.version import JSON, MSGPACK
from tests.raw_client import RawClient
from tests.server.socket_server import BackgroundMatch, SocketServer, open_socket_server

pytestmark = pytest.mark.usefixtures("background")

HELLO = {"type": "hello", "id": 1, "version": 1, "client": "c"}


@pytest.mark.parametrize(
    ("subprotocol", "frame"),
    [
        (MSGPACK, b"\xc1"),
        (MSGPACK, b""),
        (MSGPACK, b"\x81"),
        (MSGPACK, b"\xdf\xff\xff\xff\xff"),
        (MSGPACK, b"\x91" * 5000),
        (MSGPACK, b"\x80\x80"),
        (MSGPACK, b"\xa1\xff"),
        (MSGPACK, '{"type":"ping","id":1}'),
        (JSON, b'{"type":"ping","id":1}'),
        (JSON, ""),
        (JSON, "{"),
        (JSON, "[" * 60_000),
        (JSON, '"ping"'),
        (JSON, "null"),
        (JSON, '{"type":"ping","id":NaN}'),
        (JSON, '[{"type":"ping","id":1}]'),
    ],
)
async def test_what_is_no_message_is_bad_and_has_no_number(
    server: SocketServer, subprotocol: str, frame: bytes | str
) -> None:
    """Data that is no message gets `bad_message` with a null id."""
    async with server.client(subprotocol) as raw:
        await raw.websocket.send(frame)
        (answer,) = await raw.receive()
        assert (answer["type"], answer["id"], answer["code"]) == ("error", None, "bad_message")
        assert (await raw.ask("ping", id=2))["type"] == "pong"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "sing"},
        {"type": ["ping"]},
        {"type": "ping", "loud": True},
        {"type": "act", "table": "X", "turn": "1", "action": "play QS"},
        {"type": "act", "table": "X", "turn": 1, "action": ""},
        {"type": "act", "table": "X", "turn": 1, "action": "x" * 513},
        {"type": "act", "table": "X", "turn": -1, "action": "play QS"},
        {"type": "join"},
        {"type": "join", "table": "", "seat": 0},
        {"type": "join", "table": "X" * 17},
        {"type": "join", "table": "X", "seat": 64},
        {"type": "create_table", "game": "black_queen", "options": {"deals": 1.5}},
        {"type": "create_table", "game": "black_queen", "settings": {"colour": "red"}},
        {"type": "chat", "table": "X", "text": "\x1b[2J"},
        {},
    ],
    ids=str,
)
async def test_a_message_that_does_not_fit_is_bad_under_its_number(
    server: SocketServer, message: dict[str, Any]
) -> None:
    """A message with wrong type or fields gets an error with its number and what is wrong."""
    async with server.client() as raw:
        answer = await raw.ask_message({"id": 7, **message})
        assert answer["code"] == "bad_message"
        assert 0 < len(answer["reason"]) < 1000


@pytest.mark.parametrize("id", [0, -1, MAX_ID + 1, 1.5, "7", None, True])
async def test_a_number_that_is_none_is_not_repeated(server: SocketServer, id: object) -> None:
    """A command without a usable number gets an error without one."""
    async with server.client() as raw:
        await raw.send_message({"type": "ping", "id": id})
        (answer,) = await raw.receive()
        assert (answer["id"], answer["code"]) == (None, "bad_message")


async def test_text_that_is_not_utf_8_ends_the_connection(server: SocketServer) -> None:
    """Text that is not UTF-8 closes the connection with 1007."""
    async with server.client() as raw:
        raw.websocket.transport.write(Frame(Opcode.TEXT, b'{"type":"\xff"}').serialize(mask=True))
        assert (await raw.closed())[0] == 1007


async def test_a_message_of_ten_megabytes_ends_the_connection(server: SocketServer) -> None:
    """A message longer than `welcome` allows closes the connection with 1009."""
    # Left without a goodbye: the client's library trips over what it could not send any more.
    raw = RawClient(await dial(server.url, subprotocols=[Subprotocol(MSGPACK)]), MSGPACK)
    welcome = await raw.ask_message(HELLO)
    assert welcome["limits"]["message_bytes"] == 65_536
    with suppress(ConnectionClosed):
        await raw.websocket.send(b"\x00" * 10_000_000)
    assert (await raw.closed())[0] == 1009


async def test_a_message_of_the_greatest_length_is_read(server: SocketServer) -> None:
    """A message of the greatest length is read."""
    async with server.client() as raw:
        await raw.websocket.send('{"type":"ping","id":2}'.ljust(65_536))
        assert (await raw.receive())[0]["type"] == "pong"


async def test_moves_out_of_turn_are_refused(
    server: SocketServer, background: BackgroundMatch
) -> None:
    """Moves out of turn, of others, or at wrong tables are refused, each with its code."""
    async with server.client() as zoe, server.client() as yan:
        opened = await zoe.ask("create_table", game="black_queen", seats=2)
        table = opened["table"]

        async def tried(raw: RawClient, **changes: Any) -> object:
            act = {"table": table, "turn": 1, "action": "play QS", **changes}
            return (await raw.ask("act", **act))["code"]

        assert await tried(zoe) == "wrong_phase"
        assert await tried(yan) == "not_seated"
        assert (await yan.ask("join", table=table))["type"] == "ok"
        assert (await zoe.ask("start", table=table))["type"] == "ok"
        state = server.game_server.live.get(table)
        assert state is not None
        (turn_of,) = state.state.to_act
        asked, idle = (zoe, yan) if turn_of == 0 else (yan, zoe)
        assert await tried(idle) == "not_your_turn"
        assert await tried(asked, turn=9) == "stale_turn"
        assert await tried(asked, turn=0) == "stale_turn"
        assert await tried(asked, action="fold") == "bad_action"
        assert await tried(asked, action="play 2C@13") == "illegal_action"
        assert await tried(zoe, table="NOWHERE") == "unknown_table"
        assert await tried(zoe, table=background.table) == "not_seated"


async def test_a_token_is_the_identity(server: SocketServer) -> None:
    """A token identifies the player; the newest connection stays and the older is closed."""
    async with server.client() as zoe, server.socket() as thief:
        await thief.send_message({**HELLO, "token": zoe.welcome["token"]})
        (welcome,) = await thief.receive()
        assert welcome["player"] == zoe.welcome["player"]
        assert await zoe.receive() == [{"type": "notice", "kind": "replaced"}]
        assert await zoe.closed() == (4000, "replaced")
        assert (await thief.ask("ping", id=2))["type"] == "pong"


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"token": "made up"}, "unauthorized"),
        ({"token": ""}, "unauthorized"),
        ({"version": 2}, "version_unsupported"),
        ({"version": 0}, "version_unsupported"),
        ({"version": MAX_ID}, "version_unsupported"),
    ],
)
async def test_a_hello_that_cannot_be_welcomed_ends_the_connection(
    server: SocketServer, hello: dict[str, Any], code: str
) -> None:
    """A hello with an unknown token or version gets an error, and 4001 with its code."""
    async with server.socket() as raw:
        answer = await raw.ask_message({**HELLO, **hello})
        assert answer["code"] == code
        assert await raw.closed() == (4001, code)


async def test_before_hello_nothing_is_done(server: SocketServer) -> None:
    """Commands before hello get `hello_first`, and so does a second hello."""
    async with server.socket() as raw:
        assert (await raw.ask("ping", id=5))["code"] == "hello_first"
        assert (await raw.ask_message(HELLO))["type"] == "welcome"
        assert (await raw.ask_message({**HELLO, "id": 2}))["code"] == "hello_first"
        assert (await raw.ask("ping", id=5))["type"] == "pong"


@pytest.mark.parametrize("says", [None, {"type": "ping", "id": 1}], ids=["nothing", "no hello"])
async def test_who_does_not_say_hello_is_hung_up_on(
    tmp_path: Path, says: dict[str, Any] | None
) -> None:
    """A client without hello is closed with 4001 after `hello_seconds`."""
    async with (
        open_socket_server(tmp_path / "impatient", hello_seconds=0.1) as server,
        server.socket() as raw,
    ):
        if says is not None:
            await raw.send_message(says)
        assert await raw.closed() == (4001, "hello_first")


async def test_a_flood_is_refused_and_then_cut_off(server: SocketServer) -> None:
    """A flood of commands gets `rate_limited`, and then 1008."""
    async with server.client(MSGPACK) as raw:
        limited = 0

        async def listen() -> None:
            nonlocal limited
            with suppress(ConnectionClosed):
                async for frame in raw.websocket:
                    told = raw.codec.load(frame)
                    limited += sum(message.get("code") == "rate_limited" for message in told)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(listen())
            for number in range(2, 10_000):
                if raw.websocket.state is not State.OPEN:
                    break
                await raw.send_message({"type": "ping", "id": number})
                if number % 50 == 0:
                    await asyncio.sleep(0)
        assert (raw.websocket.close_code, raw.websocket.close_reason) == (
            1008,
            "too many messages",
        )
        assert limited >= 20
