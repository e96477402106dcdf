"""Bots at tables: what they are asked, and the processes in which they choose."""
