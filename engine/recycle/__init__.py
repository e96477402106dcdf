"""RECYCLE: card games described in a file."""
