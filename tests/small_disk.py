"""A small disk for one program: a file system in memory that only it sees."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.needs import needs

# Root of a user namespace may mount in a mount namespace that belongs to it.
OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
BLOCK = 4096


class SmallDisk:
    """A `folder` with limited room, for programs whose command begins with `inside`."""

    def __init__(self, folder: Path, keeper: int) -> None:
        self.inside = (
            *("nsenter", "--target", str(keeper), "--user", "--mount"),
            *("--preserve-credentials", "--"),
        )
        self._filler = Path(f"/proc/{keeper}/root{folder}") / "filler"

    @contextmanager
    def full(self) -> Iterator[None]:
        """Fill the disk completely inside the block."""
        with self._filler.open("wb", buffering=0) as filler:
            for size in (256 * BLOCK, BLOCK):
                with suppress(OSError):
                    while filler.write(bytes(size)) == size:
                        pass
        try:
            yield
        finally:
            self._filler.unlink()


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """An empty disk at `folder`, removed with its contents at the end.

    The test is skipped if the system lets only administrators mount.
    """
    needs("unshare", "nsenter", "mount")
    folder.mkdir()
    # It holds the mount until its input ends.
    script = f'mount -t tmpfs -o size={megabytes}m tmpfs "$1" && echo mounted && exec cat'
    with subprocess.Popen(
        (*OWN_MOUNTS, "sh", "-c", script, "sh", str(folder)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as keeper:
        assert keeper.stdin
        assert keeper.stdout
        assert keeper.stderr
        if keeper.stdout.readline() != b"mounted\n":
            pytest.skip(f"NOT RUN: {keeper.stderr.read().decode().strip()}")
        try:
            yield SmallDisk(folder, keeper.pid)
        finally:
            keeper.stdin.close()
