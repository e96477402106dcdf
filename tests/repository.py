"""The files of the repository, for the tests of what it promises of itself."""

import subprocess
import tomllib
from functools import cache
from pathlib import Path

from tests.needs import needs

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = tuple(
    PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["packages"]
)


@cache
def tracked() -> tuple[Path, ...]:
    """The files that git keeps."""
    needs("git")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return tuple(ROOT / name for name in listed.stdout.split("\0") if name)


def text(path: Path) -> str:
    """A file's text; nothing for a picture or a file that is just being moved."""
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return ""
