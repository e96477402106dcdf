"""The protocol as an AsyncAPI 3 document, made from the models."""

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from protocol.to_client import (
    Asked,
    ChatNotice,
    Closed,
    CodeOwner,
    DeviceCode,
    DeviceList,
    Error,
    Event,
    GameList,
    HintAnswer,
    Legend,
    Lobby,
    LogPage,
    Notice,
    Ok,
    OwnTables,
    PlayerPreferences,
    Pong,
    Presence,
    ReviewPage,
    Snapshot,
    TableList,
    TableMoved,
    ToClient,
    Unchanged,
    Welcome,
    Words,
)
from protocol.to_server import (
    COMMANDS,
    AddDevice,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hello,
    Hint,
    Join,
    ListTables,
    Log,
    MyTables,
    Ping,
    Preferences,
    Review,
    Sync,
    Watch,
    WhoseCode,
)
from protocol.version import SUBPROTOCOLS, VERSION

Model: TypeAlias = type[BaseModel]
# JSON, as YAML and JSON Schema have it: whatever the standard asks for.
Document: TypeAlias = dict[str, Any]

MESSAGES: tuple[Model, ...] = get_args(get_args(ToClient)[0])

ANSWERS: Mapping[Model, tuple[Model, ...]] = {
    Hello: (Welcome,),
    Games: (GameList,),
    ListTables: (TableList,),
    FollowTables: (Lobby,),
    MyTables: (OwnTables,),
    Log: (LogPage,),
    Review: (ReviewPage,),
    AddDevice: (DeviceCode,),
    WhoseCode: (CodeOwner,),
    Devices: (DeviceList,),
    Preferences: (PlayerPreferences,),
    Hint: (HintAnswer,),
    Ping: (Pong,),
    CreateTable: (Ok, Snapshot),
    Join: (Ok, Snapshot, Asked),
    Watch: (Ok, Snapshot),
    Sync: (Ok, Snapshot),
}
"""What a command is answered with, and what follows in the same frame; `ok` where none is named.

An `error` may take the place of each, and a `moved` that of one about a table.
"""

UNASKED: tuple[Model, ...] = (
    Event,
    Legend,
    Words,
    Snapshot,
    ChatNotice,
    Presence,
    Notice,
    Unchanged,
    Closed,
    TableMoved,
    Lobby,
)
"""What the server says by itself."""

_CHANNEL = "#/channels/connection"
_DISCRIMINATORS = ("type", "do")


def answers(command: Model) -> tuple[Model, ...]:
    """The messages that may answer `command`: `ok` unless `ANSWERS` names others."""
    return ANSWERS.get(command, (Ok,))


def type_of(model: Model) -> str:
    """The word in the field `type` of a message."""
    return str(model.model_fields["type"].default)


def asyncapi() -> Document:
    """The whole protocol as an AsyncAPI 3.0 document, in plain values."""
    every = (*COMMANDS, *MESSAGES)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "blackqueen",
            "version": str(VERSION),
            "description": "Card games over WebSocket; docs/protocol.md explains how it works.",
            "license": {"name": "Apache-2.0"},
        },
        "servers": {"local": {"host": "localhost:8765", "protocol": "ws"}},
        "channels": {
            "connection": {
                "address": "/",
                "description": (
                    "A frame from the client is one message, a frame from the server a list of"
                    " messages; binary frames of msgpack or text frames of JSON, as agreed by"
                    " subprotocol."
                ),
                "messages": {model.__name__: _ref("messages", model) for model in every},
                "bindings": {"ws": {"method": "GET", "headers": _headers()}},
            }
        },
        "operations": {
            **{type_of(command): _command(command) for command in COMMANDS},
            "unasked": {
                "action": "send",
                "channel": {"$ref": _CHANNEL},
                "summary": "What the server says by itself.",
                "messages": _messages(UNASKED),
            },
        },
        "components": {
            "messages": {model.__name__: _message(model) for model in every},
            "schemas": schemas(every),
        },
    }


def _headers() -> Document:
    subprotocol = {"type": "string", "enum": list(SUBPROTOCOLS)}
    return {"type": "object", "properties": {"Sec-WebSocket-Protocol": subprotocol}}


def _command(command: Model) -> Document:
    return {
        "action": "receive",
        "channel": {"$ref": _CHANNEL},
        "summary": summary(command),
        "messages": _messages((command,)),
        "reply": {
            "channel": {"$ref": _CHANNEL},
            "messages": _messages((*answers(command), Error)),
        },
    }


def _message(model: Model) -> Document:
    return {
        "name": type_of(model),
        "summary": summary(model),
        "payload": _ref("schemas", model),
    }


def summary(model: Model) -> str:
    """The first sentence of a model's docstring, in one line."""
    return " ".join(cleandoc(model.__doc__ or "").partition("\n\n")[0].split())


def _messages(models: Iterable[Model]) -> list[Document]:
    return [{"$ref": f"{_CHANNEL}/messages/{model.__name__}"} for model in models]


def _ref(kind: str, model: Model) -> Document:
    return {"$ref": f"#/components/{kind}/{model.__name__}"}


def schemas(models: Iterable[Model]) -> Document:
    """The JSON schemas of messages and of their parts, by name."""
    _, made = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    return {name: _tidy(schema) for name, schema in sorted(made["$defs"].items())}


def _tidy(schema: Document) -> Document:
    """A cleaned schema: discriminators are required, and titles made of names are dropped."""
    properties = {name: _untitled(held) for name, held in schema["properties"].items()}
    always = [name for name in _DISCRIMINATORS if "const" in properties.get(name, ())]
    for name in always:
        del properties[name]["default"]
    tidy = {key: value for key, value in schema.items() if key != "title"}
    required = [*always, *schema.get("required", ())]
    return tidy | {"properties": properties} | ({"required": required} if required else {})


def _untitled(schema: Document) -> Document:
    return {key: value for key, value in schema.items() if key != "title"}
