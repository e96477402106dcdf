"""The measured game: one that ships with the program, or a description in a file."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bots.lab.errors import BadPlan
from engine.catalogue import GAMES, AnyGame, Catalogue
from engine.errors import EngineError
from engine.recycle import load

ENDINGS = (".rcy", ".gdl")
_LARGEST = 1 << 20
"""Descriptions are some kilobytes; a user who names a film by mistake should hear so at once."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a game comes from, complete enough to send to another machine.

    `text` is that of a description; it is empty for a native game, whose id is `name`.
    """

    name: str
    text: str = ""


def source_of(word: str) -> Source:
    """The game or file that `word` names; `BadPlan` if neither exists."""
    path = Path(word)
    if word in {info.id for info in GAMES}:
        return Source(word)
    if not (path.suffix in ENDINGS or path.is_file()):
        known = ", ".join(info.id for info in GAMES)
        raise BadPlan(f"no game {word!r}: there are {known}, or name a file (*.rcy)")
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            raise BadPlan(f"{path} is no description: it is larger than {_LARGEST} bytes")
        return Source(path.stem, raw.decode("utf-8-sig"))
    except OSError as error:
        raise BadPlan(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadPlan(f"{path} is no description: it is not UTF-8 text") from error


@cache
def catalogue_of(source: Source) -> Catalogue:
    """A catalogue of the game of `source` alone, under its own id; made once a process."""
    if not source.text:
        return Catalogue((GAMES.game(source.name),))
    return Catalogue((_described(source),))


def game_of(source: Source) -> AnyGame:
    """The game of `source`; made once a process. `BadPlan` if it cannot be read."""
    (info,) = catalogue_of(source)
    return catalogue_of(source).game(info.id)


def _described(source: Source) -> AnyGame:
    try:
        return load(source.text, source.name)
    except EngineError as error:
        raise BadPlan(f"{source.name} is no game that can be played:\n{error}") from error
