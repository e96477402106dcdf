"""After the loss of a node its spectators ask for their tables again, without a storm."""

import pytest

from server.commands import watching
from server.commands.watching import Watching
from server.crossing.requests import DONE, Elsewhere, Follow
from tests.server.commands.gateway import LoneGateway


async def test_spectators_of_a_lost_table_ask_one_at_a_time_and_then_in_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of them asks again and again until a node has the table; then a few at once."""
    monkeypatch.setattr(watching, "AT_ONCE", 3)
    gateway = LoneGateway("a", "b")
    watchers = Watching(gateway.connections, gateway.nodes, gateway.time, gateway.beside.spawn)
    numbers = [gateway.connect(f"player {number}").number for number in range(10)]
    for number in numbers:
        gateway.connections.watched.resume(number, ("AAAAA",))
    watchers.go_on((number, "AAAAA") for number in numbers)
    await gateway.quiet()
    for _ in range(4):
        (request,) = gateway.take()
        request.answer(Elsewhere(""))
        await gateway.pass_moments()
    (request,) = gateway.take()
    request.answer(DONE)
    shown = [request]
    for size in (3, 3, 3):
        await gateway.quiet()
        group = gateway.take()
        assert len(group) == size
        for request in group:
            request.answer(DONE)
        shown += group
    await gateway.quiet()
    followed = [each.message.link for each in shown if isinstance(each.message, Follow)]
    assert sorted(followed) == sorted(numbers)
    assert {each.peer for each in shown} == {shown[0].peer}
    assert not len(gateway.beside)


async def test_spectators_of_many_lost_tables_do_not_ask_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others wait for an answer to those before them."""
    monkeypatch.setattr(watching, "AT_ONCE", 3)
    gateway = LoneGateway("a", "b")
    watchers = Watching(gateway.connections, gateway.nodes, gateway.time, gateway.beside.spawn)
    number = gateway.connect("ann").number
    tables = [f"AAAA{letter}" for letter in "ABCDEFGH"]
    gateway.connections.watched.resume(number, tables)
    watchers.go_on((number, table) for table in tables)
    for size in (3, 3, 2):
        await gateway.quiet()
        group = gateway.take()
        assert len(group) == size
        for request in group:
            request.answer(DONE)
    await gateway.quiet()
    assert not len(gateway.beside)


async def test_a_spectator_whose_table_stays_lost_is_hung_up_on() -> None:
    """They come in again, and are told what became of it."""
    gateway = LoneGateway("a", "b")
    watchers = Watching(gateway.connections, gateway.nodes, gateway.time, gateway.beside.spawn)
    connection = gateway.connect("ann")
    gateway.connections.watched.resume(connection.number, ("AAAAA",))
    watchers.go_on([(connection.number, "AAAAA")])
    while not connection.closing:
        await gateway.quiet()
        (request,) = gateway.take()
        request.answer(Elsewhere(""))
        gateway.now += 10.0
        await gateway.pass_moments()
    await gateway.quiet()
    assert not gateway.take()
    assert not len(gateway.beside)


async def test_a_spectator_stays_while_no_node_reaches_its_database() -> None:
    """However long that takes: they are shown the table by the first node that can."""
    gateway = LoneGateway("a", "b")
    watchers = Watching(gateway.connections, gateway.nodes, gateway.time, gateway.beside.spawn)
    connection = gateway.connect("ann")
    gateway.connections.watched.resume(connection.number, ("AAAAA",))
    gateway.nodes._pausing.update(gateway.nodes._ready)
    watchers.go_on([(connection.number, "AAAAA")])
    for _ in range(20):
        await gateway.quiet()
        (request,) = gateway.take()
        request.answer(Elsewhere(""))
        gateway.now += 10.0
        await gateway.pass_moments()
    gateway.nodes._pausing.clear()
    await gateway.quiet()
    (request,) = gateway.take()
    request.answer(DONE)
    await gateway.quiet()
    assert not connection.closing
    assert not len(gateway.beside)
