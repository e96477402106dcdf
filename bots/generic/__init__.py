"""Players of any game: they know its rules only through the `Game` object they are given."""
