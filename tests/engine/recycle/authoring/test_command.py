"""`blackqueen recycle`: what a person sees, and the exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from blackqueen.main import main
from engine.recycle.authoring.layout import lay_out
from engine.recycle.games import description
from tests.engine.recycle.reading.wording import SETUP, whole

GOOD = whole("(choice ((set (game sto SCORE) 1) (turn pass)))")
WARNED = whole("(choice ((turn pass)))")
WRONG = whole("(chioce ((turn pass)))")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a game of each kind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.rcy").write_text(GOOD)
    (tmp_path / "warned.gdl").write_text(WARNED)
    (tmp_path / "wrong.rcy").write_text(WRONG)
    return tmp_path


def test_a_file_without_a_problem_can_be_played(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file without a problem is reported as playable in one line, with exit code 0."""
    assert main(["recycle", "check", "good.rcy"]) == 0
    assert capsys.readouterr() == ("1 of 1 description can be played\n", "")


def test_a_warning_is_no_error_unless_it_is_asked_to_be(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings are always printed; only `--strict` makes the command fail for them."""
    said = (
        "warned.gdl:4:14: warning [never_set] nothing ever sets this: (game sto SCORE); "
        "expected a (set …) of it\n"
        "1 of 1 description can be played, 1 with warnings\n"
    )
    assert main(["recycle", "check", "warned.gdl"]) == 0
    assert capsys.readouterr().out == said
    assert main(["recycle", "check", "--strict", "warned.gdl"]) == 1
    assert capsys.readouterr().out == said


def test_a_folder_is_checked_with_the_folders_in_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checking a folder checks the descriptions in its subfolders, and skips other files."""
    (folder / "more").mkdir()
    (folder / "more" / "good.rcy").write_text(GOOD)
    (folder / "more" / "notes.txt").write_text("(")
    assert main(["recycle", "check", "."]) == 1
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in out[:-1]] == ["warned.gdl", "wrong.rcy"]
    assert out[-1] == "3 of 4 descriptions can be played, 1 with warnings"


def test_what_cannot_be_compiled_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A description with too deeply nested loops is an error: Python limits how deep loops nest."""
    action = "(turn pass)"
    for _ in range(25):
        action = f"(all (range 1 .. 2) 'N {action})"
    (folder / "deep.rcy").write_text(whole(f"(do ({action}))", scoring="(scoring max 1)"))
    assert main(["recycle", "check", "deep.rcy"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert "error [too_deep]" in out[-2]
    assert out[-1] == "0 of 1 description can be played"


def test_what_cannot_be_read_is_said_and_the_rest_is_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unreadable files and empty folders are reported without a traceback; the rest is checked."""
    (folder / "empty").mkdir()
    (folder / "latin.rcy").write_bytes(b"(game\n;; \xe9)")
    (folder / "binary.rcy").write_bytes(b"\x7fELF\0")
    (folder / "long.rcy").write_bytes(b" " * 400_001)
    os.mkfifo(folder / "pipe.rcy")
    names = ["missing.rcy", "empty", "latin.rcy", "binary.rcy", "long.rcy", "pipe.rcy", "good.rcy"]
    assert main(["recycle", "check", *names]) == 2
    out, err = capsys.readouterr()
    assert out == "1 of 1 description can be played\n"
    assert err.splitlines() == [
        f"blackqueen recycle: {line}"
        for line in (
            "missing.rcy: no such file or directory",
            "empty: the folder has no description, .rcy or .gdl",
            "latin.rcy: this is no text in UTF-8: line 2 has other bytes",
            "binary.rcy: this is no text file",
            "long.rcy: the file is too long, at most 100000 characters are read",
            "pipe.rcy: this is no plain file",
        )
    ]


def test_a_name_that_is_no_text_can_be_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file name that is not valid text is printed with escapes."""
    name = os.fsdecode(b"\xff.rcy")
    (folder / name).write_text(WRONG)
    ran = subprocess.run(
        [sys.executable, "-m", "blackqueen", "recycle", "check", name],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.returncode == 1
    assert ran.stdout.startswith(b"\\udcff.rcy:3:1: error [unknown_word]")
    assert ran.stderr == b""


def test_a_layout_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`format` prints the canonical layout and leaves the file as it is."""
    assert main(["recycle", "format", "good.rcy"]) == 0
    assert capsys.readouterr().out == lay_out(GOOD).text
    assert (folder / "good.rcy").read_text() == GOOD


def test_a_layout_is_written_where_it_is_another(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`format --write` rewrites a file whose layout differs; a second run changes nothing."""
    assert main(["recycle", "format", "--write", "good.rcy"]) == 0
    assert capsys.readouterr().out == "good.rcy: laid out\n"
    assert (folder / "good.rcy").read_text() == lay_out(GOOD).text
    assert main(["recycle", "format", "--write", "good.rcy"]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_stays_what_it_was(folder: Path) -> None:
    """Rewriting a file keeps symbolic links and the file's permissions."""
    (folder / "good.rcy").chmod(0o604)
    (folder / "link.rcy").symlink_to("good.rcy")
    assert main(["recycle", "format", "--write", "link.rcy"]) == 0
    assert (folder / "link.rcy").is_symlink()
    assert (folder / "good.rcy").read_text() == lay_out(GOOD).text
    assert (folder / "good.rcy").stat().st_mode & 0o777 == 0o604


def test_what_cannot_be_laid_out_is_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with syntax errors is reported and left as it is; the other files are laid out."""
    (folder / "open.rcy").write_text("(game")
    assert main(["recycle", "format", "open.rcy", "missing.rcy", "good.rcy"]) == 2
    out, err = capsys.readouterr()
    assert out == f";; good.rcy\n{lay_out(GOOD).text}\n"
    assert err.splitlines() == [
        "open.rcy:1:1: error [unclosed] a parenthesis is not closed: (game; expected ) at the end",
        "blackqueen recycle: missing.rcy: no such file or directory",
    ]
    assert main(["recycle", "format", "--write", "open.rcy"]) == 1
    assert (folder / "open.rcy").read_text() == "(game"


def test_what_cannot_be_written_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be written is reported, and keeps its old text."""

    def full(self: Path, *_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["recycle", "format", "--write", "good.rcy"]) == 2
    assert capsys.readouterr().err == ("blackqueen recycle: good.rcy: no space left on device\n")
    assert (folder / "good.rcy").read_text() == GOOD
    assert sorted(path.name for path in folder.iterdir()) == ["good.rcy", "warned.gdl", "wrong.rcy"]


def test_whoever_reads_the_output_may_stop(folder: Path) -> None:
    """A reader that closes the pipe early, as `head` does, causes no traceback."""
    (folder / "many.rcy").write_text(whole(*["(dance)"] * 2000, setup=SETUP))
    (folder / "hearts.rcy").write_text(description("Hearts4"))
    ran = subprocess.run(
        [
            "bash",
            "-c",
            f"{sys.executable} -m blackqueen recycle check {'many.rcy ' * 40} | head -n 1",
        ],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.stderr == ""
    assert ran.stdout.startswith("many.rcy:3:1: error [unknown_word]")


def test_a_game_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`show` prints a game's piles with the viewers of each, and its stages with their choices."""
    (folder / "Hearts4.rcy").write_text(description("Hearts4"))
    assert main(["recycle", "show", "Hearts4.rcy"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:9] == [
        "Hearts4: 4 players, every player is a team",
        "  52 cards (13 ranks, 4 suits) in (game hloc STOCK)",
        "piles",
        "  the table    STOCK  hloc  seen by nobody",
        "  the table    LEAD   mem   marks, seen by everybody",
        "  each player  HAND   iloc  seen by its player",
        "  each player  TRICK  vloc  seen by everybody",
        "  each player  TAKEN  vloc  seen by everybody",
        "numbers",
    ]
    assert "    player after player until (all player 'P (== (size ('P vloc TRICK)) 1))" in out
    assert "        if (== (size (game mem LEAD)) 1)" in out
    words = out.index("words of a deal")
    assert out[words - 1] == "scoring: least of ((current player) sto SCORE) wins"
    assert out[words + 1] == "  You get 13 cards in hand."
    assert "  ? Play a card: Follow suit if you can. [play " in "\n".join(out)
    assert "  Bob plays " in "\n".join(out)
    assert out[-1] == "  …"


def test_a_games_stages_are_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`show` draws the stages of a game into an SVG file."""
    assert main(["recycle", "show", "good.rcy", "--svg", "good.svg"]) == 0
    assert capsys.readouterr().out.endswith("\ngood.svg: drawn\n")
    assert (folder / "good.svg").read_text().startswith("<svg ")
    assert main(["recycle", "show", "good.rcy", "--svg", "none/good.svg"]) == 2
    assert capsys.readouterr().err == (
        "blackqueen recycle: none/good.svg: no such file or directory\n"
    )
    for several in (["good.rcy", "warned.gdl"], ["."]):
        assert main(["recycle", "show", *several, "--svg", "good.svg"]) == 2
        assert capsys.readouterr().err == "blackqueen recycle: --svg draws one description\n"
    for bad, reason in ((".", "this is a folder"), ("good.rcy/x", "not a directory")):
        assert main(["recycle", "show", "good.rcy", "--svg", bad]) == 2
        assert capsys.readouterr().err == f"blackqueen recycle: {bad}: {reason}\n"


def test_a_game_with_errors_is_not_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`show` reports the errors of a broken file and shows the other files."""
    (folder / "none.rcy").write_text("")
    assert main(["recycle", "show", "wrong.rcy", "none.rcy", "good.rcy"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("good: 3 players")
    assert [line.partition(":")[0] for line in err.splitlines()] == ["wrong.rcy", "none.rcy"]
    assert main(["recycle", "show", "missing.rcy"]) == 2


@pytest.mark.parametrize("words", [("one.rcy", "other.rcy"), (".",)])
def test_several_files_are_printed_with_their_names(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """With several files the names are printed as comments, so the output is still descriptions."""
    monkeypatch.chdir(tmp_path)
    for name in ("one.rcy", "other.rcy"):
        (tmp_path / name).write_text(GOOD)
    assert main(["recycle", "format", "one.rcy"]) == 0
    alone = capsys.readouterr().out
    assert main(["recycle", "format", *words]) == 0
    printed = capsys.readouterr().out
    assert printed == f";; one.rcy\n{alone}\n;; other.rcy\n{alone}\n"
    assert lay_out(printed).text is not None


@pytest.mark.parametrize("what", ["check", "format", "show"])
def test_neither_names_nor_texts_steer_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    """Control characters from file names, descriptions and the command line are printed escaped."""
    hostile = "\x1b]0;owned\x07\x9b2J\u202e\n"
    for name, text in (("wrong", WRONG), ("right", GOOD), ("words", f"{hostile}(game {hostile}")):
        (folder / f"{name}{hostile}.rcy").write_text(f";; {hostile}\n{text}")
    (folder / f"no\x1btext{hostile}.rcy").write_bytes(b"\xff")
    missing = folder / f"missing{hostile}"
    assert main(["recycle", what, str(folder), str(missing), str(missing)]) != 0
    with pytest.raises(SystemExit):
        main(["recycle", what, f"--{hostile}"])
    out, err = capsys.readouterr()
    # Into a file or a pipe a laid out text goes as it is, under its file's name.
    said = err if what == "format" else out + err
    named = [line for line in out.split("\n") if str(folder) in line]
    assert "owned" in said
    assert all(line.isprintable() for line in [*said.split("\n"), *named])


def test_a_laid_out_text_is_cleaned_on_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control characters in comments are escaped on a terminal; a pipe gets the raw text."""
    (folder / "good.rcy").write_text(f";; \x1b]0;owned\x07\n{GOOD}")
    assert main(["recycle", "format", "good.rcy"]) == 0
    assert "\x1b]0;owned\x07" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["recycle", "format", "good.rcy"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(";; \\x1b]0;owned\\x07\n")
    assert all(line.isprintable() for line in shown.split("\n"))
