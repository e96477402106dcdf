"""Who players are: what their tokens say, their devices, and who may not come in."""
