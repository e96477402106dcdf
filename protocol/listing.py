"""A server's list of public tables, page after page."""

from collections.abc import AsyncIterator
from typing import Any

from protocol.connection import Client
from protocol.to_client import TableInfo
from protocol.to_server import ListTables

_MOST_PAGES = 1_000
"""More than any honest server has."""


async def public_tables(client: Client, **wanted: Any) -> AsyncIterator[TableInfo]:
    """Every public table that matches `wanted` (as in `list_tables`), those with free seats first.

    A page is requested when it is needed. `ProtocolError` if the server is too old for a filter.
    """
    page: str | None = None
    for _ in range(_MOST_PAGES):
        answer = await client.ask(ListTables, page=page, **wanted)
        for table in answer.tables:
            yield table
        page = answer.next
        if page is None:
            return


def where_known(client: Client, **wanted: Any) -> dict[str, Any]:
    """The filters that this server knows; for clients that filter each table themselves anyway."""
    return {
        name: value for name, value in wanted.items() if client.session.knows(f"list_tables.{name}")
    }
