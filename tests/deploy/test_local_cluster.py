"""The messages of the program that tries a cluster out, before start and on failure."""

import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import pytest

from deploy import local_cluster, local_processes
from deploy.local_processes import Begun, NotStarted, Stopped, running, until_ready

FAILS = "import sys; print('first'); sys.exit('no disk')"
WAITS = "import signal; signal.pause()"
SERVES = f"print('Listening on ws://127.0.0.1:81', flush=True); {WAITS}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--nodes", "0"), "argument --nodes: '0' is no number of processes, at least 1"),
        (("--nodes", "many"), "argument --nodes: 'many' is no number of processes"),
        (("--gateways", "2"), "argument --gateways: all processes are whole servers now"),
        (("--secure",), "argument --secure: all processes are whole servers now; use --nodes N"),
        (("--node-url", "ws://localhost:1"), "argument --node-url: each node"),
        (("--nonsense",), "blackqueen serve: unrecognized arguments: --nonsense"),
        (("--bot-delays", "0"), "did you mean --bot-delay?"),
        (("--bot-delay", "soon"), "--bot-delay: 'soon' cannot be used"),
        (("--port", "80"), "argument --port: each node has its own"),
        (("--no-admin",), "argument --admin: each node"),
    ],
)
def test_a_wrong_flag_is_named_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    """A wrong flag is reported in a line with exit code 2, before anything starts."""
    monkeypatch.setattr(sys, "argv", ["local_cluster.py", *words])
    monkeypatch.setattr(local_cluster, "LocalCluster", None)
    with pytest.raises(SystemExit) as ended:
        local_cluster.main()
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert said in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")


def test_the_help_tells_of_other_flags_and_exit_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help lists further flags with their defaults, and exit codes."""
    monkeypatch.setattr(sys, "argv", ["local_cluster.py", "--help"])
    with pytest.raises(SystemExit):
        local_cluster.main()
    told = capsys.readouterr().out
    assert "how many whole servers there are (default: 3)" in told
    assert "Any other flag goes to every node" in told
    assert "Exit codes: 0 after Ctrl-C" in told


def test_processes_are_waited_for_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes are awaited in parallel; one that ends early is named with its last lines."""
    monkeypatch.setattr(local_processes, "_is_ready", lambda port: port > 0)
    told: list[tuple[str, int]] = []
    with ExitStack() as stack:

        def begin(name: str, code: str) -> Begun:
            log = tmp_path / f"{name}.log"
            return Begun(name, stack.enter_context(running(log, sys.executable, "-c", code)), log)

        def tell(name: str, port: int) -> None:
            told.append((name, port))

        until_ready([begin("one", SERVES), begin("two", SERVES)], tell, Event())
        assert sorted(told) == [("one", 81), ("two", 81)]
        with pytest.raises(NotStarted, match=r"three did not start:\n(first\n)?no disk"):
            until_ready([begin("four", WAITS), begin("three", FAILS)], tell, Event())
        stop = Event()
        stop.set()
        with pytest.raises(Stopped):
            until_ready([begin("five", WAITS)], tell, stop)
    assert len(told) == 2


def test_nodes_need_postgresql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The need for PostgreSQL is reported before anything starts."""
    monkeypatch.setattr(local_cluster, "found", lambda name: None)
    with ExitStack() as stack, pytest.raises(NotStarted, match="need PostgreSQL"):
        local_cluster.LocalCluster(tmp_path, stack, Event()).start(2)
    assert list(tmp_path.iterdir()) == []
