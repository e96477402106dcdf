"""Builds the wheel: all packages of this repository below `blackqueen`, their imports rewritten.

    engine/cards.py                  ─▶  blackqueen/engine/cards.py
    from engine.cards import Token   ─▶  from blackqueen.engine.cards import Token

Names such as `engine` and `server` are also those of other people's modules, so an installed
blackqueen must not have them at the top level (docs/adr/0018). Hatchling loads this file alone, by
its path, so it imports nothing of ours. An editable installation is left as it is.
"""

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = "blackqueen"
BY_NAME = frozenset({"files", "import_module"})
"""Functions whose first argument is the name of a module, in whatever form it is written."""
_MODULE_AND_OBJECT = re.compile(r"([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+)(?::\w+)?")
_OPENING = re.compile(r"[fF]?[\"']{1,3}")


class CannotRewrite(Exception):
    """A module is named in a way that this build step cannot change; the message says where."""


class Insertion(NamedTuple):
    """Text to insert, at a line from 1 and a column in bytes from 0."""

    line: int
    column: int
    text: str


class WheelHook(BuildHookInterface[Any]):
    """Gives hatchling the rewritten files in place of those of the repository.

    `packages` in its configuration lists the folders of the wheel.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files to a temporary folder and have the whole of it packed."""
        if version != "standard":
            return
        # Removed with this object, however the build ends.
        self._folder = TemporaryDirectory(prefix="blackqueen-wheel-")
        sources = {
            path: source
            for path, source in files_of(Path(self.root), self.config["packages"])
            if not self.build_config.path_is_excluded(str(path))
        }
        # Each file by itself: hatchling then leaves out the one that it would have taken.
        folder = Path(self._folder.name)
        for path in write_below_root(sources, folder):
            build_data["force_include"][str(folder / path)] = str(path)


def files_of(root: Path, packages: Collection[str]) -> Iterator[tuple[Path, bytes]]:
    """Every file of the packages with its content, by its path below `root`."""
    for package in packages:
        for path in sorted((root / package).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                yield path.relative_to(root), path.read_bytes()


def write_below_root(sources: dict[Path, bytes], target: Path) -> Iterator[Path]:
    """Write `sources` into `target` as they are in the wheel; yields the path of each there."""
    modules = frozenset(_module(path) for path in sources if path.suffix == ".py")
    for path, content in sources.items():
        below = path if path.parts[0] == ROOT else Path(ROOT, path)
        if path.suffix == ".py":
            try:
                content = rewritten(content.decode(), modules).encode()
            except CannotRewrite as error:
                raise CannotRewrite(f"{path}:{error}") from None
        place = target / below
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        yield below


def rewritten(source: str, modules: Collection[str]) -> str:
    """`source` with every name of one of `modules` outside `blackqueen` put below it.

    >>> rewritten("from engine.cards import Token", {"engine", "engine.cards"})
    'from blackqueen.engine.cards import Token'
    >>> rewritten("RANDOM = Recipe('bots.random_bot:RandomBot')", {"bots", "bots.random_bot"})
    "RANDOM = Recipe('blackqueen.bots.random_bot:RandomBot')"

    Names are found in imports, in texts that are exactly the name of a module (with an object of
    it behind a colon), and where a module is asked for by name. `CannotRewrite` for a form of
    import that would need more than a longer name.
    """
    moved = frozenset(
        name
        for module in modules
        if _package(module) != ROOT
        for name in (module, _package(module))
    )
    lines = source.encode().splitlines(keepends=True)
    insertions = {
        insertion for node in ast.walk(ast.parse(source)) for insertion in _of(node, moved, lines)
    }
    for line, column, text in sorted(insertions, reverse=True):
        before = lines[line - 1]
        lines[line - 1] = before[:column] + text.encode() + before[column:]
    return b"".join(lines).decode()


def _of(node: ast.AST, moved: Collection[str], lines: list[bytes]) -> Iterator[Insertion]:
    match node:
        case ast.ImportFrom(module=str(module), level=0) if _package(module) in moved:
            start = lines[node.lineno - 1].index(module.encode(), node.col_offset)
            yield Insertion(node.lineno, start, f"{ROOT}.")
        case ast.Import(names=names):
            yield from _import(node, names, moved)
        case ast.Constant(value=str(text)):
            named = _MODULE_AND_OBJECT.fullmatch(text)
            if named is not None and named.group(1) in moved:
                yield _in_text(node, lines, text)
        case ast.Call(args=[argument, *_]) if _called(node) in BY_NAME:
            text = _beginning(argument)
            if _package(text) in moved:
                yield _in_text(argument, lines, text)


def _import(
    node: ast.Import, names: list[ast.alias], moved: Collection[str]
) -> Iterator[Insertion]:
    for name in names:
        if _package(name.name) not in moved:
            continue
        if name.asname is not None:
            yield Insertion(name.lineno, name.col_offset, f"{ROOT}.")
        elif "." not in name.name and len(names) == 1:
            yield Insertion(node.lineno, node.col_offset, f"from {ROOT} ")
        else:
            better = "write `from … import …`"
            raise CannotRewrite(f"{node.lineno}: `import {name.name}` binds a name; {better}")


def _in_text(node: ast.expr, lines: list[bytes], text: str) -> Insertion:
    """The insertion at the beginning of a literal text, behind its opening quote."""
    line = lines[node.lineno - 1]
    opening = _OPENING.match(line[node.col_offset :].decode())
    start = node.col_offset + (opening.end() if opening else 0)
    if opening is None or not line[start:].startswith(_package(text).encode()):
        raise CannotRewrite(f"{node.lineno}: {text!r} names a module in a form that is not plain")
    return Insertion(node.lineno, start, f"{ROOT}.")


def _called(call: ast.Call) -> str:
    """The name of the function that is called, without what it belongs to."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _beginning(argument: ast.expr) -> str:
    """The text with which a literal begins; nothing for anything else."""
    match argument:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
    return ""


def _package(module: str) -> str:
    return module.partition(".")[0]


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def get_build_hook() -> type[WheelHook]:
    """The hook, for hatchling."""
    return WheelHook
