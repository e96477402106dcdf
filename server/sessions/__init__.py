"""The clients: outboxes, sessions, the registry of connections, and the order of expensive work."""
