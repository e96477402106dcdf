"""The shell command that starts this program again."""

import shlex
import shutil
import sys
from pathlib import Path


def own_command(*words: str) -> str:
    """A line that starts this program with `words`, to be pasted into a shell on this machine.

    >>> own_command("join", "ws://localhost:8765", "--name", "Ann B")
    "blackqueen join ws://localhost:8765 --name 'Ann B'"
    """
    return shlex.join((*_program(), *words))


def _program() -> tuple[str, ...]:
    typed = sys.argv[0]
    if Path(typed).name == "__main__.py" and Path(typed).parent.name == "blackqueen":
        return (sys.executable, "-m", "blackqueen")
    # A shell that has not been told of the folder finds it only as it was typed, after `make play`.
    usual = Path(typed).name != "blackqueen" or shutil.which("blackqueen") is not None
    return ("blackqueen",) if usual else (typed,)
