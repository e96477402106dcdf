"""The folder of a simulation: it goes on where it stopped, and knows what is not its own."""

import json
from pathlib import Path

import pytest

from bots.lab.errors import BadFolder
from bots.lab.folder import STATE, Folder, opened
from bots.lab.plan import Plan
from bots.lab.runners import play_block
from bots.lab.runs import TABLES, read_runs
from tests.bots.lab.made import small


def fill(folder: Folder, until: int) -> None:
    """Play on to so many games, two at a time."""
    while folder.done.runs < until:
        block = play_block(folder.plan, folder.done.runs, 2)
        folder.add(block.runs, block.texts, block.stopped)


def begun(path: Path, plan: Plan, games: int) -> None:
    with opened(path, plan) as folder:
        fill(folder, games)


def tables(path: Path) -> dict[str, bytes]:
    return {name: (path / f"{name}.csv").read_bytes() for name in TABLES}


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Whatever was written after the last commit is cut off, and the end is the same bytes."""
    plan = small()
    begun(tmp_path / "whole", plan, 6)
    begun(tmp_path / "halved", plan, 2)
    for name in TABLES:
        with (tmp_path / "halved" / f"{name}.csv").open("ab") as file:
            file.write(b"2,0,half a ro")
    with opened(tmp_path / "halved", plan) as folder:
        assert folder.done.runs == 2
        assert [run.number for run in read_runs(folder.path)] == [0, 1]
        fill(folder, 6)
    assert tables(tmp_path / "halved") == tables(tmp_path / "whole")


def test_stopped_games_are_counted_by_reason(tmp_path: Path) -> None:
    """The reasons are kept with the games, over several sittings too."""
    begun(tmp_path, small(longest=3), 2)
    with opened(tmp_path, small(longest=3)) as folder:
        fill(folder, 4)
        assert folder.done.stopped == {"more than 3 choices": 4}


@pytest.mark.parametrize("name", TABLES)
def test_damage_is_noticed(tmp_path: Path, name: str) -> None:
    """A changed byte, a missing end or a missing table is refused by the file's name."""
    table = tmp_path / f"{name}.csv"
    begun(tmp_path, small(), 4)
    whole = table.read_bytes()
    for damaged in (whole[:9] + b"#" + whole[10:], whole[:-1], None):
        if damaged is None:
            table.unlink()
        else:
            table.write_bytes(damaged)
        with pytest.raises(BadFolder, match=f"{name}.csv is damaged"), opened(tmp_path, small()):
            pass


@pytest.mark.parametrize("text", ["", "[1, 2]", "{}", '{"format": 1, "plan": {}, "done": 3}'])
def test_a_damaged_state_is_noticed(tmp_path: Path, text: str) -> None:
    """What cannot be read as the state of a simulation is no bug of ours."""
    begun(tmp_path, small(), 2)
    (tmp_path / STATE).write_text(text)
    with pytest.raises(BadFolder, match=r"simulation\.json is damaged"), opened(tmp_path, small()):
        pass


def test_another_format_is_told_from_damage(tmp_path: Path) -> None:
    """A folder of a later version is said to be one."""
    begun(tmp_path, small(), 2)
    state = json.loads((tmp_path / STATE).read_text())
    (tmp_path / STATE).write_text(json.dumps({**state, "format": 99}))
    with pytest.raises(BadFolder, match="another version"), opened(tmp_path, small()):
        pass


def test_another_simulation_is_refused_with_the_difference(tmp_path: Path) -> None:
    """Other players, other bots: the words say what is there and what was asked for."""
    begun(tmp_path, small(), 2)
    with (
        pytest.raises(
            BadFolder, match=r"another simulation: what is played is .*r.* there and .*1,"
        ),
        opened(tmp_path, small(bots="1")),
    ):
        pass
    assert len(tables(tmp_path)["results"].splitlines()) == 5


def test_two_do_not_write_at_once(tmp_path: Path) -> None:
    """The second is told so, and the first goes on."""
    with opened(tmp_path, small()) as folder:
        with (
            pytest.raises(BadFolder, match="being written by another simulation"),
            opened(tmp_path, small()),
        ):
            pass
        fill(folder, 2)


def test_a_start_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    """Headers without a state are nobody's games; somebody's own table of that name is."""
    begun(tmp_path / "whole", small(), 2)
    cut = tmp_path / "cut"
    cut.mkdir()
    (cut / "results.csv").write_text("run,seat,bot,score,rank\n")
    (cut / "choices.csv").write_text("run,mo")
    (cut / f".{STATE}.new").write_text('{"form')
    begun(cut, small(), 2)
    assert tables(cut) == tables(tmp_path / "whole")
    (cut / STATE).unlink()
    with pytest.raises(BadFolder, match="holds no simulation"), opened(cut, small()):
        pass


def test_what_is_no_folder_of_ours_stays_untouched(tmp_path: Path) -> None:
    """A folder with something else in it, a file, and a place where nothing can be made."""
    (tmp_path / "letter.txt").write_text("Dear Ann")
    for path, says in (
        (tmp_path, "is not empty and holds no simulation"),
        (tmp_path / "letter.txt", "cannot be used"),
        (tmp_path / "letter.txt" / "below", "cannot be used"),
    ):
        with pytest.raises(BadFolder, match=says), opened(path, small()):
            pass
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]
