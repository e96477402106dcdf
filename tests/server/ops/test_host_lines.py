"""The lines for a person who starts a server in a terminal."""

from pathlib import Path
from shlex import quote

import pytest

from server.ops import public_url
from server.ops.host_lines import admin_page, page_line, ready_lines, stopped_line, terminal_lines
from server.ops.settings import Settings
from tests.client_cli.screen import CTRL_C, Screen

PUBLIC = Settings(public_url="https://cards.example.org/play")


def told(settings: Settings, host: str) -> str:
    return "\n".join(terminal_lines(settings, host, 8765))


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.1", "ws://127.0.0.1:8765"), ("::1", "ws://[::1]:8765")]
)
def test_a_host_reads_that_only_this_machine_reaches_the_server(host: str, url: str) -> None:
    """A host reads that only this machine reaches the server, and how to change it."""
    assert list(ready_lines(Settings(), host, 8765)) == [f"Listening on {url}"]
    words = told(Settings(), host)
    assert "Only this machine can reach the server" in words
    assert f"    blackqueen join {quote(url)}\n" in words
    assert f"    http{url.removeprefix('ws')}/\n" in words
    assert "--host 0.0.0.0" in words
    assert "--public-url" in words


@pytest.mark.parametrize(
    ("host", "page"),
    [("127.0.0.1", "http://127.0.0.1:8765/"), ("::", "http://[::1]:8765/")],
)
def test_a_log_has_the_address_of_the_page(host: str, page: str) -> None:
    """The log has the address of the page, if it is not the public one."""
    assert list(page_line(Settings(), host, 8765)) == [f"In a browser: {page}"]
    assert list(page_line(PUBLIC, host, 8765)) == []


def test_a_host_reads_the_line_that_works_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host reads the line that works for others, with the machine's address."""
    monkeypatch.setattr(public_url, "_network_address", lambda: "192.0.2.9")
    words = told(Settings(), "0.0.0.0")
    assert "    http://192.0.2.9:8765/\n    blackqueen join ws://192.0.2.9:8765\n" in words
    assert "let port 8765 pass" in words
    assert "Only this machine" not in words
    monkeypatch.setattr(public_url, "_network_address", lambda: None)
    assert "This machine is in no network now" in told(Settings(), "0.0.0.0")


def test_a_public_address_is_told_to_programs_too() -> None:
    """With a public address programs are told that one."""
    assert list(ready_lines(PUBLIC, "127.0.0.1", 8765)) == [
        "Listening on ws://127.0.0.1:8765",
        "Players join with: blackqueen join wss://cards.example.org/play",
        "In a browser: https://cards.example.org/play/",
    ]
    assert "Only this machine" not in told(PUBLIC, "127.0.0.1")


def test_the_data_folder_is_named_unless_the_database_is_elsewhere(tmp_path: Path) -> None:
    """The data folder is named, but not a database's URL, which may hold a password."""
    own = Settings(data=tmp_path / "my cards")
    assert f"Data: {tmp_path}/my cards\n" in told(own, "::1")
    assert f"blackqueen admin status --data '{tmp_path}/my cards'\n" in told(own, "::1")
    assert "blackqueen admin status\n" in told(Settings(), "::1")
    other = Settings(database_url="postgresql://ann:secret@db/cards")
    assert "secret" not in told(other, "::1") + stopped_line(other, 1, 8765)
    assert "admin" not in told(other, "::1")


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (0, "stopped. Its data is kept in /cards."),
        (1, "1 open table is kept in /cards; start the server again in the same way to go on."),
        (2, "2 open tables are kept in /cards; start"),
    ],
)
def test_a_host_reads_what_is_kept(tables: int, words: str) -> None:
    """A host reads what is kept, after the server has stopped."""
    assert words in stopped_line(Settings(data=Path("/cards")), tables, 8765)


def test_administrators_look_where_their_pages_are() -> None:
    """Administrators are told their pages' address, public or local."""
    public = {"public_url": "wss://cards.example.org/play"}
    assert admin_page(Settings.model_validate(public), "::", 8765) == (
        "https://cards.example.org/play/admin"
    )
    assert admin_page(Settings(), "0.0.0.0", 8765) == "http://127.0.0.1:8765/admin"


def test_a_host_reads_at_which_port_players_wait() -> None:
    """A host reads the port of waiting players if any free port was given."""
    anywhere = Settings(data=Path("/cards"), port=0)
    told = stopped_line(anywhere, 1, 32893)
    assert told.endswith("start the server again with --port 32893 to go on.")


@pytest.mark.e2e
async def test_a_server_in_a_terminal_speaks_to_its_host(tmp_path: Path) -> None:
    """A server in a terminal prints a few sentences, and one more after Ctrl-C."""
    async with Screen(tmp_path, "serve", "--port", "0", "--data", str(tmp_path / "d")) as screen:
        await screen.sees("Ctrl-C stops the server. Its tables are kept.\n")
        screen.type(CTRL_C, end="")
        await screen.sees(f"The server has stopped. Its data is kept in {tmp_path}/d.\n")
        assert await screen.ended() == 0
    first, *others = screen.text.splitlines()
    assert first.startswith("Listening on ws://127.0.0.1:")
    assert not [line for line in others if "listening" in line or "database_opened" in line]
