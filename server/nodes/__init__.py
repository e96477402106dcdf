"""The parts of a server that shares its database with other nodes: leases, moving tables, rows.

`server.node_server` puts them together, and `server.game_server` the administrators' acts, which a
single server carries out itself; no part for players imports it.
"""
