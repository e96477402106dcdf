"""One table, without any I/O: its log, its state, and the actor that handles what happens to it."""
