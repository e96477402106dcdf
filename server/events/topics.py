"""The topics of public events, the names of tables in them, and a message to a topic.

    PREFIX/server                        whether the server is there
    PREFIX/tables/GAME/TABLE/TYPE        all that is said of a table

Nothing that a player has chosen is part of a topic.
"""

import hmac
import re
from base64 import b32encode
from hashlib import sha256
from typing import NamedTuple

_UNFIT = re.compile(r"[^A-Za-z0-9._@-]")
ALIAS_LENGTH = 16
GAME_LENGTH = 100


class MqttMessage(NamedTuple):
    """A message for all subscribers of `topic`; with `retain` also for future ones."""

    topic: str
    payload: bytes
    retain: bool = False


class Topics:
    """The topics below `prefix`. `secret` is the server's; aliases depend on nothing else."""

    def __init__(self, prefix: str, secret: str) -> None:
        self.server = f"{prefix}/server"
        self._tables = f"{prefix}/tables"
        self._secret = sha256(f"public events {secret}".encode()).digest()
        self.retained = tuple(f"{self._tables}/+/+/{kind}" for kind in ("summary", "turn"))
        """Filters for all that is retained of tables."""

    def alias(self, code: str) -> str:
        """Return the public name of a private table, which does not reveal its code to others."""
        digest = hmac.digest(self._secret, code.encode(), "sha256")
        return "private-" + b32encode(digest).decode()[:ALIAS_LENGTH]

    def table(self, game: str, name: str) -> str:
        """Return the beginning of a table's topics.

        The id of a described game, which may be long and hold any character, is made to fit.
        """
        return f"{self._tables}/{_UNFIT.sub('_', game)[-GAME_LENGTH:]}/{name}"
