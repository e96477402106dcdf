"""Tests described games that use as many resources as they can beside other tables."""

import asyncio
from random import Random

import pytest

from protocol.connection import connect
from protocol.to_server import Act, CreateTable, Join, Ready, Start
from tests.e2e.client_log import ClientLog
from tests.e2e.players import HASTY, play
from tests.e2e.processes import Programs
from tests.e2e.test_slow_bots import figures

pytestmark = pytest.mark.e2e

LATE = 1.5
"""Seconds that all tables together may wait for one hostile move, on a busy machine."""
MANY = " ".join(
    f"({key} ({', '.join(key * length for length in range(1, 41))}))" for key in ("A", "B")
)
"""The attributes of 1,600 cards."""
X, Y = "(game vloc X)", "(game vloc Y)"


def endless(turn: str) -> str:
    """Return a game in which everybody repeats one move for ever."""
    return f"""(game
      (setup (create players 2)
       (create deck {X} (deck {MANY})) (create deck {Y} (deck {MANY})))
      (stage player (end (== (game sto N) (- 0 1)))
       {turn}
       (choice ((turn pass) (inc (game sto N)))))
      (scoring max (game sto N)))"""


HOSTILE = {
    "Flood": endless(
        "(do ((all (range 1 .. 900) 'A"
        f" (do ((move (top {X}) (top {Y})) (move (bottom {Y}) (top {X})))))))"
    ),
    "Options": endless(f"(choice ((any (range 1 .. 1100) 'A (swap {X} {Y}))))"),
    "Subsets": endless(
        f"(choice ((any (subsets (top 9 {X})) 'S (all 'S 'C (move 'C (top {Y}))))))"
        f" (do ((repeat 9 (move (top {Y}) (top {X})))))"
    ),
}


async def hostile(url: str, name: str) -> None:
    """Run two people who keep such a table as busy as they can."""
    async with (
        connect(url, name="Mal", patience=HASTY) as one,
        connect(url, name="Eve", patience=HASTY) as two,
    ):
        opened = await one.ask(CreateTable, game=f"{name}2.rcy", seats=2)
        await two.ask(Join, table=opened.table)
        await two.ask(Ready, table=opened.table)
        await one.ask(Start, table=opened.table)
        await asyncio.gather(*(play(each, ClientLog(), Random(1)) for each in (one, two)))


async def ordinary(url: str) -> int:
    """Play a match of a person and two bots, and return the number of the person's moves."""
    async with connect(url, name="Ann", patience=HASTY) as client:
        options = {"deals": 1}
        opened = await client.ask(CreateTable, game="black_queen", seats=3, options=options)
        await client.ask(Start, table=opened.table, fill=0)
        client_log = ClientLog()
        await play(client, client_log, Random(2))
        return sum(isinstance(command, Act) for command, _ in client_log.answers)


@pytest.mark.timeout(120)
async def test_an_ordinary_table_goes_on_beside_hostile_ones(programs: Programs) -> None:
    """An ordinary match beside hostile tables ends, and nobody waits long for moves there."""
    games = programs.folder / "games"
    games.mkdir()
    for name, text in HOSTILE.items():
        (games / f"{name}2.rcy").write_text(text)
    server = await programs.serve("--games", str(games))
    async with asyncio.TaskGroup() as tasks:
        others = [tasks.create_task(hostile(server.url, name)) for name in HOSTILE]
        moves = await ordinary(server.url)
        for other in others:
            other.cancel()
    told = await asyncio.to_thread(figures, server)
    assert told["blackqueen_moves_total by=person"] > moves + len(HOSTILE)
    assert told["blackqueen_loop_lag_worst_seconds"] < LATE
    await server.stop()
