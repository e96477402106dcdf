"""Closing the program: what happens to the seat, and how to come back to it."""

from pathlib import Path

import pytest

from client_cli.farewell import from_private, from_server, from_watching
from protocol.to_client import Phase
from tests.client_cli.tables import table

JOIN = ("join", "ws://cards.example", "K7Q2X", "--name", "Ann B")


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        ("playing", "Your seat is kept; a bot plays for you after a short while. Come back with: "),
        ("lobby", "Your seat is kept for a short while. Come back with: "),
    ],
)
def test_a_seat_at_a_server_is_kept(phase: Phase, told: str) -> None:
    """The command can be pasted into a shell."""
    farewell = from_server(*JOIN)
    assert farewell(table(phase=phase)) == (
        f"{told}blackqueen join ws://cards.example K7Q2X --name 'Ann B'"
    )


def test_without_an_identity_nobody_comes_back() -> None:
    """Then no command is promised."""
    assert "cannot come back" in from_server(*JOIN, kept=False)(table())


def test_a_private_match_is_kept_in_its_folder() -> None:
    """If there is one."""
    told = from_private("whist", Path("my games"))(table())
    assert told.endswith("blackqueen play whist --data 'my games'")
    assert from_private(None, Path("kept"))(table()).endswith("play --data kept")
    assert "--data DIR" in from_private(None, None)(table())


def test_a_spectator_can_watch_again() -> None:
    """Without a seat nothing is lost."""
    farewell = from_watching("watch", "ws://cards.example", "K7Q2X")
    assert farewell(table(seat=None)) == (
        "Watch again with: blackqueen watch ws://cards.example K7Q2X"
    )


@pytest.mark.parametrize(
    "farewell", [from_server(*JOIN), from_private(None, None), from_watching("watch")]
)
def test_after_a_match_there_is_nothing_to_say(farewell: object) -> None:
    """Nobody has to come back."""
    assert callable(farewell)
    assert farewell(table(phase="finished")) == ""
