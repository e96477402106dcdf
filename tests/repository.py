"""The files of the repository, for tests of their consistency."""

import re
import subprocess
import tomllib
from collections import Counter
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
    """The text of a file; empty for a picture or a file that is being moved."""
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return ""


def anchors(page: Path) -> Counter[str]:
    """The anchors of a page's headings, as repository sites make them."""
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    words = [re.sub(r"\]\([^)]*\)", "", each).lower() for each in headings]
    return Counter(re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in words)
