"""What a person is told on closing the program: what happens to their seat, and how to return."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from client_cli.effects import Remark
from client_cli.tell import tell
from protocol.mirror import TableMirror
from protocol.own_command import own_command

Farewell: TypeAlias = Callable[[TableMirror], Remark | None]
"""What to say about a table as it is when the program is closed; None if there is nothing."""

_OPEN = ("lobby", "playing", "paused")


def from_server(
    *back: str, kept: bool = True, online: Callable[[], bool] = lambda: True
) -> Farewell:
    """The farewell for a seat at a server; the words of the command `back` take the seat again.

    Unless the identity is `kept`, nobody can. While the program is not `online`, perhaps no server
    runs that could let a bot play.
    """

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        if not kept:
            return Remark(tell("farewell.no_identity"))
        if table.info.phase == "lobby":
            told = tell("farewell.kept_lobby")
        elif not online():
            told = tell("farewell.kept")
        else:
            told = tell("farewell.kept_bot")
        return Remark(told, command=own_command(*back))

    return farewell


def from_private(
    game: str | None, folder: Path | None, name: str | None = None, *, offered: bool = False
) -> Farewell:
    """The farewell for a match on a private server, whose tables are kept in `folder` if given.

    `name` is the name the person chose. If the match is `offered`, the next `blackqueen play` needs
    no folder.
    """

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        if folder is None:
            return Remark(tell("farewell.not_kept"))
        told = tell("farewell.offered" if offered else "farewell.private")
        return Remark(told, command=kept_command(folder, name, None if offered else game))

    return farewell


def kept_command(folder: Path, name: str | None = None, game: str | None = None) -> str:
    """The command that continues the match in `folder`, for the player called `name`."""
    named = ["--name", name] if name else []
    return own_command("play", *([game] if game else []), "--data", str(folder), *named)


def from_watching(*back: str) -> Farewell:
    """The farewell for a spectator."""

    def farewell(table: TableMirror) -> Remark | None:
        if table.info.phase not in _OPEN:
            return None
        return Remark(tell("farewell.watch"), command=own_command(*back))

    return farewell
