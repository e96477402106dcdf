"""The command's end of the administrators' socket."""

import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import check_output
from tempfile import TemporaryDirectory

import pytest

from server.admin import command
from server.admin.audit import Caller
from server.admin.client import AdminClient, NoAdminServer
from server.admin.socket_file import socket_path


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with one of our sockets, at which somebody listens."""
    with (
        TemporaryDirectory(prefix="bq-") as name,
        closing(socket.socket(socket.AF_UNIX)) as listening,
    ):
        listening.bind(str(socket_path(Path(name))))
        listening.listen()
        yield Path(name)


def test_a_server_of_ours_is_asked(folder: Path) -> None:
    """A server is asked if its socket belongs to the caller or to the folder's owner."""
    AdminClient(socket_path(folder)).close()


def test_a_stranger_who_listens_is_not_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket of a stranger in a folder such as /tmp is refused."""
    stranger = os.getuid() + 1
    monkeypatch.setattr("server.admin.client.caller_of", lambda _: Caller(stranger, 1))
    with pytest.raises(NoAdminServer, match=f"belongs to user {stranger}"):
        AdminClient(socket_path(folder))


def test_a_socket_of_another_user_says_who_may_ask(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error for another user's socket says who may use it."""

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "connect", refused)
    with pytest.raises(NoAdminServer, match="only the user who runs the server, and root"):
        AdminClient(socket_path(folder))


def test_the_command_does_without_the_server() -> None:
    """The command starts without importing the server, in a third of the time."""
    script = "import sys, server.admin.command; print({'sqlalchemy', 'engine'} & set(sys.modules))"
    assert check_output([sys.executable, "-c", script], text=True) == "set()\n"


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        (("close", " k7qx2\n"), {"act": "close", "table": "K7QX2"}),
        (
            ("close", "https://cards.example.org/t/K7QX2#from=Ann"),
            {"act": "close", "table": "K7QX2"},
        ),
        (("kick", "\u200bAnn Lee "), {"act": "kick", "player": "Ann Lee"}),
        (("ban", "203.0.113.0/24\n"), {"act": "ban", "subject": "203.0.113.0/24"}),
    ],
)
def test_words_are_taken_as_they_are_pasted(
    words: tuple[str, ...], request_: dict[str, str]
) -> None:
    """Pasted words are cleaned, and a table may be given by its link."""
    parser = ArgumentParser()
    command.add_arguments(parser)
    assert command.request_of(parser.parse_args(words)) == request_
