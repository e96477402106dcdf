"""What crosses the bus between gateways and tables: requests, the parcels that answer, their bytes.

Both roles import this folder, and neither imports the other (a contract in `pyproject.toml`).
"""
