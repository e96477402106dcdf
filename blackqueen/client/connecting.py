"""Connecting as a program, whose name everybody at the table is told."""

import sys
from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from protocol.connection import Client
from protocol.connection import connect as connect_to_server
from protocol.dial import PATIENT, Backoff
from protocol.features import INTERNAL_VALUES, LEGENDS, UNCHANGED
from protocol.version import MSGPACK
from protocol.visible_text import shown_name

BOTS_WANT = (LEGENDS, INTERNAL_VALUES, UNCHANGED)
"""What a bot of this program plays by, beside what people are shown."""


def connect(
    url: str,
    *,
    name: str | None = None,
    token: str | None = None,
    program: str | None = None,
    subprotocol: str = MSGPACK,
    patience: Backoff = PATIENT,
    wanted: Collection[str] = BOTS_WANT,
) -> AbstractAsyncContextManager[Client]:
    """A welcomed client for as long as the block lasts.

    `token` comes from an earlier welcome (`client.token`) and makes one the same player. `program`
    is shown at the table beside the player's name; None: the file name of the running program;
    empty: nothing, because a person plays. `wanted` are features that the server sends only to
    clients that ask for them. Raises `ConnectionLost` or `ProtocolError` if the first attempt
    fails.
    """
    shown = program_name() if program is None else program or None
    return connect_to_server(
        url,
        name=name,
        token=token,
        program=shown,
        subprotocol=subprotocol,
        patience=patience,
        wanted=wanted,
    )


def program_name() -> str:
    """The name of the running program: its file's, without the ending."""
    file = sys.argv[0] if sys.argv else ""
    # Neither `python -c` nor a prompt has a file.
    return "python" if file in ("", "-", "-c") else shown_name(Path(file).stem)
