"""The games that a server knows: its own, those of a folder, those of stored tables."""
