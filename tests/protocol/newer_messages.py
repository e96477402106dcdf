"""Messages of a newer server: unknown messages, fields, words, changes and values everywhere."""

import json
from typing import Any

import pytest

from protocol.codec import Codec, codec_for
from protocol.to_client import ToClient
from protocol.version import JSON, SUBPROTOCOLS
from protocol.wire_form import WireForm, wire_form
from tests.protocol.model_server import TABLE

NEWS: WireForm = {"mood": "cheerful", "weights": {"a": [1.5, None]}}
"""Fields that nobody knows today."""
STRANGE_CHANGE: WireForm = {"do": "turn_over", "zone": "pile", **NEWS}
STRANGE_VALUES: WireForm = {"share": 0.5, "table_of": {"a": 1}, "lists": [["x"]]}
"""Values of kinds that no argument of a fact and no value of a view has today."""
STRANGE_MESSAGES: list[WireForm] = [
    {"type": "fireworks", "table": TABLE, **NEWS},
    {"type": "notice", "kind": "new_moon", "table": TABLE, "count": 3, **NEWS},
    {"type": "notice", "kind": "new_moon"},
    {"type": "error", "id": None, "code": "out_of_cheese", "reason": "none left", **NEWS},
]
_MAPPINGS = frozenset({"args", "depends", "options", "titles", "values", "zones", "why"})


def with_news(value: Any, name: str = "") -> Any:
    """`value` with unknown fields in every object, except in mappings from names to things."""
    if isinstance(value, dict):
        news = {} if name in _MAPPINGS else NEWS
        inner = {key: with_news(held, key) for key, held in value.items()}
        return {**inner, **news}
    if isinstance(value, list | tuple):
        return [with_news(held) for held in value]
    return value


def reworded(frame: list[WireForm]) -> list[WireForm]:
    """A frame as a newer server sends it, in which everything of today is kept."""
    return [*STRANGE_MESSAGES, *(_strange(with_news(message)) for message in frame)]


def _strange(message: WireForm) -> WireForm:
    match message:
        case {"type": "table", "info": info, "view": view, "facts": facts}:
            told = {"verb": "moon_rose", "args": STRANGE_VALUES, "changes": [STRANGE_CHANGE]}
            seats = [{**seat, "kind": "robot"} for seat in info["seats"]]
            return {
                **message,
                "info": {**info, "phase": "breathing_space", "seats": seats},
                "view": {**view, "values": {**view.get("values", {}), **STRANGE_VALUES}},
                "facts": [*facts, told],
            }
        case {"type": "event", "facts": [*facts]}:
            return {**message, "facts": [*facts, {"verb": "x", "changes": [STRANGE_CHANGE]}]}
    return message


JSON_CODEC = codec_for(JSON)


codecs = pytest.mark.parametrize("codec", [codec_for(name) for name in SUBPROTOCOLS])


def heard(*frame: Any, codec: Codec = JSON_CODEC) -> list[ToClient]:
    """The messages that today's client reads from these plain messages."""
    return codec.decode_frame(codec.frame([codec.encode_message(message) for message in frame]))


def as_sent(value: Any) -> Any:
    return json.loads(json.dumps(wire_form(value)))
