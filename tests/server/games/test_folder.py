"""A folder of descriptions: which files are hosted, skipped (and why), and read again."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from server.games.descriptions import DescribedGame, GameSource, described, digest_in, name_in
from server.games.folder import MOST_BYTES, MOST_FILES, GameFolder
from tests.server.small_descriptions import BROKEN, CROWD, DEEP, HIGH, MOONS

LONG_AFTER = 10.0


class Watched:
    """A folder with a manual clock; `made` counts the games that were built."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.made: list[str] = []
        self.now = 0.0
        self.folder = GameFolder(path, self._make, lambda: self.now)

    def write(self, name: str, text: str | bytes, written: float = 0.0) -> Path:
        """Write a file with the modification time `written`."""
        path = self.path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(path, (written, written))
        return path

    def _make(self, source: GameSource, rules: str) -> DescribedGame:
        self.made.append(name_in(source.game))
        return described(source, rules)


@pytest.fixture
def shelf(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_every_valid_file_is_a_game(shelf: Watched) -> None:
    """Every valid file is a game, with an id of name and text, and a title of its name."""
    shelf.write("HighCard2.rcy", HIGH)
    shelf.write("old2.gdl", "\ufeff" + HIGH + "\nwords after the end")
    shelf.write("notes.txt", "milk, eggs")
    shelf.write(".HighCard2.rcy", "half of it")
    found = shelf.folder.scan()
    assert found.problems == {}
    assert list(found.games) == ["HighCard2.rcy", "old2.gdl"]
    game = found.games["HighCard2.rcy"].game
    assert (name_in(game.info.id), game.info.title) == ("HighCard2.rcy", "High Card")
    assert digest_in(game.info.id)
    assert game.info.seats == (2,)


def test_wrong_files_are_skipped_with_their_errors(shelf: Watched) -> None:
    """A wrong file is skipped with all errors and their places, and the others are hosted."""
    shelf.write("high.rcy", HIGH)
    shelf.write("broken.rcy", BROKEN)
    found = shelf.folder.scan()
    assert list(found.games) == ["high.rcy"]
    problems = found.problems["broken.rcy"]
    assert len(problems) > 2
    assert all("error [" in problem for problem in problems)
    assert any(problem.startswith("1:34:") for problem in problems)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\x7fELF\x02\x01\x01\xff\xfe", "no text in UTF-8"),
        (HIGH.encode() + b"\0", "zero bytes"),
        (b";" * (MOST_BYTES + 1), "larger than"),
        (DEEP, "too_long"),
        ("(game " + "(do (" * 5_000, "too_deep"),
        (CROWD, "too_many_cards"),
        ("", "no_game"),
    ],
    ids=["binary", "zero bytes", "huge", "long", "deep", "a crowd", "empty"],
)
def test_hostile_files_are_refused(shelf: Watched, text: str | bytes, why: str) -> None:
    """Hostile files are refused, each with its own error."""
    shelf.write("bad.rcy", text)
    found = shelf.folder.scan()
    assert found.games == {}
    assert why in found.problems["bad.rcy"][0]


def directory(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def broken_link(path: Path) -> None:
    path.symlink_to("nowhere.rcy")


def circle(path: Path) -> None:
    path.symlink_to(path)


def outward(path: Path) -> None:
    outside = path.parent.parent / "secret.rcy"
    outside.write_text(HIGH)
    path.symlink_to(outside)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (directory, "no plain file"),
        (pipe, "no plain file"),
        (broken_link, "No such file"),
        (circle, ""),
        (outward, "leads out of the folder"),
    ],
)
def test_what_is_no_plain_file_of_the_folder_is_not_read(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    """Folders, pipes, and links out of the folder are not read."""
    games = tmp_path / "games"
    games.mkdir()
    make(games / "odd.rcy")
    found = GameFolder(games).scan()
    assert found.games == {}
    assert why in found.problems["odd.rcy"][0]


def test_a_link_within_the_folder_is_a_file(shelf: Watched) -> None:
    """A link within the folder is a file with its own name, and so another game."""
    shelf.write("high.rcy", HIGH)
    (shelf.path / "same.rcy").symlink_to("high.rcy")
    ids = [found.game.info.id for found in shelf.folder.scan().games.values()]
    assert [name_in(id) for id in ids] == ["high.rcy", "same.rcy"]
    assert digest_in(ids[0]) == digest_in(ids[1])


def test_a_file_without_permission_is_told_of(
    shelf: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without permission is reported with the system's message."""
    shelf.write("high.rcy", HIGH)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert shelf.folder.scan().problems["high.rcy"] == ("cannot be read: Permission denied",)


@pytest.mark.parametrize("name", ["x" * 65 + ".rcy", "tab\there.rcy"])
def test_names_that_nobody_could_type_are_refused(shelf: Watched, name: str) -> None:
    """A file whose name nobody could type is refused."""
    shelf.write(name, HIGH)
    assert "a name has at most" in shelf.folder.scan().problems[name][0]


def test_too_many_files_are_left_out(shelf: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files above the limit are left out."""
    monkeypatch.setattr("server.games.folder.MOST_FILES", 2)
    for name in ("a.rcy", "b.rcy", "c.rcy"):
        shelf.write(name, HIGH)
    found = shelf.folder.scan()
    assert (len(found.games), list(found.problems)) == (2, ["c.rcy"])
    assert MOST_FILES > 200


def test_a_single_file_may_be_named_instead(shelf: Watched) -> None:
    """A single file may be named instead of a folder, with any ending and by a link."""
    path = shelf.write("my game.txt", HIGH)
    shelf.write("my game.md", "# My rules")
    (found,) = GameFolder(path).scan().games.values()
    assert name_in(found.game.info.id) == "my game.txt"
    assert found.rules == "# My rules"


def test_a_folder_that_is_gone_is_told_of_and_may_come_back(tmp_path: Path) -> None:
    """A missing folder is reported, offers no games, and may come back."""
    folder = GameFolder(tmp_path / "games")
    assert "No such file" in folder.scan().problems[str(tmp_path / "games")][0]
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "high.rcy").write_text(HIGH)
    assert list(folder.scan().games) == ["high.rcy"]


def test_only_what_has_changed_is_made_anew(shelf: Watched) -> None:
    """Only changed files are built anew; for others a look costs their status."""
    shelf.now = LONG_AFTER
    shelf.write("high.rcy", HIGH)
    shelf.write("other.rcy", HIGH)
    first = shelf.folder.scan().games
    assert shelf.folder.scan().games["high.rcy"] is first["high.rcy"]
    shelf.write("high.rcy", MOONS, written=1.0)
    shelf.write("other.rcy", HIGH, written=1.0)
    second = shelf.folder.scan().games
    assert shelf.made == ["high.rcy", "other.rcy", "high.rcy"]
    assert second["high.rcy"].game.info.id != first["high.rcy"].game.info.id
    assert second["other.rcy"] is first["other.rcy"]
    (shelf.path / "high.rcy").unlink()
    assert list(shelf.folder.scan().games) == ["other.rcy"]


def test_a_change_within_one_tick_of_the_clock_is_seen(
    shelf: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was changed just now is read at every look."""
    monkeypatch.setattr("server.games.folder._stamp", lambda path: None)
    shelf.now = 1.0
    shelf.write("high.rcy", HIGH)
    first = shelf.folder.scan().games["high.rcy"].game.info.id
    monkeypatch.undo()
    shelf.write("high.rcy", MOONS)
    assert shelf.folder.scan().games["high.rcy"].game.info.id != first


def test_a_page_of_rules_beside_the_file_is_its_rules(shelf: Watched) -> None:
    """The rules of a described game are the page beside the file, else the description."""
    shelf.write("High2.rcy", HIGH)
    assert "(create players 2)" in shelf.folder.scan().games["High2.rcy"].rules
    shelf.write("High.md", "# High\nThe most suns win.")
    assert "The most suns win" in shelf.folder.scan().games["High2.rcy"].rules
    shelf.write("High2.md", "# For two")
    assert "For two" in shelf.folder.scan().games["High2.rcy"].rules


def test_a_file_at_which_the_program_fails_spoils_no_other(tmp_path: Path) -> None:
    """An internal error for one file is reported, and the others are hosted."""

    def fail(source: GameSource, rules: str) -> DescribedGame:
        raise RecursionError

    (tmp_path / "high.rcy").write_text(HIGH)
    found = GameFolder(tmp_path, fail).scan()
    assert found.problems["high.rcy"] == ("the program fails at it: RecursionError",)
