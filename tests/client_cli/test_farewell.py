"""Closing the program: what happens to the seat, and how to come back to it."""

from pathlib import Path

import pytest

from client_cli.effects import Remark
from client_cli.farewell import Farewell, from_private, from_server, from_watching
from protocol.message import Phase
from tests.client_cli.tables import table

JOIN = ("join", "ws://cards.example", "K7Q2X", "--name", "Ann B")


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        ("playing", "Your seat is kept, and a bot plays for you after a while. Come back with:"),
        ("lobby", "Your seat is kept for a while. Come back with:"),
    ],
)
def test_a_seat_at_a_server_is_kept(phase: Phase, told: str) -> None:
    """The farewell at a server has a command that can be pasted into a shell."""
    command = "blackqueen join ws://cards.example K7Q2X --name 'Ann B'"
    assert from_server(*JOIN)(table(phase=phase)) == Remark(told, command=command)


def test_without_a_connection_no_bot_is_promised() -> None:
    """Without a connection the farewell promises no bot."""
    told = from_server(*JOIN, online=lambda: False)(table())
    assert told is not None
    assert told.text == "Your seat is kept. Come back with:"


def test_without_an_identity_nobody_comes_back() -> None:
    """Without a stored identity the farewell has no command to return."""
    told = from_server(*JOIN, kept=False)(table())
    assert told == Remark("You cannot come back to this seat: the program keeps no identity.")


def test_a_private_match_is_kept_in_its_folder() -> None:
    """The farewell of a private match has the command for its folder, if it has one."""
    told = "The match is kept. Continue with:"
    whist = from_private("whist", Path("my games"))(table())
    assert whist == Remark(told, command="blackqueen play whist --data 'my games'")
    assert from_private(None, Path("kept"))(table()) == Remark(
        told, command="blackqueen play --data kept"
    )
    named = from_private(None, Path("kept"), "Ann B")(table())
    assert named == Remark(told, command="blackqueen play --data kept --name 'Ann B'")
    offered = from_private("whist", Path("kept"), offered=True)(table())
    assert offered == Remark(
        "The match is kept, and the next blackqueen play offers it. Continue with:",
        command="blackqueen play --data kept",
    )
    assert from_private(None, None)(table()) == Remark(
        "The match was not kept. Start with --data DIR to keep a match for later."
    )


def test_a_spectator_can_watch_again() -> None:
    """The farewell of a spectator has the command to watch again."""
    farewell = from_watching("watch", "ws://cards.example", "K7Q2X")
    command = "blackqueen watch ws://cards.example K7Q2X"
    assert farewell(table(seat=None)) == Remark("Watch again with:", command=command)


@pytest.mark.parametrize(
    "farewell", [from_server(*JOIN), from_private(None, None), from_watching("watch")]
)
def test_after_a_match_there_is_nothing_to_say(farewell: Farewell) -> None:
    """After a match there is no farewell."""
    assert farewell(table(phase="finished")) is None
