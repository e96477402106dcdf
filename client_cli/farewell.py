"""What a person is told on closing the program: what happens to their seat, how to come back."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from client_cli.effects import Remark
from protocol.mirror import TableMirror

Farewell: TypeAlias = Callable[[TableMirror], Remark | None]
"""What to say about a table as it is when the program is closed; None if there is nothing."""

_OPEN = ("lobby", "playing", "paused")


def from_server(
    *back: str, kept: bool = True, online: Callable[[], bool] = lambda: True
) -> Farewell:
    """For a seat at a server; the words of the command `back` take it again.

    Unless the identity is `kept`, nobody can. While the program is not `online`, perhaps no server
    runs that could let a bot play.
    """

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        if not kept:
            return Remark("You cannot come back to this seat: the program keeps no identity.")
        if table.info.phase == "lobby":
            told = "Your seat is kept for a while."
        elif not online():
            told = "Your seat is kept."
        else:
            told = "Your seat is kept, and a bot plays for you after a while."
        return Remark(f"{told} Come back with:", command=_command(*back))

    return farewell


def from_private(game: str | None, folder: Path | None) -> Farewell:
    """For a match on a private server, whose tables are kept in `folder` if there is one."""

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        if folder is None:
            told = "The match was not kept. Start with --data DIR to keep a match for later."
            return Remark(told)
        again = ("play", *([game] if game else []), "--data", str(folder))
        return Remark("The match is kept. Continue with:", command=_command(*again))

    return farewell


def from_watching(*back: str) -> Farewell:
    """For a spectator."""

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        return Remark("Watch again with:", command=_command(*back))

    return farewell


def _command(*words: str) -> str:
    return shlex.join(("blackqueen", *words))
