"""Commands that no single table handles: the lists, opening a table, watching, chat."""
