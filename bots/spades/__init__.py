"""Players of Spades: by rules, and by playouts in worlds that the bids make likely.

bots/spades/README.md describes how they play. `bits`, `bidding`, `policy`, `knowledge` and
`rules_player` are plain Python; the others have kernels.
"""
