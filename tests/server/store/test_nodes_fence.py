"""When a node may declare another one's lease over."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import make_url

from server.store import LeaseTimes, NodeDetails, NodeFenced
from server.store.lease_keeper import LeaseKeeper
from tests.server.store.databases import on_postgresql
from tests.server.store.test_postgresql import execute

TIMES = LeaseTimes()


@contextmanager
def claimed(url: str, name: str) -> Iterator[LeaseKeeper]:
    """A keeper with its lease, whose rounds the test calls."""
    keeper = LeaseKeeper(make_url(url), NodeDetails(name))
    keeper.upgrade()
    keeper.claim()
    try:
        yield keeper
    finally:
        keeper.finish()


@on_postgresql
def test_a_short_absence_of_the_database_fences_nobody(url: str) -> None:
    """A short absence of the database fences nobody."""
    now = 1000.0
    with claimed(url, "a") as first, claimed(url, "b") as second:
        first.lease.clock = lambda: now
        for _ in range(10):
            now += TIMES.renewal
            first._round()
        # Its own lease was renewed last at the end of its rounds, the other's some time before.
        now += TIMES.lasts - TIMES.renewal
        execute(url, "UPDATE nodes SET expires = 1 WHERE name = 'b'")
        first._round()
        second._round()
        second.lease.check()
        # One that still has not renewed its lease when everybody could is fenced.
        execute(url, "UPDATE nodes SET expires = 1 WHERE name = 'b'")
        for _ in range(10):
            now += TIMES.renewal
            first._round()
        second._round()
        with pytest.raises(NodeFenced):
            second.lease.check()
