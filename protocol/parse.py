"""Error texts for a message that does not fit: where it is wrong and what would be right."""

import re
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from protocol.to_server import MAX_ID

_SHOWN = 3
"""How many faults of one message are told."""
_LENGTH = 60
"""How much of the peer's own text an error repeats."""
_SHOULD = re.compile(r"^\w+ should ")


def known_types(union: Any) -> frozenset[str]:
    """The `type` words of a closed union of messages."""
    models = get_args(get_args(union)[0])
    return frozenset(model.model_fields["type"].default for model in models)


def command_id(data: Any) -> int | None:
    """The id of an otherwise wrong message; None if it has no usable one."""
    id = data.get("id") if isinstance(data, dict) else None
    return id if type(id) is int and 1 <= id <= MAX_ID else None


def explain(error: ValidationError) -> str:
    """The faults of a message in one line of ASCII, of bounded length."""
    details = error.errors(include_url=False, include_input=False)
    told = "; ".join(_fault(detail) for detail in details[:_SHOWN])
    more = len(details) - _SHOWN
    return f"{told}; and {more} more" if more > 0 else told


def wording(detail: ErrorDetails) -> str:
    """The condition on a value, without its name: ``must be greater than or equal to 0``."""
    return _SHOULD.sub("must ", detail["msg"].removeprefix("Value error, "))


def _fault(detail: ErrorDetails) -> str:
    context = detail.get("ctx", {})
    match detail["type"]:
        case "union_tag_not_found":
            return "field 'type' is missing: it says which message this is"
        case "union_tag_invalid":
            known = str(context["expected_tags"]).replace("'", "")
            return f"unknown type {_quoted(context['tag'])}; known are {known}"
        case "model_attributes_type" | "model_type":
            return "a message must be an object with a field 'type'"
        case "missing":
            return f"{_where(detail)} is missing"
        case "extra_forbidden":
            return f"{_where(detail)} is not known; leave it out"
    return f"{_where(detail)}: {wording(detail)}"


def _where(detail: ErrorDetails) -> str:
    # The first part names the type of the message, which the field's name makes clear enough.
    path = ".".join(str(part) for part in detail["loc"][1:])
    return f"field {_quoted(path)} of {detail['loc'][0]}" if path else "the message"


def _quoted(words: object) -> str:
    text = ascii(str(words))
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…'"
