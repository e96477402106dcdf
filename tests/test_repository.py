"""What the repository promises of itself: what it names exists, what it pins is pinned."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import pytest
import yaml

from blackqueen.main import COMMANDS
from bots import strengths
from bots.roster import is_compiled
from engine import GAMES
from tests.needs import needs

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = tuple(
    PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["packages"]
)


@cache
def tracked() -> tuple[Path, ...]:
    """The files that git keeps."""
    needs("git")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return tuple(ROOT / name for name in listed.stdout.split("\0") if name)


def text(path: Path) -> str:
    """A file's text; nothing for a picture or a file that is just being moved."""
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return ""


def normal(package: str) -> str:
    """A package's name without its version, as indexes spell it."""
    return re.split(r"[\[<>=!~; ]", package, maxsplit=1)[0].lower().replace("_", "-")


def wanted(*groups: str, extras: tuple[str, ...] = ("server", "lab")) -> set[str]:
    """The packages `pyproject.toml` asks for: always the base ones, and those of `groups`."""
    listed = [*PROJECT["project"]["dependencies"]]
    listed += [p for name in extras for p in PROJECT["project"]["optional-dependencies"][name]]
    listed += [p for group in groups for p in PROJECT["dependency-groups"][group]]
    return {normal(package) for package in listed}


def locked(name: str) -> dict[str, tuple[str, ...]]:
    """The packages of a lock file and their versions: several where Pythons want different ones."""
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
    """Tracked files hold neither somebody's paths nor the addresses packages came from."""
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
    """The pattern of the test above finds what it is for."""
    assert FOREIGN.search(line)


@pytest.mark.parametrize("name", ["base", "dev", "bench"])
def test_every_locked_package_has_hashes_and_no_address(name: str) -> None:
    """A lock file holds versions and SHA-256 hashes, and no address to get them from."""
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
    base, dev, bench = locked("base"), locked("dev"), locked("bench")
    assert wanted("build", extras=("server",)) <= base.keys()
    assert wanted("build", "dev") <= dev.keys()
    assert wanted("build", "dev", "bench") <= bench.keys()
    assert base.items() <= dev.items() <= bench.items()


def test_each_dependency_is_accounted_for() -> None:
    """docs/dependencies.md says of each package why it is there, and of no other."""
    rows = re.findall(r"^\| (`[^|]+) \|", text(ROOT / "docs/dependencies.md"), re.MULTILINE)
    documented = {normal(name) for row in rows for name in re.findall(r"`([^`]+)`", row)}
    extras = tuple(PROJECT["project"]["optional-dependencies"])
    assert documented == wanted("build", "dev", "bench", extras=extras)


def test_the_version_stands_in_the_changelog() -> None:
    """The newest entry of the changelog is the version of the package."""
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
    """Each task that the documentation names is one of the Makefile's."""
    run = make("-n", target)
    assert run.returncode == 0, run.stderr


def test_each_test_belongs_to_one_part_of_the_night() -> None:
    """`make nightly` runs every file with tests, in one of its parts."""
    files = {path.relative_to(ROOT) for path in tracked() if path.name.startswith("test_")}
    run: list[Path] = []
    for part in ("rules", "games", "bots", "server", "programs"):
        printed = make("-n", f"night-{part}")
        assert printed.returncode == 0, printed.stderr
        words = printed.stdout.splitlines()[-1].partition("worksteal ")[2].split()
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
    """A misspelt part runs nothing, and the error lists the parts."""
    run = make("nightly", "PART=sever")
    assert run.returncode != 0
    assert "PART=sever: the parts are rules" in run.stderr


def test_ci_runs_what_people_run() -> None:
    """CI is `make check` and `make test`, so anybody can repeat by hand what it finds."""
    words = [line for line in text(ROOT / ".ci/run").splitlines() if line.startswith("make ")]
    assert words == ["make check", "make test"]


def test_hooks_fetch_nothing() -> None:
    """Every pre-commit hook is a program of .venv that `make check` runs as well."""
    config = yaml.safe_load(text(ROOT / ".pre-commit-config.yaml"))
    checks = text(ROOT / "Makefile")
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    for hook in config["repos"][0]["hooks"]:
        program, *words = hook["entry"].split()
        assert hook["language"] == "system"
        assert " ".join(["$(BIN)/" + program.removeprefix(".venv/bin/"), *words[:1]]) in checks


def test_links_between_pages_lead_somewhere() -> None:
    """Each relative link of a Markdown page names a file that is there."""
    broken = {
        f"{page.relative_to(ROOT)}: {link}"
        for page in tracked()
        if page.suffix == ".md"
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text(page))
        if "://" not in link and not (page.parent / link).exists()
    }
    assert broken == set()


def commands_shown() -> list[tuple[str, str]]:
    """Every line of a Markdown page's code that starts our command, with the page's name."""
    return [
        (path.relative_to(ROOT).as_posix(), line.strip().removeprefix(".venv/bin/"))
        for path in tracked()
        if path.suffix == ".md"
        for line in text(path).splitlines()
        if re.match(r"\s*(?:\.venv/bin/)?blackqueen \w", line)
    ]


def shell_words(line: str) -> list[str]:
    """The words of the line's first command, up to a comment or whatever the shell does next."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    return list(takewhile(lambda word: not set(word) <= set("();<>|&"), lexer))


def test_commands_in_the_pages_are_accepted() -> None:
    """The program accepts every command that a page shows."""
    shown = commands_shown()
    assert {"README.md", "docs/hosting.md"} <= {page for page, _ in shown}
    for page, line in shown:
        _, name, *words = shell_words(line)
        module = import_module(COMMANDS[name][0])
        parser = ArgumentParser(prog=f"{page}: blackqueen {name}", exit_on_error=False)
        module.add_arguments(parser)
        parser.parse_args(words)


def test_each_page_is_listed() -> None:
    """docs/README.md leads to every page of documentation."""
    pages = {path.name for path in tracked() if path.parent == ROOT / "docs"}
    index = text(ROOT / "docs/README.md")
    assert {page for page in pages if page.endswith(".md") and f"]({page})" not in index} == {
        "README.md"
    }


def test_each_decision_is_listed() -> None:
    """docs/adr/README.md has a row for every decision, numbered from 1 without a gap."""
    pages = sorted(path.name for path in (ROOT / "docs/adr").glob("[0-9]*.md"))
    assert [int(page[:4]) for page in pages] == list(range(1, len(pages) + 1))
    assert re.findall(r"\(([0-9][^)]+)\)", text(ROOT / "docs/adr/README.md")) == pages


RESTATED = re.compile(r"^- (\w+\.py): .+ \((\w+\.py)\)$", re.MULTILINE)
"""A line of a game's docstring: a module of kernels, what it restates, and the test of that."""
RULING = re.compile(
    r"^@kernel\ndef "
    r"(legal\w*|must_follow|moves_of|barred_bid|play|lay|exchange|scores?|points\w*)\(",
    re.MULTILINE,
)
"""A kernel that says what a seat may do, what a move does, or what a deal scores."""


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_kernels_that_restate_rules_are_named_beside_them(game: str) -> None:
    """Each named module has a test that uses both the bots of the game and its engine."""
    kernels, tests = ROOT / "bots" / game, ROOT / "tests" / "games" / game / "bots"
    named = RESTATED.findall(text(ROOT / "engine" / "games" / game / "__init__.py"))
    for module, test in named:
        assert (kernels / module).is_file()
        compares = text(tests / test)
        assert f"from bots.{game}." in compares
        assert f"from engine.games.{game}" in compares
    ruling = {path.name for path in kernels.glob("*.py") if RULING.search(text(path))}
    assert bool(ruling) == any(is_compiled(game, strength) for strength in strengths(game))
    assert ruling <= {module for module, _ in named}


def test_help_lists_every_command() -> None:
    """`blackqueen --help` names each subcommand with what it does."""
    run = subprocess.run(
        [Path(sys.executable).with_name("blackqueen"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name, (_, words) in COMMANDS.items():
        assert re.search(rf"^\s+{name}\s+{re.escape(words)}$", run.stdout, re.MULTILINE)
