"""The terminal client: join, watch and play at tables from the command line."""
