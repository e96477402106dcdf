"""The pages of the repository: links, commands, lists, and what they restate."""

import ast
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import pytest

from blackqueen.main import COMMANDS
from bots import strengths
from bots.roster import is_compiled
from engine import GAMES
from tests.repository import ROOT, anchors, text, tracked


def test_links_between_pages_lead_somewhere() -> None:
    """Each relative link of a Markdown page names an existing file and heading."""
    broken = {
        f"{page.relative_to(ROOT)}: {file}{anchor}"
        for page in tracked()
        if page.suffix == ".md"
        for file, anchor in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text(page))
        if "://" not in file and not leads_somewhere(page.parent / file if file else page, anchor)
    }
    assert broken == set()


def leads_somewhere(target: Path, anchor: str) -> bool:
    """Whether a link's file exists and, if it is a page, has the heading of `anchor`."""
    if target.suffix == ".md" and anchor:
        return anchor.removeprefix("#") in anchors(target)
    return target.exists()


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
    """The words of the line's first command, up to a comment or the next command."""
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


MAPPED = re.compile(r"^ *(\w+(?:, \w+)*)  +\S", re.MULTILINE)
"""A line of a folder's docstring: modules, and what they are for."""


def test_maps_of_folders_name_what_is_there() -> None:
    """A folder's docstring names modules of that folder alone."""
    maps = {
        path: MAPPED.findall(ast.get_docstring(ast.parse(text(path))) or "")
        for path in tracked()
        if path.name == "__init__.py"
    }
    assert sum(map(len, maps.values())) > 30
    for path, lines in maps.items():
        for name in ", ".join(lines).split(", ") if lines else ():
            assert (path.parent / name).is_dir() or (path.parent / f"{name}.py").is_file(), path


def test_architecture_names_what_is_there() -> None:
    """ARCHITECTURE.md lists the folders of the server, and names methods that its classes have."""
    page = text(ROOT / "ARCHITECTURE.md")
    folders = {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")}
    listed = page.partition("In **server/**")[2].partition("```\n")[2].partition("```")[0]
    assert set(re.findall(r"\b([a-z]+)/", listed)) == folders
    modules = [text(path) for path in (ROOT / "server").rglob("*.py")]
    for name, method in re.findall(r"`([A-Z]\w+)\.(\w+)`", page):
        homes = [each for each in modules if re.search(rf"^class {name}[(:]", each, re.MULTILINE)]
        assert any(f"def {method}(" in each for each in homes), f"{name}.{method}"


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
    """`blackqueen --help` lists each subcommand with a description."""
    run = subprocess.run(
        [Path(sys.executable).with_name("blackqueen"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name, (_, words) in COMMANDS.items():
        assert re.search(rf"^\s+{name}\s+{re.escape(words)}$", run.stdout, re.MULTILINE)


def test_style_sheets_do_without_has() -> None:
    """Style sheets do not use `:has()`, which makes any change restyle the whole page."""
    sheets = [path for path in tracked() if path.suffix == ".css"]
    assert len(sheets) > 3
    assert [path.name for path in sheets if ":has(" in text(path)] == []
