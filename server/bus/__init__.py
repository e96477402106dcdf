"""The bus: how the roles of a process reach each other.

`bus.py` is the interface, and `local.py` keeps it within one process.
"""
