"""`blackqueen recycle`: tools for descriptions of games."""
