"""Reading what a newer server says: what this client does not know is left out, or asked for anew.

Unknown fields and unknown words need nothing: the models ignore the ones and hold the others. Here
are the parts of a message that are of an unknown kind. Each lies in a list or a mapping whose other
members mean the same without it, and is left out there. A table's event is different: a change that
is left out would make every later picture wrong, so such an event is as good as not heard.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from protocol.to_client import TO_CLIENT, ToClient, UnreadEvent

_OPTIONAL_PARTS = frozenset(
    {
        "actions",
        "args",
        "bots",
        "by_seats",
        "candidates",
        "changes",
        "choices",
        "depends",
        "facts",
        "features",
        "games",
        "labels",
        "legend",
        "levels",
        "options",
        "picks",
        "strengths",
        "tables",
        "titles",
        "values",
        "why",
    }
)
"""Lists and mappings whose members may be left out one by one."""
_PICTURE = frozenset({"changes", "facts"})
"""Those of them on which the view depends."""


def read(data: Any) -> ToClient:
    """The message in `data` without its unknown parts; `ValidationError` if it is none.

    Its type must be known.
    """
    try:
        return TO_CLIENT.validate_python(data)
    except ValidationError as error:
        paths = {_path(data, detail["loc"][1:]) for detail in error.errors(include_url=False)}
        match data:
            case {"type": "event"} if not all(map(_is_beside_the_picture, paths)):
                return UnreadEvent(table=data.get("table"), seq=data.get("seq"))
            case _ if not all(paths):
                raise
    return TO_CLIENT.validate_python(_without(data, paths))


def _is_beside_the_picture(path: tuple[str | int, ...]) -> bool:
    return bool(path) and path[-2] not in _PICTURE


def _path(data: Any, loc: Sequence[str | int]) -> tuple[str | int, ...]:
    """The place of the smallest part that may be left out; empty if there is none.

    A place told by pydantic also names the kinds it has tried, which are nowhere in the data.
    """
    at: Any = data
    path: list[str | int] = []
    smallest: tuple[str | int, ...] = ()
    for step in loc:
        if not (step in at if isinstance(at, dict) else isinstance(at, list) and type(step) is int):
            continue
        path.append(step)
        at = at[step]
        if len(path) > 1 and path[-2] in _OPTIONAL_PARTS:
            smallest = tuple(path)
    return smallest


def _without(data: Any, paths: set[tuple[str | int, ...]]) -> Any:
    """A copy of `data` without what lies at `paths`."""
    here = {path[0] for path in paths if len(path) == 1}
    deeper = {path[0]: set[tuple[str | int, ...]]() for path in paths if len(path) > 1}
    for path in paths:
        if len(path) > 1:
            deeper[path[0]].add(path[1:])
    items = data.items() if isinstance(data, dict) else enumerate(data)
    kept = {
        key: _without(held, deeper[key]) if key in deeper else held
        for key, held in items
        if key not in here
    }
    return kept if isinstance(data, dict) else list(kept.values())
