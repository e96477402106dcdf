"""Writes entries as JSON, and reads entries of any age.

Each kind of entry has a format with a number, which its JSON contains from 2 on. It is in every
entry and not once in a log, because a table opened by one version of the server is continued by the
next. Fields that older programs may ignore are added without a new number: they ignore fields they
do not know, and a missing newer field gets the value that held before. Any other change is a new
format, with a step in `UPGRADES` from the one before.

A program that meets a kind or a format it does not know refuses that table (`NewerLog`): an
unreadable entry may have changed everything after it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from json.encoder import encode_basestring_ascii
from typing import Any, TypeAlias, get_args

from pydantic import TypeAdapter

from server.table.entries import Acted, Body, Configured, Opened
from server.table.errors import NewerLog
from server.table.settings import settings_json, stored_settings

# The JSON of a body.
WireForm: TypeAlias = dict[str, Any]
Upgrade: TypeAlias = Callable[[WireForm], WireForm]

FORMATS: Mapping[str, int] = {"opened": 2, "configured": 2}
"""The format in which a kind is written today, where it is not the first."""
UPGRADES: Mapping[tuple[str, int], Upgrade] = {
    # In format 2 `turn_seconds` of the settings may be null: the server's rule.
    ("opened", 1): dict,
    ("configured", 1): dict,
}
"""For a kind and a format of it that is no longer written: its JSON in the next one."""

_BODY: TypeAdapter[Body] = TypeAdapter(Body)
KINDS = frozenset(
    str(field.default)
    for body in get_args(get_args(Body)[0])
    for field in fields(body)
    if field.name == "kind"
)


def body_text(body: Body) -> str:
    """Return the JSON of a body, without its kind, which the log keeps beside it."""
    if isinstance(body, Acted):
        # What is written thousands of times a second does without the general way.
        strength = "" if body.strength is None else f',"strength":{body.strength}'
        action = encode_basestring_ascii(body.action)
        return f'{{"seat":{body.seat},"action":{action},"by":"{body.by}"{strength}}}'
    stored = {field.name: getattr(body, field.name) for field in fields(body)}
    del stored["kind"]
    if isinstance(body, Opened | Configured):
        stored["settings"] = settings_json(body.settings)
    if body.kind in FORMATS:
        stored["format"] = FORMATS[body.kind]
    return json.dumps(stored, separators=(",", ":"))


def parse_body(kind: str, text: str) -> Body:
    """Return the body that was written as `text` by any version.

    Raises `NewerLog` if this program is too old for it, `ValueError` if it is none.
    """
    if kind not in KINDS:
        raise NewerLog(f"entries of kind {kind!r} are not known to this version")
    stored = json.loads(text)
    if not isinstance(stored, dict):
        raise ValueError("a body is a JSON object")
    if "format" in stored or kind in FORMATS:
        stored = _upgraded(kind, stored)
    if "settings" in stored:
        stored["settings"] = stored_settings(stored["settings"])
    stored["kind"] = kind
    return _BODY.validate_python(stored)


def _upgraded(kind: str, stored: WireForm) -> WireForm:
    """Return the JSON in its present format."""
    today = FORMATS.get(kind, 1)
    written = stored.pop("format", 1)
    if not isinstance(written, int) or written < 1:
        raise ValueError("a format is a number from 1")
    if written > today:
        raise NewerLog(f"format {written} of {kind!r} is not known to this version")
    for step in range(written, today):
        stored = UPGRADES[kind, step](stored)
    return stored
