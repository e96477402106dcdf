"""The games that a server knows: its own, those of a folder, and those of stored tables."""
