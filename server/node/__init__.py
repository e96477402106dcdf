"""What a server needs that shares its database with other nodes: leases, moving tables, their rows.

`server.node_server` alone puts it together; nothing that players use imports it.
"""
