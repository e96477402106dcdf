"""Kernels: functions over ints and small arrays that Numba compiles, once for every machine.

Only modules with kernels import `kernel` from here, and only bots that search import those modules:
Numba is optional and takes half a second to load.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module, invalidate_caches
from importlib.metadata import version
from importlib.util import find_spec
from inspect import getfile
from pathlib import Path
from shutil import rmtree
from types import FunctionType
from typing import Any, TypeVar, cast

from platformdirs import user_cache_path

from bots.search.left_out import can_fetch, fetched

Function = TypeVar("Function", bound=Callable[..., object])

KEPT_SECONDS = 30 * 86_400.0
"""How long compiled code is kept after it was made, if there is newer code of the same package."""

_SHARED = Path(__file__).parent


_forbidden = False


@cache
def available() -> bool:
    """Whether kernels can be compiled here and now, decided without loading Numba."""
    if _forbidden:
        return False
    if find_spec("numba") is None and (folder := fetched()) is not None:
        sys.path.append(str(folder))
        invalidate_caches()
    return find_spec("numba") is not None


def fetchable() -> bool:
    """Whether Numba is fetched here when a bot needs it."""
    return not _forbidden and can_fetch()


def obtain() -> None:
    """Fetch Numba if it is missing and `fetchable`; `NotFetched` if that fails."""
    if not available() and fetchable():
        # By its name: tables and sessions import the roster, and they start no processes.
        import_module("bots.search.fetching").fetch()
        look_again()


def look_again() -> None:
    """Look for Numba again, which this process or another one may have fetched."""
    available.cache_clear()
    available()


def forbid_compiling() -> None:
    """Make this process behave as if Numba were missing."""
    global _forbidden
    _forbidden = True
    available.cache_clear()


def kernel(function: Function) -> Function:
    """`function`, compiled at its first call for its argument types.

    It lets other threads run meanwhile (`nogil`), and compiled code is cached on disk for the next
    process. A kernel may call kernels of its own folder and of `bots/search`, no others: the cached
    code is identified by the sources of these two, because Numba itself checks only the kernel's
    own file and would go on using old code of another file.
    """
    from numba import config, njit

    folder = _cache_folder(Path(getfile(function)).parent)
    # Numba asks its settings where to keep the code of a function when the function is decorated.
    settings: Any = config
    chosen, settings.CACHE_DIR = settings.CACHE_DIR, str(folder or "")
    try:
        compiled = njit(cache=folder is not None, nogil=True)(function)
    finally:
        settings.CACHE_DIR = chosen
    # To those who call it, it is `function`.
    return cast(Function, compiled)


def kernel_of(function: Function) -> Function:
    """`function` as a kernel, and as kernels the functions of its own folder that it calls.

    The plain function is not changed, for callers without Numba.
    """
    return cast(Function, _kernel_of(cast(FunctionType, function)))


def is_kept(factory: str) -> bool:
    """Whether the kernels of the bot of ``module:factory`` were compiled here before."""
    mark = _mark(factory)
    return mark is not None and mark.exists()


def can_keep(factory: str) -> bool:
    """Whether code compiled for the bot of ``module:factory`` outlives its process."""
    return (available() or fetchable()) and _kept_in(factory) is not None


def note_kept(factory: str) -> None:
    """Record that all kernels of the bot of ``module:factory`` have been compiled."""
    mark = _mark(factory)
    if mark is not None:
        with suppress(OSError):
            mark.touch()


def _mark(factory: str) -> Path | None:
    """The empty file that marks compiled kernels, beside the code; None if no code is cached."""
    module, _, name = factory.partition(":")
    folder = _kept_in(factory) if available() else None
    if folder is None:
        return None
    # Numba compiles anew for another version of Python or of itself.
    tag = f"{sys.implementation.cache_tag}-numba-{version('numba')}"
    return folder / f"{module.rpartition('.')[2]}.{name}.{tag}.compiled"


def _kept_in(factory: str) -> Path | None:
    """The folder with the cached code of the bot of ``module:factory``."""
    spec = find_spec(factory.partition(":")[0])
    if spec is None or spec.origin is None:
        return None
    return _cache_folder(Path(spec.origin).parent)


@cache
def _kernel_of(function: FunctionType) -> Callable[..., object]:
    package = function.__module__.rpartition(".")[0]
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = scope.get(name)
        if isinstance(called, FunctionType) and called.__module__.startswith(package):
            scope[name] = _kernel_of(called)
    twin = FunctionType(function.__code__, scope, function.__name__)
    twin.__qualname__ = function.__qualname__
    return kernel(twin)


@cache
def _cache_folder(package: Path) -> Path | None:
    """The folder with the code compiled from `package`; None if nothing can be written.

    `NUMBA_CACHE_DIR` names another folder than the user's own.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) if chosen else user_cache_path("blackqueen") / "kernels"
    folder = root / f"{package.name}-{_digest(package)}"
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if new:
            _tidy(root, package.name, folder.stat().st_mtime - KEPT_SECONDS)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _tidy(root: Path, package: str, long_ago: float) -> None:
    """Remove the code of older versions of a package from before a time."""
    for folder in root.glob(f"{package}-*"):
        if folder.stat().st_mtime < long_ago:
            rmtree(folder, ignore_errors=True)


def _digest(package: Path) -> str:
    """A short digest of the sources from which a kernel of `package` can be made."""
    sources = sha256()
    for source in sorted({*package.glob("*.py"), *_SHARED.glob("*.py")}):
        sources.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return sources.hexdigest()[:16]
