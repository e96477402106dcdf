"""Sockets and HTTP pages: bytes come in, are counted and parsed, and frames go out."""
