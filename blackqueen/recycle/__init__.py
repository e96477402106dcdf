"""`blackqueen recycle`: look at descriptions of games."""
