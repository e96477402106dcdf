"""Small descriptions for tests: one that works, and some that do not."""

HIGH = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR)) (SUIT (SUN, MOON)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc PILE)))))))
 (scoring max (size (filter ((current player) vloc PILE) 'C (== (cardatt SUIT 'C) SUN)))))
"""
"""Everybody lays down four cards; suns count."""

MOVES = 8

MOONS = HIGH.replace("(cardatt SUIT 'C) SUN", "(cardatt SUIT 'C) MOON")
"""The same, but moons count."""

STUCK = HIGH.replace(
    "(all player 'P (== (size ('P iloc HAND)) 0))", "(== (game sto NEVER) 1)"
).replace("(do ((shuffle", "(do ((set (game sto NEVER) 0) (shuffle")
"""When all cards are laid there is nothing to choose from."""

BROKEN = "(game (setup (create players 2)) (stage playr (end 1)))"
"""Wrong in several ways."""

ENDLESS = HIGH.replace(
    "  (choice",
    "  (stage player (end (== (game sto N) 1)) (do ((set (game sto N) 2))))\n  (choice",
)
"""A stage in it goes round for ever."""

CROWD = HIGH.replace("(create deck", "(repeat 1000000 (create deck").replace(
    "(SUIT (SUN, MOON))))", "(SUIT (SUN, MOON)))))"
)
"""Eight million cards."""

DEEP = "(game " + "(do (" * 50_000

HEAVY = HIGH.replace(
    "  (choice",
    "  (do ((all (range 1 .. 100000) 'R (inc (game sto N) (size ((current player) iloc HAND))))))\n"
    "  (choice",
)
"""A great deal is worked out before every choice."""

LARGE = HIGH.replace(
    "(stage player (end (all",
    "(do (" + "(inc (game sto N) 1) " * 2_300 + "))\n (stage player (end (all",
)
"""About as many forms as a description may have."""
