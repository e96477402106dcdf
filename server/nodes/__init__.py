"""What a server needs that shares its database with other nodes: leases, moving tables, their rows.

`server.node_server` puts it together, and `server.game_server` what administrators do, which a
server alone does by itself; nothing that players use imports it.
"""
