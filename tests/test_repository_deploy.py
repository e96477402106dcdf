"""What deploy/ names exists, and what it starts is accepted by the program."""

import argparse
import json
import re
import shlex
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from server.ops.settings import Settings
from server.ops.settings_sources import add_arguments, settings_from
from tests.needs import needs
from tests.repository import FOLDERS, ROOT

DEPLOY = ROOT / "deploy"


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as pairs of instruction and argument, continued lines joined."""
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    words = (line.partition(" ") for line in lines if line.strip() and not line.startswith("#"))
    return [(name, rest.strip()) for name, _, rest in words]


def last(name: str) -> str:
    """The argument of the last instruction of this name, which takes effect."""
    return [rest for instruction, rest in instructions() if instruction == name][-1]


def served(words: list[str]) -> Settings:
    """The settings of `blackqueen serve WORDS`; a wrong flag ends the test."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_arguments(parser)
    return settings_from(parser.parse_args(words))


def sent_to_docker(name: str) -> bool:
    """Whether .dockerignore includes a file or folder of the repository."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#") and fnmatch(name, line.removeprefix("!")):
            sent = line.startswith("!")
    return sent


def test_the_image_is_made_of_files_that_exist() -> None:
    """Whatever the Dockerfile copies exists and is not ignored."""
    copied = [
        source
        for name, rest in instructions()
        if name == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]
    assert set(FOLDERS) <= set(copied)
    for source in copied:
        assert (ROOT / source).exists(), source
        assert sent_to_docker(source), source


def test_the_image_installs_what_the_lock_pins() -> None:
    """Packages come from the base lock with their hashes, and nothing else is fetched."""
    installs = [rest for name, rest in instructions() if name == "RUN" and "pip install" in rest]
    assert ["--require-hashes -r requirements/base.txt" in rest for rest in installs] == [
        True,
        False,
    ]
    assert "--no-deps --no-build-isolation" in installs[1]


def test_the_image_does_not_run_as_root() -> None:
    """The last USER is a number other than 0, as orchestrators can check."""
    assert int(last("USER")) > 0


def test_the_image_serves_from_its_volume() -> None:
    """The container's command is valid, its port is exposed, and its data is in the volume."""
    assert json.loads(last("ENTRYPOINT")) == ["blackqueen"]
    command, *words = json.loads(last("CMD"))
    settings = served(words)
    assert command == "serve"
    assert settings.port == int(last("EXPOSE"))
    assert str(settings.data) == last("VOLUME")
    assert settings.host == "0.0.0.0"


def test_the_image_asks_after_its_health() -> None:
    """The health check is valid Python and asks the served port."""
    python, flag, code = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert (python, flag) == ("python", "-c")
    compile(code, "healthcheck", "exec")
    assert f"http://127.0.0.1:{last('EXPOSE')}/healthz" in code


def unit() -> dict[str, str]:
    """The settings of the unit by name."""
    return dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "blackqueen.service").read_text(), re.M))


def test_the_unit_starts_the_server() -> None:
    """The unit's command is valid, with its data in systemd's folder."""
    program, command, *words = shlex.split(unit()["ExecStart"])
    assert (Path(program).name, command) == ("blackqueen", "serve")
    assert str(served(words).data) == "${STATE_DIRECTORY}"


def test_settings_of_the_environment_count() -> None:
    """The environment's settings are not overridden by flags, except data and address."""
    _, _, *unit_words = shlex.split(unit()["ExecStart"])
    _, *image_words = json.loads(last("CMD"))
    assert [word for word in unit_words if word.startswith("--")] == ["--data"]
    assert [word for word in image_words if word.startswith("--")] == ["--host", "--port", "--data"]


def test_the_unit_leaves_time_to_drain() -> None:
    """systemd stops the server with SIGTERM alone, and waits longer than it drains."""
    assert unit()["KillSignal"] == "SIGTERM"
    assert unit()["KillMode"] == "mixed"
    assert int(unit()["TimeoutStopSec"]) > Settings().drain_seconds


@pytest.mark.parametrize(
    ("name", "value"),
    [("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("DynamicUser", "yes")],
)
def test_the_unit_is_fenced_in(name: str, value: str) -> None:
    """The unit gives the server no more rights than it needs."""
    assert unit()[name] == value


@pytest.mark.parametrize("name", ["blackqueen.service", "blackqueen@.service"])
def test_systemd_understands_the_unit(tmp_path: Path, name: str) -> None:
    """`systemd-analyze verify` accepts the unit."""
    needs("systemd-analyze")
    # It also wants the program to be there, so a program that is everywhere stands in.
    written = (DEPLOY / name).read_text()
    copy = tmp_path / name.replace("@", "@g1")
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", written, flags=re.M))
    run = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_unit_of_a_node_is_that_of_a_server() -> None:
    """The unit of a node differs from a server's only in names, folders and settings."""
    one, node = (
        {line for line in (DEPLOY / name).read_text().splitlines() if not line.startswith("#")}
        for name in ("blackqueen.service", "blackqueen@.service")
    )
    assert {line.partition("=")[0] for line in node - one} == {
        *("Description", "Environment", "EnvironmentFile", "StateDirectory", "CacheDirectory"),
    }
    assert len(one - node) == 5


def test_the_unit_suits_a_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit of a node starts one with the initial settings, and leaves time to move tables."""
    own = (DEPLOY / "blackqueen@.service").read_text()
    settings = (DEPLOY / "environment/node.environment").read_text()
    for variable, value in re.findall(r"^(BLACKQUEEN_\w+)=(.*)$", settings, re.M):
        assert variable.removeprefix("BLACKQUEEN_").lower() in Settings.model_fields
        monkeypatch.setenv(variable, value)
    told = served(["--data", str(tmp_path)])
    assert told.node_url is not None
    assert told.database_url is not None
    assert told.has_admin
    waits = re.findall(r"^TimeoutStopSec=(\d+)$", own, re.M)
    assert int(waits[0]) > told.drain_seconds


@pytest.mark.parametrize("name", ["blackqueen.service", "blackqueen@.service"])
def test_systemd_finds_the_unit_fenced_in(name: str) -> None:
    """`systemd-analyze security` rates the unit at most 1.3 of ten."""
    needs("systemd-analyze")
    words = ["security", "--offline=true", "--threshold=13", "--no-pager"]
    unit_file = DEPLOY / name
    run = subprocess.run(["systemd-analyze", *words, unit_file], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
