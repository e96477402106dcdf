"""The modules of the page, joined into few files, as a browser waits for each request.

A file has the name of a module, and holds others that are needed with it. Each is a block in which
its names are its own, behind a line that says where it comes from; what it exports is an object,
from which the modules that import it take what they need.

    // dom.js
    let dom_js; {
    function element(name) {…}
    dom_js = { element };
    }
    // lobby/entry.js
    let lobby_entry_js; {
    const { element } = dom_js;

Line 1 of a module is the second one behind the line that names it.

Only what the page's modules do is understood: each statement of import or export begins a line and
names what it means, and no module imports itself by way of others. `ValueError` for anything else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname, normpath, relpath

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_LOADED = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async function|function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)


def imported(modules: Mapping[str, str], *names: str) -> list[str]:
    """Return these modules and all that they import, each before its importers."""
    found: dict[str, None] = {}

    def find(name: str, importing: tuple[str, ...]) -> None:
        if name in importing:
            raise ValueError(f"{' imports '.join((*importing, name))}: a circle")
        if name not in found:
            for _, other in _IMPORT.findall(modules[name]):
                find(_target(name, other), (*importing, name))
            found[name] = None

    for name in names:
        find(name, ())
    return list(found)


def joined(modules: Mapping[str, str], files: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Join modules into these files by name; every other module is a file of its own."""
    file_of = {name: file for file, held in files.items() for name in held}
    alone = {name: [name] for name in modules if name not in file_of}
    file_of |= {name: name for name in alone}
    held = {**files, **alone}
    return {file: _file(file, modules, held[file], file_of) for file in held}


def _file(
    file: str, modules: Mapping[str, str], names: Iterable[str], file_of: Mapping[str, str]
) -> str:
    inside = [each for each in imported(modules, *names) if file_of[each] == file]
    outside: dict[str, set[str]] = {}
    for name in inside:
        for _, other in _IMPORT.findall(modules[name]):
            if (source := file_of[target := _target(name, other)]) != file:
                outside.setdefault(source, set()).add(_object(target))
    imports = [
        f'import {{ {", ".join(sorted(objects))} }} from "{_path(file, source)}";\n'
        for source, objects in sorted(outside.items())
    ]
    blocks = [_block(name, modules[name], file, file_of) for name in inside]
    exports = ", ".join(map(_object, inside))
    return "".join([*imports, *blocks, f"export {{ {exports} }};\n"])


def _block(name: str, source: str, file: str, file_of: Mapping[str, str]) -> str:
    """Return the block of a module within a file."""

    def taken(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = {_object(_target(name, found[2]))};"

    def loaded(found: re.Match[str]) -> str:
        target = _target(name, found[1])
        path, each = _path(file, file_of[target]), _object(target)
        return f'import("{path}").then((all) => all.{each})'

    exports = ", ".join(each for _, each in _EXPORT.findall(source))
    source = _EXPORT.sub(r"\1", _IMPORT.sub(taken, source))
    if other := _OTHER.search(source):
        raise ValueError(f"{name}: {other[0]}: the page's modules do not import or export so")
    source = _LOADED.sub(loaded, source)
    if name != file:
        here = f'new URL("{_path(file, name)}", import.meta.url)'
        source = source.replace("import.meta.url", here)
    each = _object(name)
    return f"// {name}\nlet {each}; {{\n{source}\n{each} = {{ {exports} }};\n}}\n"


def _object(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _target(name: str, other: str) -> str:
    """Return the module that another one imports as `other`."""
    return normpath(f"{dirname(name)}/{other}".lstrip("/"))


def _path(file: str, other: str) -> str:
    path = relpath(other, dirname(file) or ".")
    return path if path.startswith(".") else f"./{path}"
