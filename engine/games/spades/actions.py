"""The moves of Spades as texts: ``look``, ``blind nil``, ``bid 3`` and ``play QS``."""

import re
from functools import cache, lru_cache

from engine.cards import parse_card
from engine.choices import Action
from engine.errors import BadAction

LOOK: Action = "look"
BLIND_NIL: Action = "blind nil"
_BID = re.compile(r"bid (0|[1-9][0-9]?)")
_PLAY = re.compile(r"play ([2-9TJQKA][CDSH])")


@cache
def bid_text(bid: int) -> Action:
    """The action that bids `bid` tricks; ``bid 0`` is nil."""
    return f"bid {bid}"


@lru_cache(maxsize=1024)
def parse_action(action: Action) -> tuple[str, int]:
    """The verb, and the number bid or the card played; 0 for a verb that stands alone.

    `BadAction` if the text is no move.

    >>> parse_action("bid 3"), parse_action("play 3C"), parse_action("look")
    (('bid', 3), ('play', 1), ('look', 0))
    """
    if action in (LOOK, BLIND_NIL):
        return action, 0
    if bid := _BID.fullmatch(action):
        return "bid", int(bid[1])
    if play := _PLAY.fullmatch(action):
        return "play", parse_card(play[1])
    raise BadAction(f"{action!r} is no move; moves look like 'bid 3', 'play QS' or 'look'")
