"""The command itself, before a subcommand takes over."""

import gc
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen, run
from types import ModuleType

import pytest

from blackqueen import main as command


def test_output_that_nobody_reads_ends_quietly() -> None:
    """The program ends quietly when its output is closed, as by `| head`."""
    program = Popen([sys.executable, "-m", "blackqueen", "--version"], stdout=PIPE, stderr=PIPE)
    assert program.stdout is not None
    assert program.stderr is not None
    with program:
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0


SUBCOMMAND = """
import signal

HANDLER = signal.getsignal(signal.SIGINT)

def add_arguments(parser):
    pass

def run(arguments):
    print(HANDLER == signal.SIG_DFL, signal.getsignal(signal.SIGINT).__name__)
    return 7
"""


def late_handler(number: int, frame: object) -> None:
    """A signal handler that is not Python's own."""


@pytest.mark.parametrize("handler", [signal.default_int_handler, late_handler])
def test_ctrl_c_ends_an_import_and_no_more(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    handler: object,
) -> None:
    """Ctrl-C during an import ends the program without a traceback."""
    (tmp_path / "a_subcommand.py").write_text(SUBCOMMAND)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(command.COMMANDS, "sit", ("a_subcommand", "sit down"))
    before = signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]
    try:
        assert command.main(["sit"]) == 7
    finally:
        signal.signal(signal.SIGINT, before)
        assert isinstance(sys.modules.pop("a_subcommand"), ModuleType)
    python_own = handler is signal.default_int_handler
    said = f"{python_own} {'default_int_handler' if python_own else 'late_handler'}\n"
    assert capsys.readouterr().out == said


def test_help_loads_no_rules_and_no_messages() -> None:
    """`--help` imports neither rules nor messages."""
    script = (
        "import sys; from blackqueen.main import main; main([])\n"
        "print({'engine', 'pydantic', 'numpy', 'asyncio'} & set(sys.modules))"
    )
    shown = run([sys.executable, "-c", script], stdout=PIPE, text=True, check=False)
    assert shown.stdout.endswith("set()\n")


def test_garbage_is_collected_again_once_a_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The garbage collector runs for a command, without its modules."""
    text = "import gc\nENABLED = gc.isenabled()\ndef add_arguments(parser): pass\n"
    text += (
        "def run(arguments): return 2 * ENABLED + gc.isenabled() * (gc.get_freeze_count() > 0)\n"
    )
    (tmp_path / "a_subcommand.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(command.COMMANDS, "sit", ("a_subcommand", "sit down"))
    try:
        assert command.main(["sit"]) == 1
    finally:
        gc.unfreeze()
        del sys.modules["a_subcommand"]
