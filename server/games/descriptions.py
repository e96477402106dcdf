"""Described games: their names, and how a text becomes a game.

A described game is named ``NAME.rcy@DIGEST``, after its file and its text, and from version 2 of
the rules of the language on with the version in two more digits. So it is never taken for a game
that ships with the program, nor for the game of another file, or of this file on another day: a
table that names it is played by these rules for ever.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import PurePath
from typing import Any, NamedTuple

from engine import AnyGame, Catalogue, Match
from engine.catalogue import UnknownGame
from engine.errors import EngineError
from engine.game import GameInfo, MatchGame, Option
from protocol.about_games import about
from server.games.teams import Teams, teams_of

SUFFIXES = (".rcy", ".gdl")
"""The endings of description files, now and in older versions of the language."""
DIGEST_LENGTH = 32
"""Hexadecimal digits: 128 bits, so that nobody finds two texts of one digest."""
VERSION = 2
"""The version of the language's rules by which new tables play; `engine.recycle` keeps the others.
"""
WORK = 40_000
"""The work allowed between two choices, in the engine's units: tables share one processor.

A log is replayed within the same limit, so changing it changes the rules.
"""
_ID = re.compile(
    rf"(?P<name>.+)@(?P<digest>[0-9a-f]{{{DIGEST_LENGTH}}}(?P<version>[0-9a-f]{{2}})?)"
)


def digest_of(text: str) -> str:
    """Return the digest of a text."""
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def described_id(name: str, text: str) -> str:
    """Return the id of the game that `text` describes in a file called `name`."""
    return f"{name}@{digest_of(text)}{VERSION:02x}"


def digest_in(game: str) -> str | None:
    """Return digest and version from the id of a described game, by which its text is stored.

    Returns None for a game that ships with the program.
    """
    match = _ID.fullmatch(game)
    return match["digest"] if match else None


def version_in(game: str) -> int:
    """Return the version of the language's rules from the id of a described game."""
    match = _ID.fullmatch(game)
    return int(match["version"], 16) if match and match["version"] else 1


def name_in(game: str) -> str:
    """Return the name of the file from the id of a described game; any other id as it is."""
    match = _ID.fullmatch(game)
    return match["name"] if match else game


class DescriptionMissing(Exception):
    """A table is played by a description whose text is not in the store."""

    code = "description_missing"


class GameSource(NamedTuple):
    """The source of a described game, small enough to send to a process."""

    game: str
    text: str


@dataclass(frozen=True, slots=True, weakref_slot=True)
class DescribedGame:
    """A described game; `rules` is a page for people, who need more than the description.

    `teams` are computed with it: that takes a deal, for which no event loop should wait. `about`
    says in a sentence what the game is.
    """

    source: GameSource
    game: AnyGame
    rules: str
    teams: Teams = ()
    about: str = ""


class HostedMatch(Match[Any]):
    """A described game at a table; the limit of its work is no option of it."""

    def __init__(self, game: MatchGame[Any], id: str) -> None:
        super().__init__(game)
        self._info = replace(game.info, id=id)

    @property
    def info(self) -> GameInfo:
        """The game's entry in the lobby, under the id of the description."""
        return self._info

    def options(self, seats: int) -> tuple[Option, ...]:
        """The number of deals; the limit of a description's work on the server is no option."""
        return tuple(each for each in super().options(seats) if each.name == "deals")


def make_game(source: GameSource) -> AnyGame:
    """Make the game of a description; raise an `EngineError` with all errors if it has any.

    It takes up to seconds, for which the event loop must not wait.
    """
    # Most servers host no descriptions and need not load what reads them.
    from engine.recycle import load

    # The log of a version that is not known yet names it once more, and is refused there.
    version = min(version_in(source.game), VERSION)
    game = load(source.text, PurePath(name_in(source.game)).stem, version)
    game.program = replace(game.program, work=WORK)
    return HostedMatch(game, source.game)


def described(source: GameSource, rules: str = "") -> DescribedGame:
    """Make the game of a description with its rules page, by default the description itself."""
    game = make_game(source)
    page = rules or _as_rules(source.text)
    return DescribedGame(source, game, page, teams_of(game), about(rules, source.text))


class StoredGames:
    """The games that logs name: native games, and those whose text `text_of` finds."""

    def __init__(self, catalogue: Catalogue, text_of: Callable[[str], str | None]) -> None:
        self._catalogue = catalogue
        self._text_of = text_of
        self._made: dict[str, AnyGame] = {}

    def game(self, id: str) -> AnyGame:
        """Return the game of this id; raise `UnknownGame` if its description's text is missing."""
        digest = digest_in(id)
        if digest is None:
            return self._catalogue.game(id)
        if id not in self._made:
            text = self._text_of(digest)
            if text is None:
                raise UnknownGame(f"the description of {name_in(id)} is not in the database")
            self._made[id] = make_game(GameSource(id, text))
        return self._made[id]


def problems_in(error: EngineError) -> Sequence[str]:
    """List the errors of a description, one line each, without warnings."""
    from engine.recycle import BadDescription

    if isinstance(error, BadDescription):
        return [str(problem) for problem in error.problems if not problem.warning]
    return [str(error)]


def _as_rules(text: str) -> str:
    """Return a page that shows the description itself."""
    return f"These rules are written for the program.\n\n```\n{text.strip()}\n```\n"
