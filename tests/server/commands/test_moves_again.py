"""A move is made once, wherever and whenever its client sends it again.

Moves are in the log of their table and in no index. So these tests try every way in which a client
can come back before the server knows which log that is. The client numbers its hellos separately
(`id=1`), so that the number of its hello says nothing about its moves. The last tests are about a
session alone, which says whether a command may have been sent before.
"""

from pathlib import Path

import pytest

from protocol.codec import codec_for
from protocol.to_server import Hello, Leave
from protocol.version import JSON
from protocol.wire_form import WireForm
from server.names import Player
from server.sessions.session import Session, SessionIdentity
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


async def made(server: ServerHarness) -> tuple[TestClient, TestClient, str, int, WireForm]:
    """A host and a guest at a table; the guest's last move, with its number and answer."""
    ann, bea = await server.client("Ann"), await server.client("Bea")
    code = await ann.open_table(options={"deals": 1})
    await bea.ask("join", table=code)
    await ann.ask("start", table=code)
    while not bea.tables[code].my_turn:
        await ann.move(code)
    answer = await bea.move(code)
    assert answer["type"] == "ok"
    return ann, bea, code, answer["id"], answer


async def ask_again(bea: TestClient, code: str, number: int) -> list[WireForm]:
    """The answer to the move's number, sent again with a move that would be illegal."""
    before = len(bea.answers[number])
    await bea.send("act", number, table=code, turn=1, action="play 2C")
    await bea.server.settle()
    return bea.answers[number][before:]


@pytest.mark.parametrize("resume", [True, False])
async def test_after_a_restart(tmp_path: Path, resume: bool) -> None:
    """After a restart a repeated move is found, whether or not the client resumes the table."""
    async with open_server(tmp_path) as server:
        _, bea, code, number, answer = await made(server)
        bea.disconnect()
    async with open_server(tmp_path, now=server.now + 5) as server:
        await bea.reconnect(server, id=1, **({} if resume else {"resume": {}}))
        assert await ask_again(bea, code, number) == [answer]


async def test_under_another_command(tmp_path: Path) -> None:
    """A command number has one answer for ever, even with another command."""
    async with open_server(tmp_path) as server:
        ann, bea, code, number, answer = await made(server)
        bea.disconnect()
        await bea.reconnect(id=1, resume={})
        await bea.send("chat", number, table=code, text="hello")
        await server.settle()
        assert bea.answers[number] == [answer, answer]
        assert ann.new_messages("chat") == []


async def test_after_losing_the_seat(tmp_path: Path) -> None:
    """A player who was removed while disconnected still gets the answer to their move."""
    async with open_server(tmp_path) as server:
        ann, bea, code, number, answer = await made(server)
        bea.disconnect()
        await ann.ask("kick", table=code, seat=1)
        await bea.reconnect(id=1, resume={})
        assert await ask_again(bea, code, number) == [answer]


async def test_after_the_table_has_closed(tmp_path: Path) -> None:
    """A closed table answers for the moves made at it, after a restart too."""
    async with open_server(tmp_path) as server:
        ann, bea, code, number, answer = await made(server)
        bea.disconnect()
        await ann.ask("leave", table=code)
        await server.wait(server.settings.grace_seconds + server.settings.abandon_seconds + 5)
        assert code not in server.game_server.tables.directory
        await bea.reconnect(id=1, resume={})
        assert await ask_again(bea, code, number) == [answer]
    async with open_server(tmp_path, now=server.now + 5) as server:
        await bea.reconnect(server, id=1, resume={})
        assert await ask_again(bea, code, number) == [answer]


async def test_a_move_never_made_is_not_mistaken_for_one(tmp_path: Path) -> None:
    """A number that was never used is a new command."""
    async with open_server(tmp_path) as server:
        _, bea, code, number, _ = await made(server)
        bea.disconnect()
        await bea.reconnect(id=1, resume={})
        (answer,) = await ask_again(bea, code, number + 1)
        assert answer["code"] in ("stale_turn", "not_your_turn")


def greeted(*, hello: int, stored: int) -> Session:
    """A session whose hello has number `hello`, of a client with answers up to `stored`."""
    session = Session(codec_for(JSON), rate=10, burst=10, now=0.0)
    session.check(Hello(id=hello, version=1, client="c"), 0.0)
    session.welcome(SessionIdentity(Player("ann", "Ann"), "c"), stored)
    return session


def test_a_number_below_that_of_hello_may_be_a_repetition() -> None:
    """A command numbered below its hello may be a repetition."""
    session = greeted(hello=9, stored=7)
    assert not session.is_new(Leave(id=8, table="T"))
    assert session.is_new(Leave(id=10, table="T"))


def test_a_number_the_store_knows_may_be_a_repetition() -> None:
    """A command numbered below a stored answer may be a repetition."""
    session = greeted(hello=1, stored=7)
    assert not session.is_new(Leave(id=7, table="T"))
    assert session.is_new(Leave(id=8, table="T"))


def test_a_number_is_new_once() -> None:
    """A command is new once; sent again or out of order it may be a repetition."""
    session = greeted(hello=1, stored=0)
    assert session.is_new(Leave(id=5, table="T"))
    assert not session.is_new(Leave(id=5, table="T"))
    assert not session.is_new(Leave(id=4, table="T"))
