"""The texts of the protocol's facts, phrases and errors, made on the client."""

from protocol.texts.card_names import card_name, suit_name, with_labels
from protocol.texts.catalogue import LANGUAGES
from protocol.texts.language import speaking
from protocol.texts.movements import sentences
from protocol.texts.sentences import (
    advice,
    closing,
    game_aim,
    game_summary,
    game_title,
    in_words,
    parting,
    sentence,
    shipped_games,
    worded,
)

__all__ = [
    "LANGUAGES",
    "advice",
    "card_name",
    "closing",
    "game_aim",
    "game_summary",
    "game_title",
    "in_words",
    "parting",
    "sentence",
    "sentences",
    "shipped_games",
    "speaking",
    "suit_name",
    "with_labels",
    "worded",
]
