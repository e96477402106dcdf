"""The order in which the options of a described game are offered: by cards, as in hands.

A description lists options in the order in which cards lie in a pile.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engine.cards import Token
from engine.choices import Choices
from engine.game import GameInfo

_CARD = re.compile(r"\{card ([^ {}]+)\}")


def in_order(choices: Choices, info: GameInfo) -> Choices:
    """Sort `choices` with equal words before their cards by the cards.

    All others stay in place.
    """
    order = order_of(info)
    alike: dict[str, list[int]] = {}
    for at, text in enumerate(choices.texts):
        words, card, _ = text.partition("{card ")
        if card:
            alike.setdefault(words, []).append(at)
    placed = list(range(len(choices.texts)))
    for group in alike.values():
        if len(group) == 1:
            continue
        cards = {at: _places(_CARD.findall(choices.texts[at]), order) for at in group}
        for at, option in zip(group, sorted(group, key=cards.__getitem__), strict=True):
            placed[at] = option
    if placed == sorted(placed):
        return choices
    return replace(
        choices,
        actions=tuple(choices.actions[at] for at in placed),
        texts=tuple(choices.texts[at] for at in placed),
        parts=tuple(choices.parts[at] for at in placed if choices.parts),
    )


def _places(tokens: Sequence[Token], order: dict[Token, int]) -> list[int]:
    return [order.get(token, len(order)) for token in tokens]


@lru_cache(maxsize=64)
def order_of(info: GameInfo) -> dict[Token, int]:
    """Return the position of each card of a game among the others."""
    return {card.token: card.order for card in info.legend}
