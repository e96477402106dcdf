"""Commands that belong to no single table: the lists, opening a table, watching, chat."""
