"""The asyncio client at a server of several nodes, over real sockets on this machine."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from protocol.client_events import (
    Answered,
    ClientEvent,
    Disconnected,
    Reconnected,
    TableEvent,
    TableSnapshot,
)
from protocol.connection import Client, connect
from protocol.errors import ConnectionLost, ErrorCode, ProtocolError
from protocol.to_client import Error, Notice, Ok, Pong, TableMoved, ToClient
from protocol.to_server import Act, Hello, Join, Ping, ToServer, Watch
from protocol.version import CLOSE_REPLACED
from tests.protocol.model_node_servers import NodeServers, node_servers
from tests.protocol.model_nodes import TABLES
from tests.protocol.model_socket_server import HASTY, kinds_until

TABLE, OTHER = TABLES


@pytest.fixture
async def servers() -> AsyncIterator[NodeServers]:
    async with node_servers() as servers:
        yield servers


def told_so_far(client: Client) -> list[type[ClientEvent]]:
    """The client events that are not read yet."""
    told = [client._told.get_nowait() for _ in range(client._told.qsize())]
    return [type(event) for event in told if event is not None]


async def act(client: Client, table: str = TABLE) -> Ok:
    return await client.ask(Act, table=table, turn=0, action="do it")


class TestMoving:
    async def test_a_table_is_found_where_it_is(self, servers: NodeServers) -> None:
        """The first command for a table elsewhere is answered there, with its id."""
        servers.nodes.owners[TABLE] = "b"
        async with connect(servers.entry, name="Ann", patience=HASTY) as client:
            assert (await client.ask(Join, table=TABLE)).id == 2
            assert (await act(client)).seq == 1
            assert isinstance(await client.ask(Ping), Pong)
            assert client.tables[TABLE] == servers.nodes.tables[TABLE].truth()
            assert Disconnected not in told_so_far(client)
        joins = [(node, each.id) for node, each in servers.heard if isinstance(each, Join)]
        assert joins == [("a", 2), ("b", 2)]
        hellos = [each for _, each in servers.heard if isinstance(each, Hello)]
        assert [each.alongside for each in hellos] == [True, True]
        assert len({each.client for each in hellos}) == 1

    async def test_a_planned_move_is_not_told(self, servers: NodeServers) -> None:
        """A planned move and the return are not reported, and unused connections are closed."""
        async with connect(servers.entry, patience=HASTY) as client:
            await client.ask(Join, table=TABLE)
            await client.ask(Watch, table=OTHER)
            for node in ("b", "c", "b", "a"):
                await servers.give(TABLE, node)
                await act(client)
                await servers.happens(OTHER)
                await client.ask(Ping)
                for table in TABLES:
                    assert client.tables[table] == servers.nodes.tables[table].truth()
            assert not client.session.others
            told = told_so_far(client)
            assert Disconnected not in told
            assert Reconnected not in told
        assert servers.hellos("a") == 1

    async def test_who_plays_at_several_nodes_is_at_all_of_them(self, servers: NodeServers) -> None:
        """Tables at several nodes have a connection each, whose news come at once."""
        servers.nodes.owners.update({TABLE: "b", OTHER: "c"})
        async with connect(servers.entry, patience=HASTY) as client:
            for table in TABLES:
                await client.ask(Join, table=table)
            assert servers.connected_to("b")
            assert servers.connected_to("c")
            for table in TABLES:
                await servers.happens(table)
                await kinds_until(client, TableEvent)

    async def test_a_token_does_not_leave_the_server(self, servers: NodeServers) -> None:
        """A command for another server fails and names the address; the token stays."""
        far = "wss://elsewhere.example/"
        servers.answer = lambda node, command: leads(command, far)
        async with connect(servers.entry, patience=HASTY) as client:
            with pytest.raises(ProtocolError, match=r"elsewhere: .*wss://elsewhere\.example/"):
                await client.ask(Join, table=TABLE)
            assert isinstance(await client.ask(Ping), Pong)


def leads(command: ToServer, url: str) -> list[ToClient] | None:
    return [TableMoved(id=command.id, table=TABLE, url=url)] if isinstance(command, Join) else None


@pytest.fixture
async def client(servers: NodeServers) -> AsyncIterator[Client]:
    """A client at a table of the second node that has read all events so far."""
    servers.nodes.owners[TABLE] = "b"
    async with connect(servers.entry, patience=HASTY) as client:
        await client.ask(Join, table=TABLE)
        await kinds_until(client, TableSnapshot)
        yield client


class TestLosing:
    async def test_a_node_is_gone(self, servers: NodeServers, client: Client) -> None:
        """If a node is gone, the entry takes the table, and the command is answered once."""
        await servers.close("b")
        assert await kinds_until(client, Disconnected) == [Disconnected]
        assert (await act(client)).seq == 1
        assert client.tables[TABLE] == servers.nodes.tables[TABLE].truth()
        told = await kinds_until(client, Answered)
        assert told[:2] == [Reconnected, TableSnapshot]
        assert Disconnected not in told
        failed = [each.failed for _, each in servers.heard if isinstance(each, Watch)]
        assert failed == [servers.nodes.urls["b"]]
        assert len(servers.nodes.tables[TABLE].applied) == 1

    async def test_a_node_breaks_off_and_is_there_again(
        self, servers: NodeServers, client: Client
    ) -> None:
        """A node that drops and returns is reached again without asking the entry."""
        [socket] = [each for link, each in servers.sockets.items() if link.node == "b"]
        await socket.close(1012)
        assert await kinds_until(client, Reconnected) == [Disconnected, Reconnected]
        await act(client)
        assert client.tables[TABLE] == servers.nodes.tables[TABLE].truth()
        assert not [each for _, each in servers.heard if isinstance(each, Watch)]

    async def test_a_node_is_silent(self, servers: NodeServers) -> None:
        """A node that accepts connections but stays silent makes the client ask the entry."""
        servers.nodes.owners[TABLE] = "b"
        hurried = replace(HASTY, answer=0.01, sign=0.01, ping=0.02)
        async with connect(servers.entry, patience=hurried) as client:
            await client.ask(Join, table=TABLE)
            await kinds_until(client, TableSnapshot)
            [socket] = [each for link, each in servers.sockets.items() if link.node == "b"]
            servers.deaf.add("b")
            servers.nodes.up.discard("b")
            socket.transport.pause_reading()
            assert (await act(client)).seq == 1
            assert servers.nodes.owners[TABLE] != "b"

    async def test_a_node_that_nobody_finds(self, servers: NodeServers) -> None:
        """A command for a table that is not followed goes back to the entry if its node is gone."""
        await servers.close("b")
        wrong = [TableMoved(id=2, table=TABLE, url=servers.nodes.urls["b"])]
        servers.answer = lambda node, command: (
            [wrong.pop()] if isinstance(command, Join) and wrong else None
        )
        async with connect(servers.entry, patience=HASTY) as client:
            assert (await client.ask(Join, table=TABLE)).id == 2
        assert not wrong

    async def test_a_node_that_has_no_place_for_us(
        self, servers: NodeServers, client: Client
    ) -> None:
        """A node that refuses hello does not end the session while the entry accepts it."""
        refusals: list[ErrorCode] = ["forbidden", "draining"]

        def refuse(node: str, command: ToServer) -> list[ToClient] | None:
            if node == "b" and isinstance(command, Hello) and refusals:
                return [Error(id=command.id, code=refusals.pop(), reason="not you")]
            return None

        servers.answer = refuse
        [socket] = [each for link, each in servers.sockets.items() if link.node == "b"]
        await socket.close(1012)
        await act(client)
        assert not refusals
        assert client.tables[TABLE] == servers.nodes.tables[TABLE].truth()

    async def test_the_entry_has_no_place_for_us_for_a_while(
        self, servers: NodeServers, client: Client
    ) -> None:
        """A temporary refusal by the entry does not end connections to other nodes."""
        refusals: list[ErrorCode] = ["try_again", "draining"] * 5

        def refuse(node: str, command: ToServer) -> list[ToClient] | None:
            if node == "a" and isinstance(command, Hello) and refusals:
                return [Error(id=command.id, code=refusals.pop(), reason="later")]
            return None

        servers.answer = refuse
        for socket in tuple(servers.sockets.values()):
            await socket.close(1012)
        while refusals:
            await act(client)
        assert isinstance(await client.ask(Ping), Pong)
        assert client.tables[TABLE] == servers.nodes.tables[TABLE].truth()

    async def test_the_entry_is_gone(self, servers: NodeServers, client: Client) -> None:
        """A lost entry does not disturb the tables at other nodes."""
        await servers.close("a")
        assert (await act(client)).seq == 1
        await servers.open("a")
        assert isinstance(await client.ask(Ping), Pong)
        assert Disconnected not in told_so_far(client)

    async def test_nobody_is_there_any_more(self, servers: NodeServers) -> None:
        """If no node is reachable the client gives up with a reason."""
        servers.nodes.owners[TABLE] = "b"
        brief = replace(HASTY, give_up_after=0.05)
        async with connect(servers.entry, patience=brief) as client:
            await client.ask(Join, table=TABLE)
            for node in ("a", "b"):
                await servers.close(node)
            with pytest.raises(ConnectionLost, match="gave up after"):
                await act(client)

    async def test_a_node_that_never_answers(self, servers: NodeServers) -> None:
        """A node that never answers is given up, although the entry names it again and again."""
        servers.nodes.owners[TABLE] = "b"
        brief = replace(HASTY, give_up_after=0.05)
        async with connect(servers.entry, patience=brief) as client:
            await client.ask(Join, table=TABLE)
            await servers.close("b")
            servers.nodes.up.add("b")
            with pytest.raises(ConnectionLost, match=r"gave up after 0\.05 seconds: nothing"):
                await act(client)

    async def test_being_removed_at_another_node(
        self, servers: NodeServers, client: Client
    ) -> None:
        """Being disconnected by an administrator at any node ends the whole session."""
        [link] = [each for each in servers.nodes.links if each.node == "b"]
        link.down.append([Error(id=None, code="forbidden", reason="no more")])
        await servers.send()
        with pytest.raises(ProtocolError, match="no more"):
            await kinds_until(client, Answered)

    async def test_being_replaced_at_another_node(
        self, servers: NodeServers, client: Client
    ) -> None:
        """Being replaced at any node ends the whole session."""
        link = max(servers.nodes.links, key=lambda each: each.node)
        link.down.append([Notice(kind="replaced")])
        await servers.send()
        with pytest.raises(ProtocolError, match="replaced"):
            await kinds_until(client, Answered)

    async def test_being_replaced_by_a_connection_of_one_s_own(
        self, servers: NodeServers, client: Client
    ) -> None:
        """A connection replaced by another one of its session is reopened at once."""
        [link] = [each for each in servers.nodes.links if each.node == "a"]
        link.down.append([Notice(kind="replaced")])
        await servers.send()
        await servers.sockets[link].close(CLOSE_REPLACED)
        assert isinstance(await client.ask(Ping), Pong)
        assert Disconnected not in told_so_far(client)
        assert servers.hellos("a") == 2
