"""Everything added to the protocol since its first form has a feature name.

`first_form.txt` has the messages of the first form and their parts, each with its fields.
"""

from collections import defaultdict
from collections.abc import Mapping, Set
from pathlib import Path

import pytest

from protocol import asyncapi as documented
from protocol.features import FEATURES, INTERNAL_VALUES, ON_REQUEST, OUTAGES, asked_for, needed
from protocol.to_server import (
    COMMANDS,
    Admit,
    CreateTable,
    Join,
    ListTables,
    TableSettings,
    ToServer,
)

FIRST_FORM = Path(__file__).with_name("first_form.txt")
PARTS = {
    "GameCard": "game",
    "LegendCard": "card",
    "OptionInfo": "option",
    "SeatInfo": "seat",
    "SettingsInfo": "settings",
    "TableInfo": "info",
    "TableSettings": "settings",
}
"""What features call the parts of messages that are not called like their classes."""

Form = Mapping[str, Set[str]]
"""The fields of each message and each part; a command and a message may share a name."""


def first_form() -> Form:
    """The first form of the protocol, which needs no features."""
    lines = FIRST_FORM.read_text(encoding="utf-8").splitlines()
    named = (line.split(": ") for line in lines if not line.startswith("#"))
    return {name: set(fields.split()) for name, fields in named}


def form(schemas: Mapping[str, documented.Document]) -> Form:
    """The form of the given schemas."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for title, schema in schemas.items():
        fields = schema["properties"]
        found[fields.get("type", {}).get("const") or part_name(title)] |= fields.keys()
    return found


def part_name(title: str) -> str:
    return PARTS.get(title, title.lower())


def added(now: Form, messages: Set[str]) -> set[str]:
    """The features of a form: whole `messages`, and new fields of older parts.

    A new part needs no name, because the field or message that holds it has one.
    """
    first = first_form()
    whole = {name for name in now if name in messages and name not in first}
    fields = {f"{name}.{field}" for name in first for field in now[name] - first[name]}
    return whole | fields


def messages() -> set[str]:
    """The types of all commands and messages."""
    return {documented.type_of(each) for each in (*COMMANDS, *documented.MESSAGES)}


def test_every_addition_is_a_feature() -> None:
    """A new command, message or field is in `FEATURES`, and nothing else is."""
    now = form(documented.asyncapi()["components"]["schemas"])
    assert added(now, messages()) == set(FEATURES) - {INTERNAL_VALUES, OUTAGES}
    assert len(FEATURES) == len(set(FEATURES))


def test_what_is_sent_on_request_is_a_feature() -> None:
    """Whatever a client asks for by name is a feature, so that the welcome tells if it is known."""
    assert set(FEATURES) >= ON_REQUEST


def test_a_client_that_names_nothing_gets_the_first_form() -> None:
    """A client that names no features gets the first form; others get the named, known ones."""
    assert asked_for([]) == {INTERNAL_VALUES}
    assert asked_for(["legend", "of tomorrow"]) == {"legend"}


def test_nothing_of_the_first_form_is_gone() -> None:
    """Everything of the first form still exists, since older programs use it."""
    now = form(documented.asyncapi()["components"]["schemas"])
    missing = {name: fields - now[name] for name, fields in first_form().items()}
    assert not any(missing.values()), missing


def test_an_addition_without_a_name_is_found() -> None:
    """New fields of known parts and new messages are found, but not fields of new parts."""
    now: Form = {
        **form(documented.asyncapi()["components"]["schemas"]),
        "ok": first_form()["ok"] | {"colour"},
        "settings": first_form()["settings"] | {"latecomers", "language"},
        "invite": {"type", "id", "table"},
        "invitation": {"text"},
    }
    found = added(now, messages() | {"invite"})
    assert found - set(FEATURES) == {"ok.colour", "settings.language", "invite"}


@pytest.mark.parametrize(
    ("command", "features"),
    [
        (Join(id=1, table="PLUM"), []),
        (Admit(id=1, table="PLUM", request=3), ["admit"]),
        (ListTables(id=1), []),
        (ListTables(id=1, page="x", free=2), ["list_tables.free", "list_tables.page"]),
        (
            CreateTable(id=1, game="whist", settings=TableSettings(latecomers="never")),
            ["settings.latecomers"],
        ),
    ],
)
def test_a_command_needs_what_it_uses(command: ToServer, features: list[str]) -> None:
    """A command needs the features of its fields, except those with default values."""
    assert list(needed(command)) == features
