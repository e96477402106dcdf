"""Many matches of every game, with options and seats of all sorts: every described game there is,
and the games of the program with each number of seats.
"""

import shutil
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine import GAMES as NATIVE
from engine import AnyGame
from engine.game import Option, OptionValue
from server.games.folder import GameFolder
from tests.recordings.party import GAMES, Scenes
from tests.server.harness import open_server

MOST_PEOPLE = 3
MOST_MOVES = 60
"""Of people; bots move in between. Some matches are over by then, and some are not."""
TWICE = 2


class _Match(NamedTuple):
    game: str
    seats: int
    options: dict[str, OptionValue]


async def record_matches(folder: Path, data: Path) -> Scenes:
    """Write the database in `data`; `folder` is for what else that takes."""
    games = folder / "games"
    games.mkdir()
    for path in GAMES.glob("*.rcy"):
        shutil.copy(path, games)
    async with open_server(data, hosted=GameFolder(games), max_connections=10_000) as server:
        scenes = Scenes(server, Random(20_251_123))
        for match in _native(scenes.rng):
            await _play(scenes, match)
        for info in server.library:
            if info.id not in {known.id for known in NATIVE}:
                await _play(scenes, _Match(info.id, info.seats[0], {}))
        return scenes


def _native(rng: Random) -> list[_Match]:
    return [
        _Match(info.id, seats, _options(NATIVE.game(info.id), seats, rng))
        for info in NATIVE
        for seats in info.seats
        for _ in range(TWICE if len(info.seats) > 1 else 2 * TWICE)
    ]


def _options(game: AnyGame, seats: int, rng: Random) -> dict[str, OptionValue]:
    """Each option somewhere in its range, but no match longer than usual."""
    return {each.name: _value(each, rng) for each in game.options(seats)}


def _value(option: Option, rng: Random) -> OptionValue:
    if option.words:
        return rng.choice(option.words)
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    low, usual = option.low, option.default
    assert low is not None
    assert isinstance(usual, int)
    return rng.randint(low, max(low, usual))


async def _play(scenes: Scenes, match: _Match) -> None:
    names = ("Ann", "Ben", "Cem")[: min(MOST_PEOPLE, match.seats)]
    about = f"{match.game.partition('@')[0]}, {match.seats} seats"
    party = await scenes.gather(about, match.game, match.seats, *names, options=match.options)
    await party.start(fill=0)
    for _ in range(MOST_MOVES):
        if party.state.phase != "playing":
            return
        await party.move()
