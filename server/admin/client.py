"""The administrator's command as a client of the administrator's socket."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from server.admin.socket_file import SocketUnusable, caller_of, check_length
from server.nodes.admin_errors import AdminError

SECONDS = 20.0
"""Longer than the server takes for anything."""
MOST_BYTES = 8_000_000
"""More than any answer has."""

JsonObject: TypeAlias = dict[str, Any]
"""An answer as JSON: of a server that may be newer."""


class NoAdminServer(Exception):
    """No server answers at the socket; the message says where, and what to check."""


class AdminClient:
    """A connection to the server's socket at `path`; raises `NoAdminServer` if there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            check_length(path)
        except SocketUnusable as error:
            raise NoAdminServer(str(error)) from None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(SECONDS)
        try:
            self._socket.connect(str(path))
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            self._socket.close()
            raise NoAdminServer(
                f"no server runs on the data in {path.parent}. If yours has its data elsewhere, "
                "name that folder with --data. A server cannot be asked with --no-admin, or with "
                "--database-url and without --admin"
            ) from None
        except PermissionError:
            self._socket.close()
            raise NoAdminServer(
                f"{path}: only the user who runs the server, and root, may ask it; try sudo"
            ) from None
        except OSError as error:
            self._socket.close()
            raise self._failed(error) from None
        self._refuse_strangers()
        self._file = self._socket.makefile("rb")

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._socket.close()

    def ask(self, request: Mapping[str, object]) -> JsonObject:
        """Return the server's answer; raise `AdminError` or, without it, `NoAdminServer`."""
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            line = self._file.readline(MOST_BYTES)
        except OSError as error:
            raise self._failed(error) from None
        try:
            told = json.loads(line)
            if told["ok"]:
                answer: JsonObject = told["answer"]
                return answer
            code, reason = str(told["code"]), str(told["reason"])
        except (ValueError, LookupError, TypeError):
            raise NoAdminServer(f"{self._path}: the server hung up without an answer") from None
        raise AdminError(code, reason)

    def pages(self, act: str) -> Iterator[JsonObject]:
        """Return all pages of the answer to a request."""
        after: str | None = ""
        while after is not None:
            page = self.ask({"act": act, "after": after})
            yield page
            after = page["next"]

    def _refuse_strangers(self) -> None:
        """Refuse a folder that others may write in, where anybody could listen and answer."""
        server = caller_of(self._socket).uid
        if server not in (None, 0, os.geteuid(), self._path.parent.stat().st_uid):
            self._socket.close()
            raise NoAdminServer(
                f"{self._path}: it belongs to user {server}, who is not the owner of the folder"
            )

    def _failed(self, error: OSError) -> NoAdminServer:
        reason = error.strerror or (str(error) if str(error) else os.strerror(error.errno or 0))
        return NoAdminServer(f"{self._path}: {reason}")
