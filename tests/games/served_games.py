"""Every game as the tests of servers and programs play it, by its id."""

from collections.abc import Mapping
from importlib import import_module

from engine.catalogue import SHIPPED
from tests.server.served import Served


def _served(game: str) -> Served:
    served = import_module(f"tests.games.{game}.served").SERVED
    assert isinstance(served, Served)
    return served


SERVED: Mapping[str, Served] = {game: _served(game) for game in SHIPPED}


def short_options(game: str) -> tuple[str, ...]:
    """The flags of a command that opens a short match: ``--option deals=1``."""
    pairs = SERVED[game].short.items()
    return tuple(word for name, value in pairs for word in ("--option", f"{name}={value}"))
