"""Names: of players and of their commands, and what is kept of secrets and of typed text."""

import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Player:
    """A player by id, and the name that others see; `program` if no person plays."""

    id: str
    name: str
    program: str = ""


class Key(NamedTuple):
    """The name of a command, for ever."""

    player: str
    client: str
    command: int


def hashed(secret: str) -> str:
    """What is kept of a token or a code."""
    return sha256(secret.encode()).hexdigest()


def clean(text: str) -> str:
    """`text`, which passed `protocol.visible_text`, in composed form and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())
