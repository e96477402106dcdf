"""Why a bot of a private server is slow at first."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from client_cli.output import LineOutput
from client_cli.private_server import PrivateServer, report_warming
from protocol.mirror import TableMirror
from tests.client_cli.tables import ANNS_TURN, WIDE, table

BOTS_TURN = table(to_act=(1,), seq=30)


class Over(Exception):
    """The test has shown all the tables it has."""


async def told(log: Path, *tables: TableMirror | None) -> str:
    """What a person reads while the table is as in `tables`, one a second."""
    shown = iter(tables)
    now = next(shown)
    written = io.StringIO()

    async def sleep(seconds: float) -> None:
        nonlocal now
        try:
            now = next(shown)
        except StopIteration:
            raise Over from None

    def look() -> TableMirror | None:
        return now

    output = LineOutput(lambda: WIDE, _writing(written))
    begin = len(b"bots_warming before")
    try:
        await report_warming(PrivateServer("ws://host", log, begin), look, output, sleep)
    except Over:
        return "still watching"
    return written.getvalue()


def _writing(to: io.StringIO) -> Callable[[str], None]:
    def write(text: str) -> None:
        to.write(text)

    return write


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a server that went before, and of one that is warming its bots now."""
    file = tmp_path / "server.log"
    file.write_bytes(b'bots_warming before{"event": "bots_warming"}\n')
    return file


async def test_a_bot_that_is_waited_for_long_is_explained(log: Path) -> None:
    """While the server says that it warms them."""
    assert "still warming up" in await told(log, *[BOTS_TURN] * 7)


@pytest.mark.parametrize("end", ["bots_warmed", "bots_not_warmed"])
async def test_warm_bots_are_just_slow(log: Path, end: str) -> None:
    """Nothing is said that is not so."""
    with log.open("a") as more:
        more.write(f'{{"event": "{end}"}}\n')
    assert await told(log, *[BOTS_TURN] * 7) == ""


async def test_bots_that_are_never_warmed_are_just_slow(tmp_path: Path) -> None:
    """What an earlier server did says nothing of this one."""
    with (tmp_path / "server.log").open("w") as log:
        log.write("bots_warming before")
    assert await told(tmp_path / "server.log", *[BOTS_TURN] * 7) == ""


async def test_a_table_that_is_gone_is_waited_at_no_more(log: Path) -> None:
    """Its player has left."""
    assert await told(log, *[BOTS_TURN] * 3, None, BOTS_TURN) == ""


async def test_only_a_wait_for_one_bot_counts(log: Path) -> None:
    """Neither thinking oneself nor bots that play on is a wait."""
    assert await told(log, *[ANNS_TURN] * 20) == "still watching"
    passing = table(to_act=(0, 1, 2), actions=("pass 2C",))
    assert await told(log, *[passing] * 20) == "still watching"
    moves = [table(to_act=(1,), seq=at) for at in range(20)]
    assert await told(log, *moves) == "still watching"
