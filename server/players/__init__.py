"""The identity of players: their tokens, their devices, and bans."""
