"""Reads from the database which node owns which tables."""

import psycopg

from tests.e2e.processes import Programs
from tests.e2e.stored import url_of


def owners(programs: Programs) -> dict[str, int]:
    """Return the number of tables that each living node owns according to the database."""
    url = url_of(programs.data).replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT name, count(*) FROM tables JOIN nodes ON name = owner AND epoch = owner_epoch"
            " GROUP BY name"
        ).fetchall()
    return dict(rows)
