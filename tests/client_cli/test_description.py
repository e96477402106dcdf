"""A game named by its file: recognised, checked, and refused with all its errors."""

from pathlib import Path

import pytest

from client_cli.private_table import description_errors, description_file
from protocol.exits import UsageError
from tests.server.small_descriptions import BROKEN, HIGH


@pytest.mark.parametrize("game", [None, "hearts", "black_queen", "rcy"])
def test_games_are_no_files(game: str | None) -> None:
    """A game's id is never taken for a file."""
    assert description_file(game) is None


@pytest.mark.parametrize("name", ["High2.rcy", "old.gdl", "my game.txt"])
def test_a_file_is_known_by_its_ending_or_its_path(tmp_path: Path, name: str) -> None:
    """A file is recognised by its ending or by a slash in its path."""
    file = tmp_path / name
    file.write_text(HIGH)
    assert description_file(str(file)) == file


def test_a_file_in_this_folder_needs_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in the current folder is recognised by its ending."""
    (tmp_path / "High2.rcy").write_text(HIGH)
    monkeypatch.chdir(tmp_path)
    assert description_file("High2.rcy") == Path("High2.rcy")


@pytest.mark.parametrize("name", ["missing.rcy", "."])
def test_a_file_that_is_none_is_a_mistake(tmp_path: Path, name: str) -> None:
    """A missing file is a mistake on the command line."""
    with pytest.raises(UsageError, match="there is no such file"):
        description_file(str(tmp_path / name) + ("/" if name == "." else ""))


async def test_errors_are_those_of_the_check(tmp_path: Path) -> None:
    """The errors of a file are all those of the check; a playable file has none."""
    wrong, right = tmp_path / "wrong.rcy", tmp_path / "right.rcy"
    wrong.write_text(BROKEN)
    right.write_text(HIGH)
    errors = await description_errors(wrong)
    assert f"{wrong}:1:34: error" in errors
    assert len(errors.splitlines()) > 3
    assert await description_errors(right) == ""
