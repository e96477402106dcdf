"""The shell command that starts the program again."""

import sys
from pathlib import Path

import pytest

from protocol.own_command import own_command


@pytest.mark.parametrize(
    ("typed", "found", "program"),
    [
        (".venv/bin/blackqueen", False, ".venv/bin/blackqueen"),
        (".venv/bin/blackqueen", True, "blackqueen"),
        ("/src/blackqueen/__main__.py", True, f"{sys.executable} -m blackqueen"),
        ("/src/tests/run.py", False, "blackqueen"),
    ],
)
def test_a_command_can_be_typed_where_the_program_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, found: bool, program: str
) -> None:
    """The command includes the program's path if the shell would not find it."""
    if found:
        (tmp_path / "blackqueen").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", [typed, "play"])
    assert own_command("play", "--data", "my games") == f"{program} play --data 'my games'"
