"""Tables of described games keep the version of the rules with which they were opened."""

import pytest

from engine import Setup, Shuffler, seed_from_int
from engine.recycle.running.program import VERSION as NEWEST
from protocol.to_server import TableSettings
from server.games.descriptions import (
    VERSION,
    GameSource,
    described_id,
    digest_in,
    digest_of,
    make_game,
    name_in,
    version_in,
)
from server.table.entries import Opened
from server.table.errors import NewerLog
from server.table.fold import open_table

LUCK = """(game
 (setup (create players 2) (create deck (game hloc STOCK) (deck (RANK (A, K)))))
 (stage player (end (> (game sto DIE) 0)) (choice ((set (game sto DIE) (random 1 .. 6)))))
 (scoring max (game sto DIE)))
"""
NOW = described_id("Luck2.rcy", LUCK)
BEFORE = f"Luck2.rcy@{digest_of(LUCK)}"
"""The id of a game before there were versions."""
LATER = f"{BEFORE}{VERSION + 1:02x}"


def test_an_id_tells_the_version() -> None:
    """The id has the version of the rules; one without it has the first."""
    assert VERSION == NEWEST
    assert [version_in(each) for each in (BEFORE, NOW, LATER, "hearts")] == [1, 2, 3, 1]
    assert {name_in(each) for each in (BEFORE, NOW, LATER)} == {"Luck2.rcy"}
    assert digest_in(NOW) == f"{digest_of(LUCK)}02"


@pytest.mark.parametrize(("id", "action"), [(BEFORE, "die 4"), (NOW, "die ?")])
def test_a_table_keeps_its_version(id: str, action: str) -> None:
    """A table keeps the version that its log names."""
    game = make_game(GameSource(id, LUCK))
    state = game.start(Setup(2, {}, Shuffler(seed_from_int(1)))).state
    assert game.choices(state, 0).actions == (action,)
    assert game.info.id == id
    assert game.outcome(game.apply(state, 0, action).state) is not None


def test_a_version_to_come_is_refused() -> None:
    """A log with a newer version is refused."""
    opened = Opened(LATER, VERSION + 1, 2, {"deals": 1}, TableSettings())
    with pytest.raises(NewerLog):
        open_table(make_game(GameSource(LATER, LUCK)), opened)
