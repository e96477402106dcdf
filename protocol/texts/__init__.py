"""The words of the protocol's facts and errors, made where they are read."""

from protocol.texts.sentences import advice, closing, sentence

__all__ = ["advice", "closing", "sentence"]
