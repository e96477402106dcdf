"""Names of players and of their commands, and the stored forms of secrets and typed text."""

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


class CommandKey(NamedTuple):
    """The permanent name of a command."""

    player: str
    client: str
    command: int


def hashed(secret: str) -> str:
    """Return the hash under which a token or a code is stored."""
    return sha256(secret.encode()).hexdigest()


def clean(text: str) -> str:
    """Return `text`, which passed `protocol.visible_text`, composed and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())
