"""Measurements of speed and memory, some with a limit: `blackqueen bench`."""
