"""What all tables of a game have in common, and the digest by which they refer to it."""

import json
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from engine.game import GameInfo
from protocol.wire_form import WireForm, legend_form, legend_message

_DIGITS = 16


class GameLegend(NamedTuple):
    """The digest, and the form that a snapshot has of it where it does not refer to it."""

    digest: str
    form: WireForm

    @property
    def message(self) -> WireForm:
        """The `legend` message."""
        return legend_message(self.digest, self.form)


@lru_cache(maxsize=64)
def legend_of(info: GameInfo) -> GameLegend:
    """What tables of this game have in common."""
    form = legend_form(tuple(info.legend), info.labels, info.layout)
    text = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
    return GameLegend(sha256(text.encode()).hexdigest()[:_DIGITS], form)
