"""Checks of the files of `deploy/` by the schema of Compose.

It is the specification's own, which `check-jsonschema` brings along.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

from tests.deploy.monitoring import Told

COMMAND = Path(sys.executable).with_name("check-jsonschema")
ANY = "*"

Keys: TypeAlias = tuple[Any, ...]  # names, and places in lists


def compose_faults(files: Iterable[Path]) -> dict[Path, str]:
    """The faults of these compose files, by file."""
    schema = ("--builtin-schema", "vendor.compose-spec", "--output-format", "json")
    run = subprocess.run([str(COMMAND), *schema, *map(str, files)], capture_output=True, text=True)
    told = json.loads(run.stdout)
    assert run.returncode == bool(told["errors"]), run.stdout + run.stderr
    assert not told.get("parse_errors")
    return {Path(each["filename"]): f"{each['path']}: {each['message']}" for each in told["errors"]}


def misspelt(told: Told, free: frozenset[str]) -> dict[str, Told]:
    """Copies of a file, each with one misspelt field, by the field's place.

    The keys below those in `free` are arbitrary, so they are left as they are. One field is taken
    for places that are alike.
    """
    made = {}
    for keys, place in _fields(told, (), (), free):
        name = ".".join(place)
        if name not in made:
            made[name] = copy = deepcopy(told)
            inside: Any = copy  # whatever the file has there
            for key in keys[:-1]:
                inside = inside[key]
            inside[f"{keys[-1]}x"] = inside.pop(keys[-1])
    return made


def _fields(
    inside: Any,  # whatever the file has there
    keys: Keys,
    place: tuple[str, ...],
    free: frozenset[str],
) -> Iterator[tuple[Keys, tuple[str, ...]]]:
    """The keys of all fields with their places, in which free keys and list items are `ANY`."""
    if isinstance(inside, list):
        for number, each in enumerate(inside):
            yield from _fields(each, (*keys, number), (*place, ANY), free)
    if isinstance(inside, dict):
        chosen = bool(keys) and keys[-1] in free
        for key, each in inside.items():
            there = (*place, ANY if chosen else key)
            if not chosen:
                yield (*keys, key), there
            yield from _fields(each, (*keys, key), there, free)
