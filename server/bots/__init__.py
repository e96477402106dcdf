"""Bots at tables: the questions to them, and the processes in which they choose."""
