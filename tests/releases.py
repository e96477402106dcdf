"""The released versions, and their source from the repository's history."""

import io
import os
import re
import subprocess
import tarfile
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.needs import needs

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "releases.toml"
FOLDERS = ("engine", "protocol", "bots", "server", "client_cli", "blackqueen", "bench", "tests")
SHARED = "release-"
"""With this begins the name of the folder of a release that all tests use as it is."""
_HASH = re.compile("[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Release:
    """`recordings` is the folder in tests/recordings that this version wrote."""

    version: str
    commit: str
    recordings: str = ""

    def __str__(self) -> str:
        return self.version


def releases(text: str | None = None) -> tuple[Release, ...]:
    """The listed releases; `ValueError` for an incomplete line."""
    listed = tomllib.loads(LIST.read_text() if text is None else text).get("release", [])
    for each in listed:
        if each.keys() != {"version", "commit", "recordings"}:
            raise ValueError(f"a release has a version, a commit and recordings, not {each}")
        if not _HASH.fullmatch(each["commit"]):
            raise ValueError(f"{each['commit']!r} is no whole hash of a commit")
    return tuple(Release(**each) for each in listed)


HEAD = Release("HEAD", "HEAD")
"""Today's last commit, in the place of a release as long as there is none."""


def source_of(release: Release, folder: Path) -> Path:
    """Write the source of a version into `folder`; skips loudly without a history."""
    _need(release)
    packed = _git("archive", "--format=tar", release.commit, *FOLDERS)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def shared_source(release: Release, factory: pytest.TempPathFactory) -> Path:
    """The source of a version, in one folder for all workers of a run, which compile it once."""
    own = factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    source = folder / f"{SHARED}{release.commit}"
    if not source.exists():
        written = source_of(release, factory.mktemp("release"))
        with suppress(OSError):  # Another worker may have been first.
            written.rename(source)
    return source


def _need(release: Release) -> None:
    needs("git")
    if not _has(release.commit):
        pytest.skip(
            f"NOT RUN: commit {release.commit} of {release.version} is not in this copy of the "
            "repository (no history, or a shallow one); fetch it whole"
        )


@cache
def _has(commit: str) -> bool:
    try:
        _git("cat-file", "-e", f"{commit}^{{commit}}")
    except subprocess.CalledProcessError:
        return False
    return True


def _git(*words: str) -> bytes:
    """The output of git for this repository, not for an enclosing one."""
    command = ("git", f"--git-dir={ROOT / '.git'}", *words)
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
