"""All tables: in memory and in the store, their effects, and the connections that follow them."""
