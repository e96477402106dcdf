"""The access log: who came in and who was refused, with player and address."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from structlog.typing import EventDict
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from protocol.version import JSON
from server.store import BanRow
from tests.server.harness import open_server
from tests.server.socket_server import open_socket_server


def told(events: list[EventDict], *names: str) -> list[dict[str, Any]]:
    """The events of these names with their fields, without the common ones."""
    return [dict(event) for event in events if event["event"] in names]


async def test_a_join_is_logged_with_player_and_address(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A join is logged with the player and address of the welcome."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann", address="192.0.2.7")
        code = await ann.open_table()
    (welcomed,) = told(log_events, "player_welcomed")
    assert (welcomed["player"], welcomed["address"]) == (ann.player, "192.0.2.7")
    (seated,) = told(log_events, "seated")
    assert seated["table"] == code
    assert seated["seat"] == 0
    assert (seated["player"], seated["address"]) == (ann.player, "192.0.2.7")
    assert str(ann.token) not in str(log_events)


async def test_a_refusal_is_logged_with_its_code(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A refusal is logged with its code."""
    async with open_server(tmp_path) as server:
        code, _ = await server.table_of("Ann", "Bea")
        cid = await server.client("Cid", address="192.0.2.9")
        await cid.ask("join", table=code)
        await cid.ask("watch", table="NONE")
        dan = await server.client("Dan", address="192.0.2.10")
        dan.connect(server)
        await dan.hello(token="none")
    refusals = [
        (line["message_type"], line["code"], line["player"], line["address"], line["table"])
        for line in told(log_events, "command_refused")
    ]
    assert refusals == [
        ("join", "table_full", cid.player, "192.0.2.9", code),
        ("watch", "unknown_table", cid.player, "192.0.2.9", "NONE"),
        ("hello", "unauthorized", None, "192.0.2.10", None),
    ]


async def test_a_refused_move_is_a_detail(tmp_path: Path, log_events: list[EventDict]) -> None:
    """A refused move is logged at level debug, without the move."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        waits = bea if ann.tables[code].my_turn else ann
        turn = waits.tables[code].question.turn
        await waits.ask("act", table=code, turn=turn, action="play QS@1")
    (line,) = told(log_events, "command_refused")
    assert (line["code"], line["log_level"]) == ("not_your_turn", "debug")
    assert "QS" not in str(line)


async def test_a_refused_connection_is_logged_with_the_client_behind_the_proxy(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A refused connection is logged with the address behind a trusted proxy."""
    async with open_socket_server(
        tmp_path, trusted_proxies="127.0.0.1", max_connections_per_address=1
    ) as server:
        names, forwarded = [Subprotocol(JSON)], {"X-Forwarded-For": "203.0.113.5"}
        async with AsyncExitStack() as stack:
            for _ in range(2):
                websocket = await stack.enter_async_context(
                    dial(server.url, subprotocols=names, additional_headers=forwarded)
                )
                await websocket.send('{"type":"hello","id":1,"version":1,"client":"c"}')
                await websocket.recv()
            foreign = {**forwarded, "Origin": "https://evil.example"}
            with pytest.raises(InvalidStatus):
                async with dial(server.url, subprotocols=names, additional_headers=foreign):
                    pass
    lines = told(log_events, "connection_refused")
    assert [(line["reason"], line["address"]) for line in lines] == [
        ("crowded", "203.0.113.5"),
        ("origin", "203.0.113.5"),
    ]


async def test_every_kind_of_command_is_timed(tmp_path: Path) -> None:
    """Every kind of command is timed, carried out or refused."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        code = await ann.open_table()
        await ann.ask("start", table=code, fill=0)
        await ann.ask("list_tables")
        await ann.ask("ping")
        await ann.ask("watch", table="NONE")
        if ann.tables[code].my_turn:
            await ann.ask("hint", table=code)
        await ann.refusal("join", table="NONE")
        _, body = server.metrics.render()
        text = body.decode()
    for kind in ("hello", "create_table", "start", "list_tables", "ping", "watch", "join"):
        assert f'blackqueen_command_seconds_count{{type="{kind}"}} 1.0' in text
    assert 'blackqueen_commands_total{result="unknown_table",type="watch"} 1.0' in text
    assert 'blackqueen_bots{game="black_queen",strength="0"} 1.0' in text


async def test_a_hint_is_timed_until_it_is_given(tmp_path: Path) -> None:
    """A hint is timed until its answer, each time it is requested."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        mover, waits = (ann, bea) if ann.tables[code].my_turn else (bea, ann)
        for _ in range(2):
            assert (await mover.ask("hint", table=code))["type"] == "hint"
        assert await waits.refusal("hint", table=code) == "not_your_turn"
        text = server.metrics.render()[1].decode()
    assert 'blackqueen_command_seconds_count{type="hint"} 3.0' in text
    assert 'blackqueen_commands_total{result="ok",type="hint"} 2.0' in text


async def test_a_banned_address_is_refused_before_the_websocket(
    tmp_path: Path, log_events: list[EventDict]
) -> None:
    """A banned address is refused before the WebSocket, with reason and log line."""
    async with open_socket_server(tmp_path, trusted_proxies="127.0.0.1") as server:
        ban = BanRow("address", "203.0.113.0/24", None, "too loud", 0.0)
        server.game_server.bans.put(ban)
        for address, refused in (("203.0.113.5", True), ("198.51.100.1", False)):
            forwarded = {"X-Forwarded-For": address}
            opening = dial(
                server.url, subprotocols=[Subprotocol(JSON)], additional_headers=forwarded
            )
            if not refused:
                async with opening:
                    continue
            with pytest.raises(InvalidStatus) as answer:
                await opening
            assert answer.value.response.status_code == 403
            body = answer.value.response.body
            assert body == b"your address is banned from this server: too loud\n"
    (line,) = told(log_events, "connection_refused")
    assert (line["reason"], line["address"]) == ("banned", "203.0.113.5")
