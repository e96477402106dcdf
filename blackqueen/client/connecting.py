"""Connecting as a program, which everybody at the table is told by its name."""

import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from protocol.connection import Client
from protocol.connection import connect as connect_to_server
from protocol.dial import PATIENT, Patience
from protocol.version import MSGPACK
from protocol.visible_text import shown_name


def connect(
    url: str,
    *,
    name: str | None = None,
    token: str | None = None,
    program: str | None = None,
    subprotocol: str = MSGPACK,
    patience: Patience = PATIENT,
) -> AbstractAsyncContextManager[Client]:
    """A welcomed client for as long as the block lasts.

    `token` comes from an earlier welcome (`client.token`) and makes one the same player. `program`
    is shown at the table beside the player's name; None: the file name of the running program;
    empty: nothing, because a person plays. Raises `ConnectionLost` or `ProtocolError` if the first
    attempt fails.
    """
    shown = program_name() if program is None else program or None
    return connect_to_server(
        url, name=name, token=token, program=shown, subprotocol=subprotocol, patience=patience
    )


def program_name() -> str:
    """The name of the running program: its file's, without the ending."""
    file = sys.argv[0] if sys.argv else ""
    # Neither `python -c` nor a prompt has a file.
    return "python" if file in ("", "-", "-c") else shown_name(Path(file).stem)
