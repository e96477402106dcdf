"""The repository's consistency: what it names exists, and what it pins is pinned."""

import os
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from engine import GAMES
from protocol.texts.catalogue import LANGUAGES, Texts, catalogue
from tests.needs import needs
from tests.repository import PROJECT, ROOT, text, tracked


def normal(package: str) -> str:
    """A package's normalised name without its version."""
    return re.split(r"[\[<>=!~; ]", package, maxsplit=1)[0].lower().replace("_", "-")


def wanted(*groups: str, extras: tuple[str, ...] = ("server", "lab")) -> set[str]:
    """The packages `pyproject.toml` asks for: always the base ones, and those of `groups`."""
    listed = [*PROJECT["project"]["dependencies"]]
    listed += [p for name in extras for p in PROJECT["project"]["optional-dependencies"][name]]
    listed += [p for group in groups for p in PROJECT["dependency-groups"][group]]
    return {normal(package) for package in listed}


def locked(name: str) -> dict[str, tuple[str, ...]]:
    """The packages of a lock file with their versions, several if Pythons need different ones."""
    lock = (ROOT / "requirements" / f"{name}.txt").read_text()
    versions: dict[str, tuple[str, ...]] = {}
    for package, version in re.findall(r"^([a-z0-9.-]+)==(\S+)", lock, re.MULTILINE):
        versions[package] = (*versions.get(package, ()), version)
    return versions


# Spelt so that this file does not find itself.
FOREIGN = re.compile(
    "|".join(
        (
            r"(?<![\w.])/(?:home|root|work|Users)/[\w.]",
            r"[\w.-]*py" + r"pi\.(?:org|python)",
            "files\\.python" + "hosted",
            r"regis" + r"try\.npm",
            "deb" + r"\.debian\.org",
        )
    )
)


def test_no_file_names_a_machine_or_a_registry() -> None:
    """Tracked files contain neither local paths nor addresses of registries."""
    found = {
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked()
        for match in FOREIGN.finditer(text(path))
    }
    assert found == set()


@pytest.mark.parametrize(
    "line", ["see /home" + "/ann/x", "url = https://py" + "pi.org/simple", "(/root" + "/.cache)"]
)
def test_a_foreign_name_would_be_noticed(line: str) -> None:
    """The pattern for local paths and registries finds an example."""
    assert FOREIGN.search(line)


@pytest.mark.parametrize("name", ["play", "base", "dev", "bench"])
def test_every_locked_package_has_hashes_and_no_address(name: str) -> None:
    """A lock file has versions and SHA-256 hashes, and no address."""
    lock = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert len(entries) == sum(map(len, locked(name).values())) > 0
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    assert "://" not in lock
    assert not re.search(
        r"^\s*(?:-|--(?!hash=))", lock.replace("    --hash", "    #"), re.MULTILINE
    )


def test_the_locks_hold_what_the_project_asks_for() -> None:
    """Each dependency is locked, and each lock has the versions of the one before."""
    play, base, dev, bench = map(locked, ("play", "base", "dev", "bench"))
    assert wanted("build", extras=()) <= play.keys()
    assert wanted("build", extras=("server", "postgres", "mqtt")) <= base.keys()
    assert wanted("build", "dev") <= dev.keys()
    assert wanted("build", "dev", "bench") <= bench.keys()
    assert play.items() <= base.items() <= dev.items() <= bench.items()


def test_a_player_need_not_wait_for_the_heaviest_packages() -> None:
    """The heaviest packages are not installed for players, but only for servers and on demand."""
    assert locked("base").keys() - locked("play").keys() == {
        *("llvmlite", "numba", "numpy", "segno", "uvloop"),
        *("psycopg", "psycopg-binary", "tzdata"),
        *("aiomqtt", "paho-mqtt"),
    }


def test_each_dependency_is_accounted_for() -> None:
    """docs/dependencies.md explains each package, and no other."""
    rows = re.findall(r"^\| (`[^|]+) \|", text(ROOT / "docs/dependencies.md"), re.MULTILINE)
    documented = {normal(name) for row in rows for name in re.findall(r"`([^`]+)`", row)}
    extras = tuple(PROJECT["project"]["optional-dependencies"])
    assert documented == wanted("build", "dev", "bench", extras=extras)


def test_upper_bounds_are_accounted_for() -> None:
    """docs/dependencies.md explains each upper bound, and the locked versions lie below it."""
    _, _, said = text(ROOT / "docs/dependencies.md").partition("### The next major version")
    rows = re.findall(r"^\| (`[^|]+) \|", said.partition("\n## ")[0], re.MULTILINE)
    documented = {normal(name) for row in rows for name in re.findall(r"`([^`]+)`", row)}
    extras = PROJECT["project"]["optional-dependencies"].values()
    packages = [*PROJECT["project"]["dependencies"], *(name for each in extras for name in each)]
    bounds = {normal(package): package.rpartition("<")[2] for package in packages if "<" in package}
    assert bounds.keys() == documented
    versions = locked("dev")
    for package, bound in bounds.items():
        assert all(int(each.partition(".")[0]) < int(bound) for each in versions[package])


def test_the_version_stands_in_the_changelog() -> None:
    """The newest entry of the changelog has the package's version."""
    newest = re.search(r"^## \[([\d.]+)\]", text(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert newest
    assert newest.group(1) == PROJECT["project"]["version"]


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """The output of `make` with these words, run from a shell.

    The tests are often run by a `make` themselves, which passes its own options on and would make
    this one print the folders that it enters and leaves.
    """
    needs("make")
    inherited = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PART"}
    surroundings = {name: value for name, value in os.environ.items() if name not in inherited}
    return subprocess.run(
        ["make", *words], cwd=ROOT, capture_output=True, text=True, env=surroundings
    )


@pytest.mark.parametrize(
    "target", ["setup", "play", "test", "check", "nightly", "bench", "lock", "clean", "help"]
)
def test_make_knows_the_task(target: str) -> None:
    """Each make task that the documentation names exists in the Makefile."""
    run = make("-n", target)
    assert run.returncode == 0, run.stderr


def test_each_test_belongs_to_one_part_of_the_night() -> None:
    """`make nightly` runs every test file in one of its parts."""
    files = {path.relative_to(ROOT) for path in tracked() if path.name.startswith("test_")}
    run: list[Path] = []
    for part in ("rules", "games", "bots", "server", "programs"):
        printed = make("-n", f"night-{part}")
        assert printed.returncode == 0, printed.stderr
        words = printed.stdout.splitlines()[-1].partition("--numprocesses ")[2].split()[1:]
        within = [Path(word) for word in words if not word.startswith("-")] or [Path()]
        left_out = [Path(word.partition("=")[2]) for word in words if word.startswith("--ignore=")]
        run += [
            path
            for path in files
            if any(path.is_relative_to(place) for place in within)
            and not any(path.is_relative_to(place) for place in left_out)
        ]
    assert sorted(run) == sorted(files)


def test_a_part_of_the_night_that_is_not_there_is_refused() -> None:
    """A misspelt part of `make nightly` runs nothing, and the error lists the parts."""
    run = make("nightly", "PART=sever")
    assert run.returncode != 0
    assert "PART=sever: the parts are rules" in run.stderr


def test_ci_runs_what_people_run() -> None:
    """CI runs `make check` and `make test`, as people do after `make setup`."""
    words = [line for line in text(ROOT / ".ci/run").splitlines() if line.startswith("make ")]
    assert words == ["make setup", "make check", "make test"]


def test_hooks_fetch_nothing() -> None:
    """Every pre-commit hook is a program of .venv that `make check` runs as well."""
    config = yaml.safe_load(text(ROOT / ".pre-commit-config.yaml"))
    checks = text(ROOT / "Makefile")
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    for hook in config["repos"][0]["hooks"]:
        program, *words = hook["entry"].split()
        assert hook["language"] == "system"
        assert " ".join(["$(BIN)/" + program.removeprefix(".venv/bin/"), *words[:1]]) in checks


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("section", [each.name for each in fields(Texts)])
def test_every_language_has_all_texts(language: str, section: str) -> None:
    """A text file in another language has every key of the English file beside it."""
    texts, usual = (getattr(catalogue(each), section) for each in (language, "en"))
    if section in ("bots", "rules", "titles", "moves"):
        assert texts.keys() | {"", "black_queen"} == {"", *(info.id for info in GAMES)}
    elif section == "authorities":
        assert texts.split()
    elif section not in ("name", "card", "values", "own"):
        assert texts.keys() == usual.keys()
