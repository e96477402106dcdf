"""Commands that are held, because nobody has their table just now, hold nothing else."""

from collections.abc import Callable

import pytest

from protocol.to_server import Chat, ToServer
from server.commands import delivery
from server.commands.delivery import Delivery
from server.connections.connection import Connection
from server.crossing.names import Key
from server.crossing.requests import DONE, Asked, Elsewhere
from tests.server.commands.gateway import LoneGateway


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection waits for a command that is held."""
    monkeypatch.setattr(delivery, "MOMENT_SECONDS", 0.0)


def begun(gateway: LoneGateway, connection: Connection) -> Callable[[int, str], Asked]:
    """Makes a command of a connection, that waits for its answer."""

    def begin(number: int, table: str) -> Asked:
        command = Chat(id=number, table=table, text="hello")
        key = Key(connection.player, "laptop", number)
        assert gateway.connections.begin_command(key, command, gateway.now, connection)
        return Asked(gateway.nodes.name, connection.number, key, command, fresh=True)

    return begin


@pytest.mark.parametrize("nodes", [("a",), ("a", "b")])
async def test_a_held_command_holds_only_those_for_its_table(nodes: tuple[str, ...]) -> None:
    """Others of its connection go on; those for its table follow it in their order."""
    gateway = LoneGateway(*nodes)
    commands = Delivery(
        gateway.connections, gateway.nodes, gateway.time, gateway.settle, gateway.beside.spawn
    )
    begin = begun(gateway, gateway.connect("ann"))
    await commands.deliver(begin(1, "AAAAA"))
    (held,) = gateway.take()
    assert isinstance(held.message, Asked)
    assert held.message.fresh
    held.answer(Elsewhere(""))
    await commands.deliver(begin(2, "AAAAA"))
    await commands.deliver(begin(3, "BBBBB"))
    await gateway.quiet()
    (other,) = gateway.take()
    assert isinstance(other.message, Asked)
    assert other.message.key.command == 3
    other.answer(DONE)
    for number in (1, 2):
        await gateway.pass_moments()
        (request,) = gateway.take()
        assert isinstance(request.message, Asked)
        assert request.message.key.command == number
        # Another gateway may have asked for the first one, too, before the table was nowhere.
        assert request.message.fresh is (number != 1)
        request.answer(DONE)
    await gateway.quiet()
    assert not len(gateway.beside)
    assert not commands._last
    assert not commands._held


async def test_commands_that_wait_are_not_looked_through_at_each_that_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many wait; those that were answered are forgotten all the same."""
    monkeypatch.setattr(delivery, "MANY", 8)
    gateway = LoneGateway("a", "b")
    connections = gateway.connections
    commands = Delivery(
        connections, gateway.nodes, gateway.time, gateway.settle, gateway.beside.spawn
    )
    looked = 0
    waiting = connections.waiting

    def counted() -> list[tuple[int, Key, ToServer]]:
        nonlocal looked
        looked += 1
        return waiting()

    monkeypatch.setattr(connections, "waiting", counted)
    begin = begun(gateway, gateway.connect("ann"))
    for number in range(1, 65):
        await commands.deliver(begin(number, "AAAAA"))
        await gateway.quiet()
        (request,) = gateway.take()
        request.answer(DONE)
        await gateway.quiet()
    assert looked == 3
    for number in range(1, 194):
        if number > 64:
            await commands.deliver(begin(number, "AAAAA"))
            await gateway.quiet()
            gateway.take()[0].answer(DONE)
            await gateway.quiet()
        connections.answer(Key("ann", "laptop", number), {"type": "ok", "id": number})
    await gateway.quiet()
    assert len(commands._at) < 16
