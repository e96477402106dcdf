"""The stored unfinished matches, and which of them are found again."""

import os
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from client_cli.game_menu import ChosenGame
from client_cli.kept_matches import MOST_KEPT, KeptMatches, MatchFolder

FIELDS = {"options": {"deals": 2}, "settings": {}, "seed": 7}
WHIST = ChosenGame("whist", ("easy", 2))


def begin(folder: MatchFolder, choice: ChosenGame = WHIST) -> bool:
    """Keep a match of Whist."""
    return folder.begin("Whist", choice, "Ann", 3, FIELDS)


def kept_at(kept: KeptMatches, at: float, choice: ChosenGame = WHIST) -> Path:
    """A match that was last played at the given time."""
    with kept.new() as folder:
        assert begin(folder, choice)
    for file in (*folder.path.iterdir(), folder.path):
        os.utime(file, (at, at))
    return folder.path


def test_an_unfinished_match_is_found_again(tmp_path: Path) -> None:
    """An unfinished match is found with its game, bots and options."""
    path = kept_at(kept := KeptMatches(tmp_path), 1000)
    (match,) = kept.of(None)
    assert (match.folder, match.played, match.title) == (path, 1000, "Whist")
    assert (match.choice, match.name, match.seats) == (WHIST, "Ann", 3)
    assert match.fields == {"options": {"deals": 2}, "settings": {}}


def test_what_is_over_is_removed(tmp_path: Path) -> None:
    """The folder of a finished match is removed when the program ends."""
    kept = KeptMatches(tmp_path)
    with kept.new() as folder:
        begin(folder)
        folder.over()
    assert kept.of(None) == []
    assert not folder.path.exists()
    path = kept_at(kept, 1)
    with kept.opened(kept.of(None)[0]) as again:
        assert again is not None
        again.over()
    assert not path.exists()


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    """Folders and files of matches are readable only by their owner."""
    path = kept_at(KeptMatches(tmp_path), 1)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in (path, *path.iterdir())}
    assert modes == {path.name: 0o700, "match.json": 0o600, "lock": 0o600}


def test_a_match_that_is_being_played_is_not_offered(tmp_path: Path) -> None:
    """A match in play is neither offered to nor opened by a second program."""
    kept = KeptMatches(tmp_path)
    kept_at(kept, 1)
    (offered,) = kept.of(None)
    with kept.opened(offered) as first, KeptMatches(tmp_path).new() as second:
        assert first is not None
        assert second.path != first.path
        assert KeptMatches(tmp_path).of(None) == []
        with KeptMatches(tmp_path).opened(offered) as third:
            assert third is None
    with kept.opened(offered) as found:
        assert found is not None
        found.over()
    with kept.opened(offered) as gone:
        assert gone is None


def test_the_newest_comes_first_and_the_oldest_goes(tmp_path: Path) -> None:
    """The last played match comes first, and of more than ten the oldest is removed."""
    kept = KeptMatches(tmp_path)
    paths = [kept_at(kept, 1000 + at) for at in range(MOST_KEPT)]
    assert [match.folder for match in kept.of(None)] == paths[::-1]
    newest = kept_at(kept, 5000)
    assert [match.folder for match in kept.of(None)] == [newest, *paths[:0:-1]]


def test_of_another_game_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only matches of the requested game are offered; a described one is known by its path."""
    kept = KeptMatches(tmp_path / "state")
    kept_at(kept, 1)
    monkeypatch.chdir(tmp_path)
    mine = kept_at(kept, 2, ChosenGame("./Mine.rcy"))
    assert kept.of("hearts") == []
    assert [match.choice.game for match in kept.of("whist")] == ["whist"]
    assert [match.folder for match in kept.of(str(tmp_path / "Mine.rcy"))] == [mine]


@pytest.mark.parametrize("text", ["", "[", "[]", '{"game": 7}', '{"fields": {"options": 3}}'])
def test_a_broken_file_does_not_lose_the_match(tmp_path: Path, text: str) -> None:
    """A match with a damaged file is offered without a name, for every game."""
    path = kept_at(kept := KeptMatches(tmp_path), 1)
    (path / "match.json").write_text(text)
    (match,) = kept.of("whist")
    assert (match.folder, match.title, match.choice) == (path, "", ChosenGame())
    assert (match.fields, match.seats) == (None, None)


def test_what_a_killed_program_left_is_removed(tmp_path: Path) -> None:
    """The folder of a killed program without a match is removed, unless it is in use."""
    kept = KeptMatches(tmp_path)
    left = tmp_path / "matches" / "1"
    left.mkdir(parents=True)
    with ExitStack() as stack:
        other = stack.enter_context(KeptMatches(tmp_path).new())
        assert not left.exists() or other.path == left
        mine = stack.enter_context(kept.new())
        assert other.path.exists()
        assert mine.path != other.path


def test_without_a_place_nothing_is_kept(tmp_path: Path) -> None:
    """Without a usable folder nothing is kept."""
    (tmp_path / "matches").write_text("")
    kept = KeptMatches(tmp_path)
    assert kept.of(None) == []
    with kept.new() as folder:
        assert not begin(folder)
        assert tmp_path not in folder.path.parents
    assert not folder.path.exists()


def test_on_a_full_disk_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk nothing is kept, and the match is played elsewhere."""
    monkeypatch.setattr("os.pwrite", lambda *words: 512)
    with KeptMatches(tmp_path).new() as folder:
        assert not begin(folder)
    assert list((tmp_path / "matches").glob("[0-9]*")) == []
