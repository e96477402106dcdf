"""A game that is named by its file: which it is, and what is wrong in it.

A client knows no rules and cannot read a description; the program's own command does, in a process
of its own as the private server is one.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from pathlib import Path

from protocol.exits import Mistake

_ENDINGS = (".rcy", ".gdl")


def described_in(game: str | None) -> Path | None:
    """The file that `game` names, None where it names a game or nothing; `Mistake` if it is gone.

    No id of a game has a slash or such an ending.
    """
    if game is None or not (game.endswith(_ENDINGS) or "/" in game):
        return None
    file = Path(game)
    if not file.is_file():
        raise Mistake(f"{file}: there is no such file")
    return file


async def errors_in(file: Path) -> str:
    """What `blackqueen recycle check` says of a file that cannot be played; nothing if it can."""
    words = (sys.executable, "-m", "blackqueen", "recycle", "check", str(file))
    process = await asyncio.create_subprocess_exec(
        *words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    said, _ = await process.communicate()
    return said.decode("utf-8", "replace").strip() if process.returncode else ""
