"""The statistics lab: many games of one kind played by bots, and statistics of the game."""
