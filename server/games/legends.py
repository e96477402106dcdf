"""The parts that all tables of a game have in common, and their digest for references."""

import json
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from engine.game import GameInfo
from protocol.wire_form import WireForm, legend_form, legend_message

_DIGITS = 16


class GameLegend(NamedTuple):
    """The digest, and the form of the legend in a snapshot that does not refer to it."""

    digest: str
    form: WireForm

    @property
    def message(self) -> WireForm:
        """The `legend` message."""
        return legend_message(self.digest, self.form)


@lru_cache(maxsize=64)
def legend_of(info: GameInfo) -> GameLegend:
    """Return the legend of this game's tables."""
    form = legend_form(tuple(info.legend), info.labels, info.layout)
    text = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
    return GameLegend(sha256(text.encode()).hexdigest()[:_DIGITS], form)
