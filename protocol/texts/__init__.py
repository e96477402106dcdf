"""The words of the protocol's facts, phrases and errors, made where they are read."""

from protocol.texts.sentences import (
    advice,
    closing,
    game_title,
    parting,
    sentence,
    shipped_games,
    worded,
)

__all__ = ["advice", "closing", "game_title", "parting", "sentence", "shipped_games", "worded"]
