"""Reading a server's list page by page."""

from protocol.connection import connect
from protocol.listing import public_tables, where_known
from protocol.to_client import TableInfo, TableList, ToClient
from protocol.to_server import Hello, ListTables, ToServer
from tests.protocol.model_server import INFO, welcome
from tests.protocol.model_socket_server import HASTY, ModelSocketServer, running


def numbered(at: int) -> TableInfo:
    return INFO.model_copy(update={"table": f"T{at}"})


class Lister:
    """A connection that answers with two tables a page, as long as there are `tables`."""

    def __init__(self, tables: int, *features: str) -> None:
        self.tables = tables
        self.features = features
        self.asked: list[ListTables] = []

    def answer(self, command: ToServer) -> list[ToClient] | None:
        if isinstance(command, Hello):
            return [welcome(command.id).model_copy(update={"features": self.features})]
        if not isinstance(command, ListTables):
            return None
        self.asked.append(command)
        start = int(command.page or 0)
        page = tuple(numbered(at) for at in range(start, min(start + 2, self.tables)))
        more = str(start + 2) if start + 2 < self.tables else None
        return [TableList(id=command.id, tables=page, next=more)]


PAGES = ("list_tables.page", "list_tables.free", "tables.next")


async def test_all_pages_in_order() -> None:
    """All pages are requested with one set of filters, up to the last page."""
    lister = Lister(5, *PAGES)
    async with (
        running(ModelSocketServer(answer=lister.answer)) as server,
        connect(server.url) as client,
    ):
        told = [each.table async for each in public_tables(client, free=1)]
    assert told == [f"T{at}" for at in range(5)]
    assert [(each.page, each.free) for each in lister.asked] == [(None, 1), ("2", 1), ("4", 1)]


async def test_no_more_pages_than_are_needed() -> None:
    """No further page is requested once the client has seen enough."""
    lister = Lister(100, *PAGES)
    async with (
        running(ModelSocketServer(answer=lister.answer)) as server,
        connect(server.url) as client,
    ):
        async for table in public_tables(client):
            if table.table == "T2":
                break
    assert len(lister.asked) == 2


async def test_a_list_without_end_has_one() -> None:
    """A list that never ends is read only up to a limit."""
    lister = Lister(1_000_000, *PAGES)
    server = ModelSocketServer(answer=lister.answer)
    async with running(server), connect(server.url, patience=HASTY) as client:
        told = [each.table async for each in public_tables(client)]
    assert len(lister.asked) == 1_000
    assert len(told) == 2_000


async def test_filters_of_which_the_server_knows_nothing() -> None:
    """Filters that the server does not know are left out on request."""
    async with (
        running(ModelSocketServer(answer=Lister(1, *PAGES).answer)) as server,
        connect(server.url) as client,
    ):
        assert where_known(client, free=1, phase="lobby") == {"free": 1}
