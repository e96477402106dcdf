"""The clients: a connection's outbox, its session, who is connected, and whose turn it is."""
