"""The identity at a server: readable only by its owner, never used by two programs at once."""

import getpass
import stat
from pathlib import Path

import pytest

from client_cli.identity import TokenPlace, identity, login_name

URL = "ws://127.0.0.1:8765"


def token_kept(directory: Path, url: str = URL, name: str = "Ann") -> str | None:
    with identity(url, name, directory) as who:
        return who.token


def keep(directory: Path, token: str) -> None:
    with identity(URL, "Ann", directory) as who:
        who.keep(token)


def test_a_token_is_kept_for_the_next_visit(tmp_path: Path) -> None:
    """A token is stored for one server and one name."""
    assert token_kept(tmp_path) is None
    keep(tmp_path, "secret")
    assert token_kept(tmp_path) == "secret"
    assert token_kept(tmp_path, name="Bob") is None
    assert token_kept(tmp_path, url="ws://127.0.0.1:9") is None


def test_a_shorter_token_replaces_a_longer_one(tmp_path: Path) -> None:
    """A shorter token replaces a longer one completely."""
    keep(tmp_path, "a long, long secret")
    keep(tmp_path, "short")
    assert token_kept(tmp_path) == "short"


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    """The file of a token is readable only by its owner."""
    keep(tmp_path, "secret")
    (file,) = (tmp_path / "identities").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_second_program_is_somebody_else(tmp_path: Path) -> None:
    """A second program gets a new identity that is not stored."""
    keep(tmp_path, "secret")
    with identity(URL, "Ann", tmp_path) as first, identity(URL, "Ann", tmp_path) as second:
        assert first.token == "secret"
        assert second.token is None
        second.keep("another")
    assert token_kept(tmp_path) == "secret"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"token": 7}', "\xff\xfe"])
def test_a_broken_file_is_no_token(tmp_path: Path, content: str) -> None:
    """A damaged file counts as no token, and is repaired."""
    keep(tmp_path, "secret")
    (file,) = (tmp_path / "identities").iterdir()
    file.write_bytes(content.encode("latin-1"))
    assert token_kept(tmp_path) is None
    keep(tmp_path, "new")
    assert token_kept(tmp_path) == "new"


def test_where_nothing_can_be_kept_one_plays_all_the_same(tmp_path: Path) -> None:
    """Without a writable state directory one can still play."""
    blocked = tmp_path / "file"
    blocked.touch()
    with identity(URL, "Ann", blocked) as who:
        who.keep("secret")
        assert who.token is None


def test_without_a_file_nothing_is_kept() -> None:
    """Without a file nothing is stored, so that scripts and bots are new each time."""
    nobody = TokenPlace()
    nobody.keep("secret")
    assert nobody.token is None


def test_the_login_name_is_what_a_server_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The login name is shortened and changed to a valid player name."""
    monkeypatch.setattr(getpass, "getuser", lambda: "a" * 40)
    assert login_name() == "a" * 24
    monkeypatch.setattr(getpass, "getuser", lambda: "server")
    assert login_name() == "player"

    def unknown() -> str:
        raise KeyError("no such uid")

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert login_name() == "player"
