"""Guests: kept in memory until they do something, and full players while connected."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol.version import MSGPACK
from server.store import PlayerRow, Write
from server.tables.guests import DAY_SECONDS, MOST_AWAY, Guests
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.statements import execute


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerHarness]:
    async with open_server(tmp_path) as server:
        yield server


def stored(server: ServerHarness) -> list[tuple[str, bool]]:
    """The names of stored players, and whether they have sat."""
    rows = execute(server, "select name, sat from players order by name")
    return [(name, bool(sat)) for name, sat in rows]


async def test_who_only_looks_leaves_nothing(server: ServerHarness) -> None:
    """A guest who only lists and watches is not stored."""
    ann = await server.client("Ann")
    code = await ann.open_table()
    written = server.store.written
    bea = await server.client("Bea")
    await bea.ask("list_tables")
    await bea.ask("my_tables")
    await bea.ask("watch", table=code)
    bea.disconnect()
    await server.settle()
    assert stored(server) == [("Ann", True)]
    assert server.store.written == written


async def test_a_guest_is_written_with_the_first_answer_that_is_stored(tmp_path: Path) -> None:
    """A guest is stored in one commit with their first stored answer."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table(settings={"spectator_chat": True})
        await bea.ask("watch", table=code)
        before, number = bea.player, await bea.send("chat", table=code, text="hello")
        await server.settle()
        assert stored(server) == [("Ann", True), ("Bea", False)]
        (said,) = bea.answers[number]
    async with open_server(tmp_path, now=server.now + 1) as server:
        await bea.reconnect(server)
        assert bea.player == before
        await bea.send("chat", number, table=code, text="hello")
        await server.settle()
        assert bea.answers[number] == [said, said]
        await ann.reconnect(server)
        await bea.ask("join", table=code)
        assert stored(server) == [("Ann", True), ("Bea", True)]


async def test_who_has_sat_has_sat(server: ServerHarness) -> None:
    """A guest's first seat is recorded with earlier acts or after them."""
    ann, bea = await server.client("Ann"), await server.client("Bea")
    code = await ann.open_table()
    server.store.hold_writes()
    await bea.send("join", table=code)
    await bea.send("join", table="NOWHERE")
    server.store.release_writes()
    await server.settle()
    assert stored(server) == [("Ann", True), ("Bea", True)]


async def test_a_guest_is_written_with_their_first_seat(server: ServerHarness) -> None:
    """A guest is stored in one commit with their first seat, or not at all."""
    ann, bea = await server.client("Ann"), await server.client("Bea")
    code = await ann.open_table()
    server.store.broken = True
    assert await bea.refusal("join", table=code) == "try_again"
    server.store.broken = False
    assert stored(server) == [("Ann", True)]
    await bea.ask("join", table=code)
    assert stored(server) == [("Ann", True), ("Bea", True)]
    assert len(server.game_server.guests) == 0


async def test_a_token_works_before_the_first_seat(server: ServerHarness) -> None:
    """A guest's token works before their first seat."""
    ann = await server.client("Ann")
    player = ann.player
    first = await ann.ask("join", 7, table="NOWHERE")
    ann.disconnect()
    await server.wait(3600)
    await ann.reconnect(name="Anna")
    assert ann.player == player
    await ann.send("join", 7, table="NOWHERE")
    await server.settle()
    assert ann.answers[7][-1] == first
    phone = TestClient(server, client_id="phone")
    await phone.hello(token=ann.token)
    assert phone.player == player
    assert ann.closed() == (4000, "replaced")
    await phone.open_table()
    assert stored(server) == [("Anna", True)]


async def test_after_a_restart_a_guest_is_new(tmp_path: Path) -> None:
    """After a restart an unknown guest is told so, and comes in as a new one."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        await bea.ask("watch", table=code)
        before = bea.player
    async with open_server(tmp_path) as server:
        assert (await bea.reconnect(server))["code"] == "unauthorized"
        bea.token = None
        await bea.reconnect(server)
        assert bea.player != before
        assert (await bea.ask("join", table=code))["type"] == "ok"
        await ann.reconnect(server)
        assert ann.tables[code].seat == 0


async def test_those_of_old_who_never_sat_are_written_again_with_their_first_seat(
    tmp_path: Path,
) -> None:
    """Stored guests of earlier versions keep token and number, and are updated on sitting."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        known = server.game_server.guests.by_token
        row = next(r for r in [known(h) for h in server.game_server.guests._by_token] if r)
        await server.store.save(Write(players=(row,)))
    async with open_server(tmp_path) as server:
        await ann.reconnect(server, name="Anna")
        assert ann.player == row.id
        assert stored(server) == [("Ann", False)]
        await ann.open_table()
        assert stored(server) == [("Anna", True)]


async def test_a_player_is_written_once_a_day_at_most(server: ServerHarness) -> None:
    """A player is written at most once a day, unless the name changes."""
    ann = await server.client("Ann")
    await ann.open_table()
    await ann.reconnect(name="Ann")
    written = await seen(server, ann)
    await server.wait(DAY_SECONDS / 2)
    await ann.reconnect(name="Ann")
    assert await seen(server, ann) == written
    await server.wait(DAY_SECONDS)
    await ann.reconnect()
    assert await seen(server, ann) == server.now
    await ann.reconnect(name="Anna")
    assert stored(server) == [("Anna", True)]


async def seen(server: ServerHarness, guest: TestClient) -> float:
    ((found,),) = execute(server, "select seen from players where id = :id", id=guest.player)
    return float(found)


async def test_a_hello_that_fails_is_forgotten_like_all_others(server: ServerHarness) -> None:
    """A guest whose hello failed counts as absent."""
    guest = TestClient(server, MSGPACK)

    async def fail(name: str) -> None:
        raise OSError("disk gone")

    server.store.gate = fail
    await guest.hello(name="Ann", token=None)
    server.store.gate = None
    guest.disconnect()
    await server.settle()
    guests = server.game_server.guests
    row = PlayerRow("p", "Pat", "hash", 0.0, sat=False)
    guests.add(row, server.now + DAY_SECONDS)
    assert len(guests) == 1


def test_absent_guests_are_kept_for_a_day_and_not_without_bound() -> None:
    """Absent guests are kept for a day, up to a limit, the latest ones longest."""
    guests = Guests()

    def add(number: int, now: float) -> PlayerRow:
        row = PlayerRow(f"p{number}", "Pat", f"h{number}", now, sat=False)
        guests.add(row, now)
        return row

    here = add(0, 0.0)
    guests.connected(here.id)
    for number in range(1, MOST_AWAY + 3):
        add(number, number / MOST_AWAY)
    assert len(guests) == MOST_AWAY + 1
    assert guests.by_token("h0") == here
    assert guests.by_token("h2") is None
    assert guests.by_token("h3") is not None
    guests.disconnected(here.id, DAY_SECONDS - 1)
    late = add(-1, DAY_SECONDS + 2)
    assert len(guests) == 2
    assert guests.by_token("h0") == here
    assert guests.by_token("h-1") == late
    guests.disconnected("nobody", 0.0)
    assert len(guests) == 2
