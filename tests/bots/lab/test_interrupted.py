"""`blackqueen simulate` continues after it was interrupted or killed, with equal results."""

import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.lab import command, runners
from bots.lab.folder import REPORT, STATE
from bots.lab.plan import Plan
from bots.lab.runners import Block
from tests.bots.lab.made import QUICK, kept, simulate, tables


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 1, 4 and 7 games, also on a busy machine."""
    monkeypatch.setattr(runners, "_SECONDS_A_BLOCK", 1e6)


def interrupted_after(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt the run after the given number of blocks."""
    whole = runners.in_this_process

    def some(plan: Plan, first: int) -> Generator[Block, None, None]:
        for number, block in enumerate(whole(plan, first)):
            if number == blocks:
                raise KeyboardInterrupt
            yield block

    monkeypatch.setattr(command, "in_this_process", some)


def test_ctrl_c_keeps_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C a report is made, and the command run again ends with equal bytes."""
    assert simulate(*QUICK, "--out", str(tmp_path / "whole")) == 0
    with monkeypatch.context() as patched:
        interrupted_after(2, patched)
        assert simulate(*QUICK, "--out", str(tmp_path / "halved")) == 130
    told = capsys.readouterr()
    assert "interrupted after 5 of 12 games; the same command goes on" in told.err
    assert "5 of 12 games so far" in told.out
    assert "5 of 12 games so far" in (tmp_path / "halved" / REPORT).read_text()
    assert simulate(*QUICK, "--out", str(tmp_path / "halved")) == 0
    assert tables(tmp_path / "halved") == tables(tmp_path / "whole")
    for name in (REPORT, "summary.json", STATE):
        assert (tmp_path / "halved" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_ctrl_c_before_the_first_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C before the first game ends without output and without an error."""
    interrupted_after(0, monkeypatch)
    assert simulate(*QUICK) == 130
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "interrupted after 0 of 12 games\n")


def test_done_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished simulation plays nothing more and makes the report again."""
    assert simulate(*QUICK, "--out", str(tmp_path)) == 0
    before = tables(tmp_path)
    (tmp_path / REPORT).unlink()
    interrupted_after(0, monkeypatch)
    assert simulate(*QUICK, "--out", str(tmp_path)) == 0
    assert tables(tmp_path) == before
    assert (tmp_path / REPORT).exists()


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process of its own, ended if the test fails."""
    process = subprocess.Popen(
        [sys.executable, "-m", "blackqueen", "simulate", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_games(process: subprocess.Popen[str], path: Path, games: int) -> None:
    """Wait until the given number of games is stored; the process must not end before."""
    while True:
        try:
            process.wait(timeout=0.02)
        except subprocess.TimeoutExpired:
            if (path / STATE).exists() and kept(path) >= games:
                return
            continue
        raise AssertionError(process.communicate()[1])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_ended_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    """A run with two workers that was killed or interrupted continues to equal tables."""
    words = ("schnapsen", "--games", "40", "--bots", "s:playouts=1,r")
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    with running(*words, "--workers", "2", "--out", str(cut)) as process:
        wait_for_games(process, cut, 3)
        process.send_signal(how)
        said = process.communicate()[1]
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        assert "Traceback" not in said
    assert kept(cut) < 40
    for path in (cut, whole):
        assert simulate(*words, "--out", str(path), "--workers", "2") == 0
    assert tables(cut) == tables(whole)
