"""What `blackqueen.client` offers, name by name, so that a version can be held to it.

    python -m tests.blackqueen.surface > tests/blackqueen/client_1.txt

writes down what there is, for a new version that has more.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from inspect import Parameter, isclass, isfunction, signature
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from blackqueen import client

PROMISED = Path(__file__).with_name("client_1.txt")
OURS = ("engine.", "protocol.", "blackqueen.")


def surface() -> Iterator[str]:
    """A line for each name, member and parameter; those that may be left out end in ``=``."""
    for name in client.__all__:
        yield name
        held = getattr(client, name)
        if isclass(held):
            yield from _members(name, held)
        elif isfunction(held):
            yield from _parameters(name, held)


def _members(name: str, kind: type[Any]) -> Iterator[str]:
    if issubclass(kind, BaseModel):
        for field, about in kind.model_fields.items():
            yield f"{name}.{field}" if about.is_required() else f"{name}.{field}="
    elif is_dataclass(kind):
        yield from (f"{name}.{field.name}" for field in fields(kind))
    for base in kind.__mro__:
        if not base.__module__.startswith(OURS):
            continue
        for member, held in vars(base).items():
            function = getattr(held, "__func__", held)
            if not member.startswith("_") and isfunction(function):
                yield from _parameters(f"{name}.{member}", function)
            elif isinstance(held, property) and not member.startswith("_"):
                yield f"{name}.{member}"


def _parameters(name: str, function: Callable[..., object]) -> Iterator[str]:
    yield f"{name}()"
    for parameter in signature(function).parameters.values():
        if parameter.name not in ("self", "cls"):
            named = parameter.default is Parameter.empty and parameter.kind not in (
                Parameter.VAR_KEYWORD,
                Parameter.VAR_POSITIONAL,
            )
            yield f"{name}({parameter.name})" if named else f"{name}({parameter.name}=)"


if __name__ == "__main__":
    print(*sorted(set(surface())), sep="\n")
