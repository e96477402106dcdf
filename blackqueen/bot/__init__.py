"""`blackqueen bot`: a bot as a client of a server."""
