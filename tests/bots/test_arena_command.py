"""`blackqueen arena` as a person runs it: output, errors, workers, interruption."""

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children
from threading import Event

import pytest

from blackqueen.main import main
from bots import Budget, roster
from bots.arena import ArenaResult, BrokenBot, Contest, arrange, play_deal, play_deals
from bots.arena import command as arena_command
from bots.command_line import Progress, telling
from bots.recipe import Recipe

KEYS = [
    "game", "seats", "lineup", "bots", "deals", "mean", "ci_low", "ci_high",
    "win_share", "win_low", "win_high", "ms_per_move",
]  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def arena(*words: str) -> int:
    return main(["arena", "black_queen", *words])


def exit_code(words: list[str]) -> int:
    """The exit code of a run, returned or raised by argparse."""
    try:
        return main(["arena", *words])
    except SystemExit as stop:
        return int(str(stop.code))


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object with exactly the documented keys."""
    assert arena("--bots", "0,1", "--deals", "3", "--seats", "3", "--workers", "1", "--json") == 0
    found = printed(capsys)
    assert list(found) == KEYS
    assert (found["seats"], found["lineup"], found["bots"], found["deals"]) == (
        3, [1, 0, 0], [0, 1], 3,
    )  # fmt: skip


def test_one_deal_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    """With a single deal the bounds are null in JSON and left out in text."""
    assert arena("--deals", "1", "--seats", "2", "--json") == 0
    found = printed(capsys)
    assert found["ci_low"] is None
    assert found["win_high"] is None
    assert arena("--deals", "1", "--seats", "2") == 0
    assert "95 %" not in capsys.readouterr().out


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the result is printed as text, with the seating."""
    assert arena("--deals", "3", "--lineup", "0,1,1,0", "--options", "columns=2", "deals=1") == 0
    told = capsys.readouterr()
    assert "bots 0 1 1 0 in every rotation" in told.out
    assert "95 %" in told.out
    assert told.err == ""


def test_bots_may_have_settings_and_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is named as it was typed, in text and in JSON; a plain strength is a number."""
    named = {"black_queen": {"cautious": Recipe("bots.black_queen:Maximin")}}
    monkeypatch.setattr(roster, "NAMED", named)
    words = ("--bots", "1,cautious:counts_unseen=true", "--deals", "1", "--seats", "2")
    assert arena(*words) == 0
    assert "cautious:counts_unseen=true is ahead of strength 1" in capsys.readouterr().out
    assert arena(*words, "--json") == 0
    found = printed(capsys)
    assert found["bots"] == [1, "cautious:counts_unseen=true"]
    assert isinstance(found["ms_per_move"], dict)
    assert list(found["ms_per_move"]) == ["1", "cautious:counts_unseen=true"]


@pytest.mark.parametrize(
    ("words", "budgets"),
    [
        ((), (Budget(), Budget())),
        (("--budget", "2.5"), (Budget(2.5), Budget(2.5))),
        (("--samples", "10,200"), (Budget(samples=10), Budget(samples=200))),
        (("--budget", "1,2", "--samples", "9"), (Budget(1, 9), Budget(2, 9))),
    ],
)
def test_budgets(
    words: tuple[str, ...], budgets: tuple[Budget, Budget], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Budgets of time and samples are shared by both bots, or given to each."""
    contests: list[Contest] = []

    def play(contest: Contest, deals: int, workers: int) -> Iterator[ArenaResult]:
        contests.append(contest)
        return iter(())

    monkeypatch.setattr(arena_command, "play_deals", lambda *args: closable(play(*args)))
    assert arena(*words) == 0
    assert contests[0].budgets == budgets


def closable(results: Iterator[ArenaResult]) -> Iterator[ArenaResult]:
    yield from results


def test_the_number_of_workers_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """One process and three give equal figures, except for times."""
    found = []
    for workers in ("1", "3"):
        assert arena("--bots", "0,1", "--deals", "7", "--seed", "5", "--seats", "2",
                     "--workers", workers, "--json") == 0  # fmt: skip
        figures = printed(capsys)
        del figures["ms_per_move"]
        found.append(figures)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["poker"], "no game 'poker'"),
        (["Agram4.rcy"], "descriptions are played by `blackqueen simulate`"),
        (["black_queen", "--bots", "0,9"], "no bot of strength 9"),
        (["black_queen", "--bots", "0"], "two strengths"),
        (["black_queen", "--bots", "a,b"], "no bot named a"),
        (["black_queen", "--bots", "0,2:"], "NAME=VALUE"),
        (["black_queen", "--bots", "0,2:worlds=3"], "setting worlds: unknown"),
        (["black_queen", "--budget", "soon"], "must be milliseconds"),
        (["black_queen", "--budget", "5,-1"], "must be milliseconds"),
        (["black_queen", "--samples", "0"], "not a whole number from 1"),
        (["black_queen", "--numbers", "1"], "no deal 1: all deals are of one kind, 0"),
        (["black_queen", "--lineup", "0,1", "--seats", "3"], "seats 2 bots, not 3"),
        (["black_queen", "--lineup", "0,0"], "at least one"),
        (["black_queen", "--seats", "9"], "2 to 8 players"),
        (["black_queen", "--deals", "0"], "not a whole number from 1"),
        (["black_queen", "--workers", "-1"], "not a whole number from 1"),
        (["black_queen", "--seed", "-1"], "seed -1"),
        (["black_queen", "--options", "columns=99"], "columns"),
        (["black_queen", "--options", "columns=true"], "columns"),
        (["black_queen", "--options", "columns"], "NAME=VALUE"),
        (["black_queen", "--options", "colour=red"], "colour"),
    ],
)
def test_bad_arguments(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A contest that cannot be played prints one line and exits with code 2."""
    code = exit_code(words)
    told = capsys.readouterr()
    assert code == 2
    assert says in told.err.splitlines()[-1]
    assert told.out == ""


@pytest.mark.parametrize("done", [0, 2])
@pytest.mark.parametrize(
    ("end", "code", "says"),
    [
        (KeyboardInterrupt, 130, "interrupted"),
        (BrokenBot("bot 1 broke the rules"), 1, "bot 1 broke the rules; stopped"),
        (BrokenProcessPool, 1, "a worker process was killed (out of memory?); stopped"),
    ],
)
def test_an_early_end(
    done: int,
    end: type[BaseException] | BaseException,
    code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ctrl-C, a faulty bot or a lost worker prints the results so far and their number."""

    def play(contest: Contest, deals: int, workers: int) -> Iterator[ArenaResult]:
        for deal in range(done):
            yield play_deal(contest, deal)
        raise end

    monkeypatch.setattr(arena_command, "play_deals", play)
    assert arena("--deals", "50", "--seats", "2", "--json") == code
    told = capsys.readouterr()
    assert told.err == f"{says} after {done} deals\n"
    if done:
        assert json.loads(told.out)["deals"] == done
    else:
        assert told.out == ""


def test_stopping_early_leaves_no_process() -> None:
    """A caller that closes the results stops the workers."""
    before = set(active_children())
    contest = arrange("black_queen", (0, 1), seed=1, seats=2)
    with closing(play_deals(contest, 1000, workers=2)) as played:
        next(played)
        assert set(active_children()) - before
    assert set(active_children()) == before


def test_progress_on_a_terminal() -> None:
    """The progress bar shows progress, rate and remaining time, and vanishes at the end."""
    seconds = iter([0.0, 0.05, 2.0, 130.0])
    terminal = Terminal()
    with Progress(terminal, 120, "deals", clock=lambda: next(seconds)) as progress:
        progress.show(1)
        assert terminal.getvalue() == ""
        progress.show(30)
        assert "30/120 deals, 15.0/s, 0:06 left" in terminal.getvalue()
        progress.show(120)
    assert terminal.getvalue().endswith("\r\x1b[K")


class Waits:
    """The waiting times of the progress lines, and what happens before each."""

    def __init__(self, *before: Callable[[], object]) -> None:
        self._before = iter(before)
        self.over = Event()
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> bool:
        self.seconds.append(seconds)
        happens = next(self._before, None)
        if happens is None:
            self.over.set()
            return True
        happens()
        return False


def test_a_stream_that_is_no_terminal_gets_a_line_now_and_then() -> None:
    """Without a terminal a line comes after ten seconds and then each minute, with the rate."""
    clock = [0.0]
    pipe = io.StringIO()
    progress: Progress

    def at(now: float, done: int) -> Callable[[], object]:
        def happens() -> None:
            clock[0] = now
            progress.show(done)

        return happens

    waits = Waits(at(10, 0), at(70, 60), at(130, 60), at(190, 61))
    progress = Progress(pipe, 120, "deals", lambda: clock[0], wait=waits)
    with progress:
        assert waits.over.wait(60)
    assert waits.seconds == [10, 60, 60, 60, 60]
    assert pipe.getvalue().splitlines() == [
        "0/120 deals after 0:10",
        "60/120 deals after 1:10, 1.0/s, 1:00 left",
        "60/120 deals after 2:10, 0.5/s, 2:10 left",
        "61/120 deals after 3:10, 1.0/min, 59:00 left",
    ]


def test_what_is_soon_done_says_nothing() -> None:
    """A quick command prints no progress, also into a pipe that is closed."""
    pipe = io.StringIO()
    with Progress(pipe, 2, "deals") as progress:
        progress.show(2)
    assert pipe.getvalue() == ""
    pipe.close()
    waits = Waits(lambda: None)
    with telling(lambda: "still here", pipe, waits):
        pass
    assert waits.seconds == [10]
