"""The server: sockets, sessions, tables and the store. ARCHITECTURE.md shows its folders."""
