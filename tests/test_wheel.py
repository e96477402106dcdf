"""The wheel: the whole program below one name, beside any other modules."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import pytest

from tests.counts import NIGHT
from tests.installed import Environment, build_wheel, install
from tests.needs import not_run
from tests.repository import FOLDERS, PROJECT, ROOT, tracked
from tools.wheel import CannotRewrite, rewritten, write_below_root

MODULES = ("blackqueen.main", "engine", "engine.cards", "engine.games", "server", "server.serve")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return install(wheel, tmp_path_factory.mktemp("environment"))


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("from engine.cards import Token", "from blackqueen.engine.cards import Token"),
        ("from engine import GAMES", "from blackqueen.engine import GAMES"),
        ("from  engine import (\n  GAMES)", "from  blackqueen.engine import (\n  GAMES)"),
        ("import engine", "from blackqueen import engine"),
        ("import engine.cards as c", "import blackqueen.engine.cards as c"),
        ("if x:\n    import os, server as s", "if x:\n    import os, blackqueen.server as s"),
        ('r = R("engine.cards:Token")', 'r = R("blackqueen.engine.cards:Token")'),
        ("words = ('-m', 'server.serve')", "words = ('-m', 'blackqueen.server.serve')"),
        ('files("engine")', 'files("blackqueen.engine")'),
        ('import_module(f"engine.games.{id}")', 'import_module(f"blackqueen.engine.games.{id}")'),
        ("é = 'é', R('engine.cards')", "é = 'é', R('blackqueen.engine.cards')"),
    ],
)
def test_a_module_is_named_below_the_root(source: str, after: str) -> None:
    """Modules are renamed below the root in imports, and in texts that name modules."""
    assert rewritten(source, MODULES) == after


@pytest.mark.parametrize(
    "source",
    [
        "from blackqueen.main import main",
        "from engineering import steel",
        "from . import cards",
        "from .engine import cards",
        "import os.path",
        "engine = 1; engine.cards = 2",
        "LOG = 'server.log'",
        "WORD = 'engine'",
        "print(f'engine.{name}')",
        "def f(): 'engine.cards is where cards are.'",
        "from x import y  # from engine.cards import Token",
    ],
)
def test_everything_else_stays(source: str) -> None:
    """Other modules, other texts and comments are not changed."""
    assert rewritten(source, MODULES) == source


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import os\nimport engine.cards", "2: `import engine.cards` binds a name"),
        ("import os, engine", "1: `import engine` binds a name"),
        ("x = R('eng' 'ine.cards')", "1: 'engine.cards' names a module in a form"),
    ],
)
def test_what_cannot_be_rewritten_fails_the_build(source: str, why: str) -> None:
    """An import that cannot be rewritten fails the build."""
    with pytest.raises(CannotRewrite, match=why):
        rewritten(source, MODULES)


def test_a_file_that_cannot_be_rewritten_is_named(tmp_path: Path) -> None:
    """The error for an import that cannot be rewritten names its place."""
    sources = {Path("engine/cards.py"): b"", Path("server/x.py"): b"import engine.cards"}
    with pytest.raises(CannotRewrite, match=r"^server/x\.py:1: `import engine\.cards`"):
        list(write_below_root(sources, tmp_path))


def test_the_wheel_holds_the_whole_program(wheel: Path) -> None:
    """The wheel has every tracked file of the packages, rules and texts too, below the one name."""
    packed = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}
    files = [path.relative_to(ROOT) for path in tracked() if path.exists()]
    kept = [path for path in files if path.parts[0] in FOLDERS]
    expected = {
        path if path.parts[0] == "blackqueen" else Path("blackqueen", path) for path in kept
    }
    assert expected <= packed
    about = f"blackqueen-{PROJECT['project']['version']}.dist-info"
    assert {path.parts[0] for path in packed} == {"blackqueen", about}


AUTHORS_PROJECT = {
    "engine.py": "WHO = 'author'",
    "bench.py": "WHO = 'author'",
    "client_cli.py": "WHO = 'author'",
    "client_web.py": "WHO = 'author'",
    "bots/__init__.py": "WHO = 'author'",
    "protocol/__init__.py": "WHO = 'author'",
    "server/__init__.py": "WHO = 'author'",
    "server/serve.py": "raise SystemExit('this is the author\\'s')",
}
"""The project of somebody whose modules happen to have the names of ours."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in AUTHORS_PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run_in(project: Path, *words: str | Path) -> str:
    """The output of a program in a project whose modules come first."""
    surroundings = {**os.environ, "PYTHONPATH": str(project)}
    run = subprocess.run(words, cwd=project, env=surroundings, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_command_runs_beside_modules_of_the_same_names(
    installed: Environment, project: Path
) -> None:
    """The command starts by name and as a module beside modules of equal names."""
    words = ("arena", "hearts", "--bots", "0,0", "--deals", "1", "--seed", "1")
    assert "hearts" in run_in(project, installed.command, *words).lower()
    assert "--games" in run_in(project, installed.python, "-m", "blackqueen", "serve", "--help")
    assert run_in(project, installed.command, "recycle", "--help")


def test_no_top_level_name_but_our_own_is_taken(installed: Environment, project: Path) -> None:
    """The installed program adds no top-level module but its own."""
    for name in FOLDERS:
        if name != "blackqueen":
            look = f"import {name}; print({name}.WHO)"
            assert run_in(project, installed.python, "-c", look) == "author\n"
            nowhere = f"from importlib.util import find_spec; print(find_spec('{name}'))"
            assert run_in(project, installed.python, "-I", "-c", nowhere) == "None\n"


def test_every_module_can_be_imported(installed: Environment, project: Path) -> None:
    """Every module can be imported, with nothing from outside `blackqueen`."""
    program = """
        import pkgutil, sys
        import blackqueen
        left_out = ("blackqueen.__main__", "blackqueen.server.store.migrations.env")
        for found in pkgutil.walk_packages(blackqueen.__path__, "blackqueen."):
            if found.name not in left_out:
                __import__(found.name)
        here = {name.partition(".")[0] for name in sys.modules}
        print(sorted(here & {"engine", "protocol", "bots", "server", "client_cli", "bench"}))
    """
    assert run_in(project, installed.python, "-c", dedent(program)) == "[]\n"


BOT = """
import sys

import bench, bots, client_cli, engine, protocol, server
from blackqueen.client import MatchResult, Turn, play

class Careful:
    def choose(self, turn: Turn) -> str:
        action = engine.best(turn.choices.actions)
        return turn.random_action() if action is None else action

result: MatchResult | None = play(sys.argv[1], Careful(), game="schnapsen")
print({m.WHO for m in (bench, bots, client_cli, engine, protocol, server)}, result)
"""


@contextmanager
def served(installed: Environment, project: Path) -> Iterator[str]:
    """The address of a server of the installed program, started in the project."""
    words = ("serve", "--port", "0", "--data", str(project / "data"), "--no-warm-bots")
    surroundings = {**os.environ, "PYTHONPATH": str(project)}
    server = subprocess.Popen(
        [installed.command, *words, "--bot-delay", "0"],
        cwd=project,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert server.returncode == 0


@pytest.mark.e2e
def test_a_bot_plays_from_a_project_with_modules_of_the_same_names(
    installed: Environment, project: Path
) -> None:
    """A bot, and the example of the documentation, play from a project with modules of equal names.

    The example has less than 25 lines.
    """
    example = ROOT / "examples" / "minimal_bot.py"
    assert len(example.read_text().splitlines()) < 25
    best = "def best(actions):\n    return min(actions, default=None)\n"
    (project / "engine.py").write_text(AUTHORS_PROJECT["engine.py"] + "\n" + best)
    (project / "my_bot.py").write_text(BOT)
    with served(installed, project) as url:
        said = run_in(project, installed.python, "my_bot.py", url)
        told = run_in(project, installed.python, example, url, "black_queen")
    assert said.startswith("{'author'} MatchResult(table=")
    assert told.startswith("MatchResult(table=")
    assert "MinimalBot" in told


def test_the_interface_is_typed(installed: Environment, tmp_path: Path) -> None:
    """A strict type checker sees the types of the installed package, and a wrong bot."""
    right = "from blackqueen.client import Turn, play\n\n\nclass Mine:\n"
    method = "    def choose(self, turn: Turn) -> {}:\n        return {}\n\n\n"
    use = 'play("ws://localhost:8765", Mine())\n'
    good = right + method.format("str", "turn.choices.actions[0]") + use
    bad = right + method.format("int", "turn.number") + use
    (tmp_path / "good.py").write_text(good)
    (tmp_path / "bad.py").write_text(bad)
    words = ("--strict", "--python-executable", str(installed.python), "good.py", "bad.py")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=tmp_path, capture_output=True, text=True
    )
    complaints = [line for line in run.stdout.splitlines() if "error:" in line]
    assert len(complaints) == 1, run.stdout
    assert complaints[0].startswith('bad.py:9: error: Argument 2 to "play"')


@pytest.mark.skipif(not NIGHT, reason="downloads packages; by day it finds those installed here")
@pytest.mark.e2e
def test_a_player_installs_it_without_the_source(wheel: Path, tmp_path: Path) -> None:
    """A player can install, play, host and join with the README's commands."""
    player = Environment(tmp_path / "installed")
    venv = (sys.executable, "-m", "venv", "--without-pip", player.folder)
    subprocess.run(venv, check=True, capture_output=True)
    # Any pip will do; one of its own takes time to unpack.
    pip = (sys.executable, "-m", "pip", "--python", player.python, "install", "-qq", "--no-input")
    words = ("--no-compile", "--retries", "1", wheel)
    run = subprocess.run([*pip, *words], capture_output=True, text=True, check=False)
    if run.returncode:
        not_run(f"the packages cannot be installed: {run.stderr[-300:]}")
    short = ("--auto", "--option", "deals=1", "--option", "bot_delay=0")
    said = run_in(tmp_path, player.command, "play", "black_queen", "--bots", "medium", *short)
    assert "(you)" in said
    with served(player, tmp_path) as url:
        start = ("--create", "black_queen", "--start", "1", "--fill", "1")
        assert "(you)" in run_in(tmp_path, player.command, "join", url, *start, *short)
    files = (file for file in player.folder.rglob("*") if file.is_file())
    assert sum(file.stat().st_size for file in files) < 110e6
