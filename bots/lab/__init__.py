"""The statistics lab: many games of one kind played by bots, and what they say about the game."""
