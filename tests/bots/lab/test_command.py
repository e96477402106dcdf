"""`blackqueen simulate` as a person runs it: files, output, errors."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bots.command_line import Progress
from bots.lab import command, runners
from bots.lab.folder import REPORT, STATE
from bots.lab.plan import Plan
from bots.lab.play import play
from bots.lab.runs import TABLES, Run
from engine.unseen import NoDeal
from tests.bots.lab.made import QUICK, kept, simulate


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 1, 4 and 7 games, also on a busy machine."""
    monkeypatch.setattr(runners, "_SECONDS_A_BLOCK", 1e6)


def test_the_summary_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder the summary is printed as tables and nothing is stored."""
    assert simulate(*QUICK) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Schnapsen, 2 players, seed 1\n\n12 games of 2 random players\n")
    assert "fairness" in told.out
    assert told.err == ""


def test_the_summary_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object with every statistic, with both ways to count ties."""
    assert simulate(*QUICK, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["of"], found["players"]) == (12, 12, 2)
    fairness = found["statistics"]["fairness"]
    assert fairness["ties_split"]["low"] <= fairness["ties_split"]["value"]
    assert fairness["bots"] == ["r", "r"]
    assert found["statistics"]["order"]["ties_full"]["value"] is None


def test_the_folder_has_all_that_is_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder has tables, summary, plots and report, and with `--parquet` Parquet files."""
    assert simulate(*QUICK, "--out", str(tmp_path / "a"), "--parquet") == 0
    found = {path.name for path in (tmp_path / "a").iterdir()}
    assert found == {
        *(f"{name}.{kind}" for name in TABLES for kind in ("csv", "parquet")),
        "summary.json", "plots", REPORT, STATE,
    }  # fmt: skip
    plots = {path.name for path in (tmp_path / "a/plots").iterdir()}
    assert plots == {
        "branching.svg", "leads.svg", "wins.svg", "scores.svg", "lengths.svg",
        "game-0.svg", "game-1.svg",
    }  # fmt: skip
    assert REPORT in capsys.readouterr().err
    results = (tmp_path / "a/results.csv").read_text().splitlines()
    assert results[0] == "run,seat,bot,score,rank"
    assert len(results) == 1 + 2 * 12


def test_parquet_holds_what_csv_does(tmp_path: Path) -> None:
    """The Parquet files have the CSV tables' rows, with types and null for unknown values."""
    from pyarrow import parquet

    assert simulate(*QUICK, "--out", str(tmp_path), "--parquet") == 0
    for name in TABLES:
        text = (tmp_path / f"{name}.csv").read_text()
        rows = parquet.read_table(tmp_path / f"{name}.parquet").to_pylist()
        assert len(rows) == len(text.splitlines()) - 1
    assert set(rows[0]) == {"run", "move", "seat", "worst", "best", "lead_0", "lead_1"}
    assert rows[0]["worst"] is None
    assert isinstance(rows[0]["lead_0"], float)


def test_a_game_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A breach of the rules is reported with the game's number, and earlier games are kept."""

    def fails_at_last(plan: Plan, number: int) -> Run:
        if number == 11:
            raise NoDeal("the cards do not fit")
        return play(plan, number)

    monkeypatch.setattr(runners, "play", fails_at_last)
    assert simulate(*QUICK, "--out", str(tmp_path)) == 1
    said = capsys.readouterr().err
    assert said == "blackqueen simulate: game 11 failed: NoDeal: the cards do not fit\n"
    assert kept(tmp_path) == 5


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("chess",), 2, "no game 'chess': there are black_queen"),
        (("hearts", "--games", "0"), 2, "not a whole number from 1"),
        (("hearts", "--watch", "-1"), 2, "not a whole number from 0"),
        (("hearts", "--watch", "x"), 2, "not a whole number from 0"),
        (("hearts", "--bots", "r,?"), 2, "must begin with a strength or a name"),
        (("hearts", "--bots", "r,s"), 2, "Hearts takes 4 players, not 2"),
        (("hearts", "--players", "4", "--bots", "r,s"), 2, "2 bots for 4 players"),
        (("hearts", "--bots", "wizard"), 2, "no bot named wizard"),
        (("hearts", "--players", "5"), 2, "Hearts takes 4 players, not 5"),
        (("hearts", "--options", "rules"), 2, "must look like NAME=VALUE"),
        (("hearts", "--options", "rules=none"), 2, "option rules: 'none' must be one of"),
        (("hearts", "--seed", "-1"), 2, "seed -1"),
        (("hearts", "--parquet"), 2, "--parquet needs a folder"),
        (("missing.rcy",), 2, "missing.rcy cannot be read: No such file"),
        (("hearts", "--out", "/dev/null"), 4, "/dev/null cannot be used"),
        (("hearts", "--scheduler", "tcp://127.0.0.1:1"), 3, "no Dask scheduler answers"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    words: tuple[str, ...], code: int, says: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Each mistake has an exit code and one line, without a traceback."""
    from bots.lab import cluster

    monkeypatch.setattr(cluster, "_SECONDS_TO_ANSWER", 0.3)
    assert simulate(*words) == code
    told = capsys.readouterr().err
    assert says in told
    assert "Traceback" not in told


def test_files_that_are_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors of a description have line and column; other files are refused by their kind."""
    for name, content, says in (
        ("Wrong2.rcy", b"(game\n (setup (create players 2))\n (stage planet))", "3:9: error"),
        ("picture.rcy", b"\xff\xd8\xff", "it is not UTF-8 text"),
        ("film.gdl", b" " * (1 << 20) + b"(", "larger than"),
    ):
        (tmp_path / name).write_bytes(content)
        assert simulate(str(tmp_path / name)) == 2
        assert says in capsys.readouterr().err


def test_a_game_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A description is identified by its text, so another text is another game."""
    from importlib.resources import files

    text = files("engine.recycle.games").joinpath("Agram3.rcy").read_text(encoding="utf-8")
    file = tmp_path / "Mine3.rcy"
    file.write_text("\N{BYTE ORDER MARK}" + text, encoding="utf-8")
    words = (str(file), "--games", "4", "--bots", "s:playouts=1,r,r", "--out", str(tmp_path / "x"))
    assert simulate(*words, "--workers", "1") == 0
    assert capsys.readouterr().out.startswith("Mine, 3 players")
    file.write_text(text + ";; another text", encoding="utf-8")
    assert simulate(*words) == 4
    assert (
        "another simulation: the game Mine3 has another text. Name another"
        in capsys.readouterr().err
    )


def test_a_described_game_of_three_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A described game of three games lists all seats, whose shares add up to one."""
    from importlib.resources import files

    file = tmp_path / "Agram4.rcy"
    file.write_bytes(files("engine.recycle.games").joinpath("Agram4.rcy").read_bytes())
    assert simulate(str(file), "--games", "3", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    (part,) = found["parts"]
    assert (found["title"], found["players"], part["games"]) == ("Agram", 4, 3)
    assert sum(seat["wins"]["value"] for seat in part["seats"]) == pytest.approx(1)
    assert part["choices_a_game"]["value"] > 4


def test_games_that_all_are_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If all games are stopped there is no report, the reason is printed, and the code is 1."""
    assert simulate(*QUICK, "--longest", "3", "--out", str(tmp_path)) == 1
    told = capsys.readouterr()
    assert "12 games without an end, which do not count: more than 3 choices" in told.out
    assert told.err == (
        "blackqueen simulate: every game was stopped before its end, so there is no report\n"
    )
    assert not (tmp_path / REPORT).exists()


@pytest.mark.parametrize(("missing", "words"), [("numpy", ()), ("pyarrow", ("--parquet",))])
def test_what_is_not_installed_is_said(
    missing: str, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A missing package is reported with its extra before anything is played."""
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == missing else name)
    assert simulate(*QUICK, *words, "--out", str(tmp_path)) == 2
    assert "install blackqueen[lab]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_rate_is_that_of_this_sitting() -> None:
    """The progress bar counts earlier games as done, but not for the rate."""
    screen, clock = Terminal(), iter([0.0, 2.0])
    with Progress(screen, 100, "games", lambda: next(clock), done=60) as progress:
        progress.show(80)
    assert "80/100 games, 10.0/s, 0:02 left" in screen.getvalue()


def test_the_command_without_numpy_loads(tmp_path: Path) -> None:
    """`--help` works without NumPy and other extras."""
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
        "from blackqueen.main import main\nmain(['simulate', '--help'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "--scheduler" in run.stdout
