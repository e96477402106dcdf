"""Which modules of the package of described games import which."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import engine.recycle

PACKAGE = Path(engine.recycle.__file__).parent
ROOT = PACKAGE.parents[1]


def imports(sources: dict[str, str]) -> dict[str, set[str]]:
    """By module, the modules among `sources` that it imports, those for types alone included."""
    found: dict[str, set[str]] = {name: set() for name in sources}
    for name, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module:
                inner = (f"{node.module}.{alias.name}" for alias in node.names)
                found[name] |= {each if each in sources else node.module for each in inner}
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    """The imports of the package form no circle."""
    sources = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        sources[name.removesuffix(".__init__")] = path.read_text()
    order = list(TopologicalSorter(imports(sources)).static_order())
    assert set(sources) <= set(order)
    assert len(sources) > 50


def test_a_circle_of_types_would_be_noticed() -> None:
    """The check finds circles of imports that only the type checker follows."""
    below = "if TYPE_CHECKING:\n    from recycle.above import Above"
    sources = {"recycle.above": "from recycle import below", "recycle.below": below}
    with pytest.raises(CycleError):
        TopologicalSorter(imports(sources)).prepare()
