"""Kernels: compiled when used, cached on disk, and not needed by those without Numba."""

import os
import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from bots.search import compiled

SHARED = Path(compiled.__file__).parent


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["bots", "bots.roster", "server.serve", "blackqueen.main"])
def test_nobody_loads_numba_who_does_not_search(module: str) -> None:
    """Importing the command, a client or the server's main process does not load Numba."""
    loaded = python(
        f"import sys, {module}; print(sorted({{'numba', 'numpy', 'scipy'}} & sys.modules.keys()))"
    )
    assert loaded == "[]"


def test_available_looks_without_loading() -> None:
    """Numba is looked for without importing it."""
    look = "from bots.search.compiled import available; print(available(), 'numba' in sys.modules)"
    assert python(f"import sys; {look}") == "True False"
    assert python(f"import sys; sys.modules['numba'] = None; {look}").startswith("False")


KERNELS = """
from bots.search.compiled import kernel

@kernel
def doubled(number: int) -> int:
    return 2 * number
"""


def package(folder: Path, text: str = KERNELS) -> Path:
    home = folder / "doubling"
    home.mkdir(exist_ok=True)
    (home / "__init__.py").write_text("")
    (home / "kernels.py").write_text(text)
    return home


USE = """
import sys
sys.path.insert(0, {folder!r})
from doubling.kernels import doubled
print(doubled(4), sum(doubled.stats.cache_hits.values()))
"""


def use(folder: Path, **environment: str) -> str:
    """The result of the kernel in a process of its own, and the number of cache hits."""
    return python(USE.format(folder=str(folder)), **environment)


def test_compiled_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    """The first process compiles a kernel, and the second loads it from the cache."""
    package(tmp_path)
    kept = {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    assert use(tmp_path, **kept) == "8 0"
    assert use(tmp_path, **kept) == "8 1"


def test_a_change_beside_a_kernel_makes_its_kept_code_void(tmp_path: Path) -> None:
    """A change of another file in a kernel's folder makes its cached code invalid."""
    home = package(tmp_path)
    kept = {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    assert use(tmp_path, **kept) == "8 0"
    (home / "other.py").write_text("FACTOR = 3\n")
    assert use(tmp_path, **kept) == "8 0"


def test_code_of_long_ago_is_taken_away(tmp_path: Path) -> None:
    """Compiling a package again removes its old cached code, but no recent code."""
    package(tmp_path)
    kept = tmp_path / "kept"
    long_ago = time() - compiled.KEPT_SECONDS - 60
    for name, made in [("doubling-old", long_ago), ("doubling-new", time()), ("other", long_ago)]:
        (kept / name).mkdir(parents=True)
        (kept / name / "code.nbc").write_text("")
        os.utime(kept / name, (made, made))
    assert use(tmp_path, NUMBA_CACHE_DIR=str(kept)) == "8 0"
    left = {folder.name for folder in kept.iterdir()}
    assert {"doubling-new", "other"} < left
    assert "doubling-old" not in left


def test_the_user_has_a_folder_where_the_installation_cannot_be_written(tmp_path: Path) -> None:
    """Without NUMBA_CACHE_DIR compiled code goes to the user's own cache."""
    package(tmp_path)
    own = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert use(tmp_path, **own) == "8 0"
    assert use(tmp_path, **own) == "8 1"
    assert list((tmp_path / "cache" / "blackqueen" / "kernels").iterdir())
    assert not list((tmp_path / "doubling").glob("**/*.nbi"))


def test_where_nothing_can_be_written_kernels_work_all_the_same(tmp_path: Path) -> None:
    """A cache folder that cannot be made only costs time."""
    package(tmp_path)
    (tmp_path / "file").write_text("")
    assert use(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "file" / "below")) == "8 0"


def test_the_kept_code_of_a_package_is_named_by_its_sources() -> None:
    """The cache's name depends on the package's sources and on the shared kernels."""
    name = compiled._cache_folder(SHARED)
    assert name is not None
    assert name.name.startswith("search-")


def test_what_was_compiled_is_remembered_until_the_sources_change(tmp_path: Path) -> None:
    """Compiled kernels are recorded until the sources change, so that none are compiled in vain."""
    package(tmp_path)
    look = "import sys; from bots.search import compiled as c; bot = 'doubling.kernels:Bot'; "
    kept, path = f"{look}print(c.is_kept(bot), c.can_keep(bot))", str(tmp_path)
    folders = {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert python(kept, **folders) == "False True"
    assert python(f"{look}c.note_kept(bot); print(c.is_kept(bot))", **folders) == "True"
    assert python(kept, **folders) == "True True"
    package(tmp_path, KERNELS.replace("2", "3"))
    assert python(kept, **folders) == "False True"


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    """Nothing is recorded if the cache cannot be written, or without Numba."""
    package(tmp_path)
    (tmp_path / "cache").touch()
    look = "import sys; from bots.search import compiled as c; bot = 'doubling.kernels:Bot'; "
    told = f"{look}c.note_kept(bot); print(c.is_kept(bot), c.can_keep(bot))"
    folders = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert python(told, **folders) == "False False"
    assert python(f"import sys; sys.modules['numba'] = None; {told}", **folders) == "False False"
