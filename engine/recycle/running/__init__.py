"""A compiled description in play: `world.World` drives it, the other modules are its parts."""
