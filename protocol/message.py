"""What all messages of a server have in common: they leave room for what a newer server adds.

Unknown fields are ignored. A field that holds one of a list of words is a plain text to a client,
so that it accepts a word that it does not know; here are the words that this version knows.
"""

from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field

from protocol.errors import ERROR_CODES

Phase: TypeAlias = Literal["lobby", "playing", "paused", "finished", "closed"]
ChairKind: TypeAlias = Literal["empty", "human", "bot"]
Level: TypeAlias = Literal["easy", "medium", "strong"]
NoticeKind: TypeAlias = Literal[
    "draining",
    "replaced",
    "lagging",
    "spectators",
    "latecomer",
    "latecomer_gone",
    "refused",
    "time_up",
    "warming",
    "warmed",
    "not_warmed",
    "announcement",
    "outage",
    "outage_over",
]
CloseReason: TypeAlias = Literal[
    "left",
    "kicked",
    "expired",
    "abandoned",
    "finished",
    "stopped",
    "damaged",
    "evicted",
    "closed_by_administrator",
]


class Message(BaseModel):
    """The base of what a server sends: frozen; unknown fields, of a newer server, are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def words(known: Any) -> Any:
    """A field that holds one of the words of the literal `known`, or a word of a newer server."""
    return Field(json_schema_extra={"examples": list(get_args(known))})


def known_code(code: object) -> object:
    """`code` if this version knows the error code, else ``internal``."""
    return code if code in ERROR_CODES else "internal"
