"""One table: its log, its state, and the actor that takes what happens to it, without any I/O."""
