"""Bots for any game, which know its rules only through its `Game` object."""
