"""Makes the file of the administrator's socket, and identifies its callers.

It imports little, since the command that asks a server is to start quickly.
"""

import os
import socket
import struct
from pathlib import Path
from stat import S_ISSOCK

from server.admin.audit import Caller

SOCKET = "admin.sock"
PATH_BYTES = 107
"""The longest path of a Unix socket: Linux has 108 bytes for it, the last of which is zero."""
ANOTHER_SECONDS = 1.0


class SocketUnusable(Exception):
    """The socket cannot be made; the message says why, and what to do."""


def socket_path(data: Path) -> Path:
    """Return the socket's path for a server with this data folder."""
    return Path(os.path.abspath(data.expanduser())) / SOCKET


def check_length(path: Path) -> None:
    """Raise `SocketUnusable` if the path is too long for a Unix socket."""
    size = len(os.fsencode(path))
    if size > PATH_BYTES:
        raise SocketUnusable(
            f"{path}: {size} bytes are too long for a Unix socket, which may have {PATH_BYTES}; "
            "choose a data folder with a shorter path"
        )


def caller_of(connection: socket.socket) -> Caller:
    """Return the process at the other end, if the system tells it (on Linux)."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return Caller(None, None)
    size = struct.calcsize("3i")
    told = connection.getsockopt(socket.SOL_SOCKET, option, size)
    pid, uid, _ = struct.unpack("3i", told)
    return Caller(uid, pid)


def bound_to(path: Path) -> socket.socket:
    """Return a socket bound to `path`, to which only its owner can connect."""
    check_length(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear(path)
        listening.bind(str(path))
        # Nobody can connect before it listens, so there is no moment at which others could.
        os.chmod(path, 0o600)
    except OSError as error:
        listening.close()
        raise SocketUnusable(f"{path}: cannot be made ({error.strerror})") from None
    except SocketUnusable:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def _clear(path: Path) -> None:
    """Remove the socket of a server that is gone; raise `SocketUnusable` for any other file."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not S_ISSOCK(mode):
        raise SocketUnusable(f"{path}: something else is in the place of the socket; move it away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(ANOTHER_SECONDS)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise SocketUnusable(
                f"{path}: another server answers there; give this one a data folder of its own, "
                "or --no-admin"
            )
