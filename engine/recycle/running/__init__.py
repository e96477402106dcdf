"""A compiled description in play: `world.World` runs it, the other modules are its parts."""
