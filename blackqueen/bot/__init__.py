"""`blackqueen bot`: a program's player as a client of a server."""
