"""Removed settings are refused by name, with what to use instead."""

from pathlib import Path

import pytest

from server.ops.removed_settings import REMOVED
from server.serve import run
from tests.server.ops.test_settings import parsed, toml


@pytest.mark.parametrize("name", REMOVED)
def test_a_setting_that_is_gone_is_refused(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A removed setting is refused by flag, variable and file, with exit code 2."""
    flag, variable = f"--{name.replace('_', '-')}", f"BLACKQUEEN_{name.upper()}"
    monkeypatch.setenv(variable, "1")
    path = toml(tmp_path, f"{name} = 1")
    assert run(parsed(flag, "1", "--config", path)) == 2
    told = capsys.readouterr().err
    for where in (flag, f"environment variable {variable}", f"{path}: {name}"):
        assert f"{where}: {REMOVED[name]}\n" in told
