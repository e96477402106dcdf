"""The folder of a simulation: it continues where it stopped, and refuses foreign files."""

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
    """Play up to the given number of games, two at a time."""
    while folder.done.runs < until:
        block = play_block(folder.plan, folder.done.runs, 2)
        folder.add(block.runs, block.texts, block.stopped)


def begun(path: Path, plan: Plan, games: int) -> None:
    with opened(path, plan) as folder:
        fill(folder, games)


def tables(path: Path) -> dict[str, bytes]:
    return {name: (path / f"{name}.csv").read_bytes() for name in TABLES}


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A run that continues cuts off uncommitted rows, and ends with equal bytes."""
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
    """The reasons of stopped games are counted over several runs."""
    begun(tmp_path, small(longest=3), 2)
    with opened(tmp_path, small(longest=3)) as folder:
        fill(folder, 4)
        assert folder.done.stopped == {"more than 3 choices": 4}


@pytest.mark.parametrize("name", TABLES)
def test_damage_is_noticed(tmp_path: Path, name: str) -> None:
    """A changed byte, a missing end or a missing table is refused with the file's name."""
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
    """An unreadable state file is an error with a message."""
    begun(tmp_path, small(), 2)
    (tmp_path / STATE).write_text(text)
    with pytest.raises(BadFolder, match=r"simulation\.json is damaged"), opened(tmp_path, small()):
        pass


def test_another_format_is_told_from_damage(tmp_path: Path) -> None:
    """A folder of a later format is reported as such, not as damage."""
    begun(tmp_path, small(), 2)
    state = json.loads((tmp_path / STATE).read_text())
    (tmp_path / STATE).write_text(json.dumps({**state, "format": 99}))
    with pytest.raises(BadFolder, match="another version"), opened(tmp_path, small()):
        pass


def test_another_simulation_is_refused_with_the_difference(tmp_path: Path) -> None:
    """A folder of another simulation is refused with the differences."""
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
    """A second program is refused a folder that is in use, and the first continues."""
    with opened(tmp_path, small()) as folder:
        with (
            pytest.raises(BadFolder, match="being written by another simulation"),
            opened(tmp_path, small()),
        ):
            pass
        fill(folder, 2)


def test_a_start_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    """Headers without a state are replaced; a foreign table of that name is not."""
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
    """A folder with other files, a file, and an unusable place are left untouched."""
    (tmp_path / "letter.txt").write_text("Dear Ann")
    for path, says in (
        (tmp_path, "is not empty and holds no simulation"),
        (tmp_path / "letter.txt", "cannot be used"),
        (tmp_path / "letter.txt" / "below", "cannot be used"),
    ):
        with pytest.raises(BadFolder, match=says), opened(path, small()):
            pass
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]
