"""Clients that ask for the compact form get events in it, and others the usual form."""

from pathlib import Path

import pytest

from protocol import compact_reader
from protocol.features import INTERNAL_VALUES, WORDS
from protocol.version import JSON, MSGPACK
from server.sessions import broadcaster
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def comes(
    server: ServerHarness, name: str, *features: str, subprotocol: str = MSGPACK
) -> TestClient:
    """A player who has asked for `features`."""
    client = TestClient(server, subprotocol)
    client.features = features
    await client.hello(name=name)
    return client


def last_event(client: TestClient) -> object:
    """The last message that a client was sent, as it came."""
    return client.codec.load(client.frames[-1])[-1]


async def test_each_gets_the_form_that_they_asked_for(tmp_path: Path) -> None:
    """At one table each client gets the form that it asked for, with equal contents."""
    async with open_server(tmp_path) as server:
        ann = await comes(server, "Ann", WORDS, INTERNAL_VALUES)
        bob = await comes(server, "Bob")
        cid = await comes(server, "Cid", WORDS, INTERNAL_VALUES, subprotocol=JSON)
        assert [client.received[0].get("words") for client in (ann, bob, cid)] == [True, None, None]
        code = await ann.open_table(seats=3)
        await bob.ask("join", table=code)
        await cid.ask("join", table=code)
        await ann.ask("start", table=code)
        await server.play(code, 12, ann, bob, cid)
        assert isinstance(last_event(ann), list)
        assert isinstance(last_event(bob), dict)
        (one, two, three) = (each.received[-1] for each in (ann, bob, cid))
        assert one["facts"] == two["facts"] == three["facts"]
        assert one["question"]["clock"] == two["question"]["clock"] == 120
        walter = await comes(server, "Walter", WORDS, INTERNAL_VALUES)
        await walter.ask("watch", table=code)
        await server.play(code, 3, ann, bob, cid)
        assert isinstance(last_event(walter), list)
        tricks = [each.tables[code].view.zones["trick"] for each in (ann, bob, cid, walter)]
        assert tricks.count(tricks[0]) == 4


async def test_words_are_told_once_on_each_connection(tmp_path: Path) -> None:
    """Words are sent once a connection, before the first event that needs them."""
    async with open_server(tmp_path) as server:
        ann = await comes(server, "Ann", WORDS)
        codes = [await ann.open_table(seats=2) for _ in range(2)]
        for code in codes:
            await ann.ask("start", table=code, fill=0)

        def told() -> int:
            frames = map(ann.codec.load, ann.frames)
            return sum(
                isinstance(message, dict) and message["type"] == "words"
                for frame in frames
                for message in frame
            )

        assert told() == 1
        ann.disconnect()
        await ann.reconnect()
        await server.play(codes[0], 2, ann)
        assert told() == 2
        assert {type(last_event(ann))} == {list}


async def test_a_slow_reader_is_told_words_before_it_needs_them(tmp_path: Path) -> None:
    """A slow reader gets the words before the first event that needs them."""
    async with open_server(tmp_path, send_buffer_bytes=4096, chat_per_minute=1000) as server:
        bob = await server.client("Bob")
        code = await bob.open_table(seats=2)
        ann = await comes(server, "Ann", WORDS)
        await ann.ask("watch", table=code)
        ann.wire.blocked = True
        for _ in range(9):
            await bob.ask("chat", table=code, text="x" * 500)
        assert ann.connection.lagging_since is not None
        await bob.ask("start", table=code, fill=0)
        ann.wire.drain()
        await server.wait(0.5)
        await server.play(code, 4, bob)
        assert isinstance(last_event(ann), list)
        assert ann.tables[code].seq == bob.tables[code].seq
        assert ann.tables[code].view.zones["trick"] == bob.tables[code].view.zones["trick"]


async def test_a_client_is_told_no_more_lists_than_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all lists told, events of other games come in the long form, and of these as before."""
    for module in (compact_reader, broadcaster):
        monkeypatch.setattr(module, "MOST_LISTS", 2)
    async with open_server(tmp_path) as server:
        ann = await comes(server, "Ann", WORDS, INTERNAL_VALUES)
        codes = [await ann.open_table(seats=seats) for seats in (2, 3, 4, 5)]
        for code in codes:
            await ann.ask("start", table=code, fill=0)
        for code, form in zip(codes, (list, list, dict, dict), strict=True):
            await server.play(code, 2, ann)
            assert isinstance(last_event(ann), form)
            assert ann.tables[code].seq == server.table(code).state.seq
        assert ann.connection.lagging_since is None
