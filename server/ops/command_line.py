"""Hides arguments of this process, whose command line everybody on the machine can read."""

import ctypes
import sys
from pathlib import Path


def hide_argument(text: str) -> None:
    """Overwrite `text` in the command line that `ps` shows, if the system allows it (Linux)."""
    if sys.platform != "linux":
        return
    try:
        shown = Path("/proc/self/cmdline").read_bytes()
        # Behind the program's name, which may hold spaces: fields 48 and 49 of proc(5).
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(fields[45]), int(fields[46])
    except (OSError, ValueError, IndexError):
        return
    secret = text.encode(errors="surrogateescape")
    at = shown.find(secret)
    while secret and at >= 0 and start and start + at + len(secret) <= end:
        ctypes.memset(start + at, ord("*"), len(secret))
        at = shown.find(secret, at + len(secret))
