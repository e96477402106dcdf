"""Tests a server that keeps closed tables for a limited number of days."""

import pytest

from tests.e2e.processes import Programs
from tests.e2e.stored import tables

pytestmark = pytest.mark.e2e


async def test_closed_tables_go_after_the_days_that_were_set(programs: Programs) -> None:
    """Old closed tables stay without the setting, and are deleted soon after a start with it."""
    soon_over = ("--create", "black_queen", "--start", "1", "--option", "deals=1")
    server = await programs.serve("--finished-seconds", "0")
    client = await programs.run("join", server.url, *soon_over, "--auto", "--json")
    await client.done()
    await server.stop()
    (table,) = tables(server.data)
    assert table.kinds[-1] == "closed"
    server = await programs.serve("--keep-days", "0.000001")
    await server.program.complaint("tables_deleted")
    await server.stop()
    assert tables(server.data) == []
