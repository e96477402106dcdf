"""The games that a server knows: native games, those of a folder, and those of stored tables."""
