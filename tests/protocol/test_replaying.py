"""Replaying a table's log."""

from typing import Any

import pytest

from engine.views import EMPTY_VIEW, View, Zone
from protocol.connection import Client
from protocol.replaying import KEPT_EVERY, TableLog, opened, read_log
from protocol.to_client import LogEntry, LogPage, Question
from tests.protocol.model_server import INFO, TABLE, ModelServer


def model(entries: int) -> ModelServer:
    server = ModelServer(seat=0)
    for _ in range(entries):
        server.happens()
    return server


def page(server: ModelServer, after: int, size: int) -> LogPage:
    told = enumerate(server.log[after : after + size], start=after + 1)
    entries = tuple(
        LogEntry(seq=seq, time=float(seq), facts=facts, question=Question(turn=seq))
        for seq, facts in told
    )
    return LogPage(id=1, table=TABLE, seat=0, last=len(server.log), info=INFO, entries=entries)


def test_each_moment_is_as_it_was_seen() -> None:
    """Each position is as it was seen, in whatever order positions are visited."""
    server = model(3 * KEPT_EVERY)
    log = TableLog([page(server, at, 40) for at in (0, 40, 80)])
    assert len(log) == 3 * KEPT_EVERY
    for seq in (3 * KEPT_EVERY, 7, 50, 51, 2 * KEPT_EVERY, 1):
        then = ModelServer(seat=0, log=server.log[:seq])
        assert log.at(seq) == then.truth()
    assert log.at(0).view == EMPTY_VIEW
    for seq in (-1, 3 * KEPT_EVERY + 1):
        with pytest.raises(IndexError):
            log.at(seq)


def test_a_gap_is_noticed() -> None:
    """A missing page, or a wrong first page, raises an error."""
    server = model(30)
    for begins in ((10,), (0, 20)):
        with pytest.raises(ValueError, match="do not follow"):
            TableLog([page(server, at, 10) for at in begins])


def test_another_seat_begins_with_its_view() -> None:
    """Another seat starts with its given view; a seat may change between deals."""
    view = View({"hand/2": Zone(("QS",))})
    entries = (
        LogEntry(seq=1, time=1.0, changed=True, seat=1),
        LogEntry(seq=2, time=2.0, changed=True, seat=2, view=view),
        LogEntry(seq=3, time=3.0, hidden=True),
    )
    log = TableLog([LogPage(id=1, table=TABLE, seat=None, last=3, info=INFO, entries=entries)])
    assert [(log.at(at).seat, log.at(at).view) for at in range(4)] == [
        (None, EMPTY_VIEW),
        (1, EMPTY_VIEW),
        (2, view),
        (2, view),
    ]


def test_all_views_together_show_what_anybody_saw() -> None:
    """The merged view has, for each zone, the version with the fewest backs."""
    ann = View({"hand/0": Zone(("QS",)), "hand/1": Zone((), 1), "talon": Zone((), 4)}, {"a": 1})
    bea = View({"hand/0": Zone((), 1), "hand/1": Zone(("KS",)), "talon": Zone((), 4)}, {"b": 2})
    both = opened([ann, bea])
    assert both.zones == {"hand/0": Zone(("QS",)), "hand/1": Zone(("KS",)), "talon": Zone((), 4)}
    assert both.values == {"a": 1, "b": 2}


class Paging(Client):
    """A client whose server sends ten entries a page."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.asked: list[tuple[int, int | None]] = []

    async def ask(self, kind: Any, **fields: Any) -> Any:
        self.asked.append((fields["after"], fields["seat"]))
        return page(self.server, fields["after"], 10)


async def test_a_log_is_read_page_by_page() -> None:
    """A log is read page by page to the end that it had at first."""
    client = Paging(model(25))
    log = await read_log(client, TABLE, seat=2)
    assert client.asked == [(0, 2), (10, 2), (20, 2)]
    assert log.at(25) == client.server.truth()
