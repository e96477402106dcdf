"""The words of the protocol's facts and errors, made where they are read."""

from protocol.texts.sentences import advice, closing, game_title, sentence, shipped_games

__all__ = ["advice", "closing", "game_title", "sentence", "shipped_games"]
