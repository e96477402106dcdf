"""`python -m server.events.reference [--check]`: the reference of public events, from the models.

Writes docs/events.yaml, and the table of messages in docs/events.md. With `--check` nothing is
written, and a difference is an error. Needs the development dependencies.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from protocol.asyncapi import Document, Model, schemas, summary, type_of
from protocol.reference import command, read, table, yaml_text
from protocol.version import VERSION
from server.events.messages import Event, Retained, Server

RETAINED: tuple[Model, ...] = (Server, *get_args(Retained))
MESSAGES: tuple[Model, ...] = (*RETAINED, *get_args(Event))
PREFIX = "blackqueen"

_PART = re.compile(r"(<!-- made by server\.events\.reference -->\n).*?(<!-- end -->)", re.DOTALL)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the generated files in `docs`, or with ``--check`` compare them."""
    return command("server.events.reference", reference, argv)


def reference(docs: Path) -> Mapping[Path, str]:
    """Return the correct text of each generated file."""
    guide = docs / "events.md"
    made = _PART.sub(lambda part: f"{part[1]}{_messages()}\n{part[2]}", read(guide))
    return {docs / "events.yaml": yaml_text(asyncapi(), "server.events.reference"), guide: made}


def asyncapi() -> Document:
    """Return topics and payloads as an AsyncAPI 3.0 document, in plain values."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "blackqueen public events",
            "version": str(VERSION),
            "description": "What spectators may see, over MQTT; docs/events.md explains it.",
            "license": {"name": "Apache-2.0"},
        },
        "servers": {"broker": {"host": "localhost:8883", "protocol": "mqtts"}},
        "channels": {type_of(model): _channel(model) for model in MESSAGES},
        "operations": {type_of(model): _operation(model) for model in MESSAGES},
        "components": {
            "messages": {
                model.__name__: {
                    "name": type_of(model),
                    "contentType": "application/json",
                    "summary": summary(model),
                    "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
                }
                for model in MESSAGES
            },
            "schemas": schemas(MESSAGES),
        },
    }


def topic(model: Model) -> str:
    """Return the topic of a message, below the prefix."""
    return "server" if model is Server else f"tables/{{game}}/{{table}}/{type_of(model)}"


def _channel(model: Model) -> Document:
    named = {
        "game": {"description": "id of the game; for characters unfit for a topic it has _"},
        "table": {"description": "the table's code, or its alias if it is private"},
    }
    return {
        "address": f"{PREFIX}/{topic(model)}",
        "description": summary(model),
        "messages": {model.__name__: {"$ref": f"#/components/messages/{model.__name__}"}},
        **({} if model is Server else {"parameters": named}),
    }


def _operation(model: Model) -> Document:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{type_of(model)}"},
        "bindings": {"mqtt": {"qos": 0, "retain": model in RETAINED}},
    }


def _messages() -> str:
    rows = [
        (f"`{type_of(model)}`", "yes" if model in RETAINED else "", _fields(model), summary(model))
        for model in MESSAGES
    ]
    return table(("type", "retained", "fields", "meaning"), rows)


def _fields(model: Model) -> str:
    common = ("type", "table", "game", "number", "time")
    return f"`{' '.join(name for name in model.model_fields if name not in common)}`"


if __name__ == "__main__":
    sys.exit(main())
