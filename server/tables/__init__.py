"""All tables: those in memory and those in the store, their effects, and who follows them."""
