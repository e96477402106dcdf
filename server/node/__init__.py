"""The tables' end of the bus: it carries out what gateways ask, and tells them what happens.

`ports.py` has the ports of the bus, `commands.py` hands commands to tables and the lobby,
`arrivals.py` brings players who come in up to date at their tables, and `role.py` puts it together.
"""
