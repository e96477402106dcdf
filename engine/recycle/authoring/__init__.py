"""For people who write descriptions: the canonical layout, an outline of the game, a diagram."""
