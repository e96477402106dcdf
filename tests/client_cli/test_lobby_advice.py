"""The advice for people before a match."""

from dataclasses import replace

import pytest

from client_cli.lobby_advice import next_step
from client_cli.text import Look
from engine.facts import Seat
from protocol.to_client import SeatInfo
from tests.client_cli.tables import FREE, bot, human, table

LATE = human("Bob", ready=False)


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ((human("Ann"), FREE), "Wait for friends, or start medium: bots take the free seats."),
        ((human("Ann"), LATE), "Bob is not ready yet. Wait, or type start to begin."),
        ((human("Ann"), LATE, human("Cem", ready=False)), "Bob and Cem are not ready yet."),
        ((human("Ann", ready=False), bot("Blaise")), "Type start to begin."),
    ],
)
def test_a_host(seats: tuple[SeatInfo, ...], told: str) -> None:
    """A host is told of free seats, and who is not ready."""
    assert next_step(table(seats=seats, phase="lobby"), Look()).startswith(told)


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        (1, "Waiting for Ann to start the match. Type ready when you are, or ? for all commands."),
        (2, "Waiting for Ann to start the match."),
        (None, "Waiting for Ann to start the match."),
    ],
)
def test_a_guest(seat: Seat | None, told: str) -> None:
    """A guest is told that they wait for the host; in a match there is no advice."""
    lobby = table(seats=(human("Ann"), LATE, human("Cem")), seat=seat, phase="lobby")
    assert next_step(lobby, Look()) == told
    assert next_step(replace(table(), seat=seat), Look()) == ""
