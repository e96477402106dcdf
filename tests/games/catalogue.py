"""What the tests know of each game that ships, found by the game's id in this folder.

A new game joins by its folder alone: `subject.py` and `broken.py` for the conformance suite,
`server_subject.py` for the tests of servers and programs.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from engine.catalogue import SHIPPED
from tests.conformance.faults import Faults
from tests.conformance.subject import Subject
from tests.games.server_subject import ServerSubject


def _found(game: str, module: str, name: str) -> Any:  # typed by the constants below
    return getattr(import_module(f"tests.games.{game}.{module}"), name)


# Subjects of games with different states stand in one list.
SUBJECTS: tuple[Subject[Any], ...] = tuple(_found(id, "subject", "subject")() for id in SHIPPED)
"""Every game as the conformance suite tests it."""

BROKEN: Mapping[str, Faults] = {id: _found(id, "broken", "FAULTS") for id in SHIPPED}
"""By game id, variants of the game that break a promise on purpose."""

SERVER_SUBJECTS: Mapping[str, ServerSubject] = {
    id: _found(id, "server_subject", "SERVER_SUBJECT") for id in SHIPPED
}
"""By game id, the game as the tests of servers and programs play it."""


def short_options(game: str) -> tuple[str, ...]:
    """The command's flags for a short match: ``--option deals=1``."""
    pairs = SERVER_SUBJECTS[game].short.items()
    return tuple(word for name, value in pairs for word in ("--option", f"{name}={value}"))
