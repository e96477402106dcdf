"""How long a game is and how much skill shows in it, as far as that was measured."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from protocol.to_client import GameFigures
from server.games.descriptions import DescribedGame, digest_of

_COMMENT = re.compile(";.*")


def figures_of(id: str, text: DescribedGame | None) -> GameFigures | None:
    """Return the figures of a game; None for one that was not measured, as for a changed file."""
    name = id if text is None else measured_name(text.source.text)
    choices, skill = (table.get(name) for table in _measured())
    if choices is None and skill is None:
        return None
    return GameFigures(choices=choices, skill=skill)


def measured_name(text: str) -> str:
    """Return the name of a description's figures: the digest of its text without comments."""
    return digest_of(" ".join(_COMMENT.sub("", text).split()))


@cache
def _measured() -> tuple[dict[str, int], dict[str, float]]:
    read = tomllib.loads((files("server.games") / "figures.toml").read_text("utf-8"))
    return read["choices"], read["skill"]
