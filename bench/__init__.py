"""Figures of speed and memory, each with its limit where it has one: `blackqueen bench`."""
