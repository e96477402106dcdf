"""The packages that the environment of `make play` leaves out, and whether this is one.

Numba is most of the weight of all packages, and only bots with kernels need it.
"""

import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PACKAGE = re.compile(r"(?m)^(?=[a-z])")


class NotFetched(Exception):
    """Numba could not be fetched; the message says what to do."""


@cache
def can_fetch() -> bool:
    """Whether this is the environment of `make play`, which lacks only the left-out packages."""
    environment = Path(sys.prefix)
    return environment == _ROOT / ".venv" and (environment / "installed-play").exists()


def fetched() -> Path | None:
    """The folder with the fetched packages; None if none were, or not in the locked versions."""
    if not can_fetch():
        return None
    folder = folder_for(left_out())
    return folder if folder.is_dir() else None


def left_out() -> str:
    """The locked packages that a server has and `make play` leaves out, with their hashes."""
    play, base = (
        _PACKAGE.split((_ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8"))
        for name in ("play", "base")
    )
    return "".join(package for package in base if package not in play)


def folder_for(wanted: str) -> Path:
    """The folder for packages with these locked versions."""
    return Path(sys.prefix) / f"strong-{sha256(wanted.encode()).hexdigest()[:16]}"
