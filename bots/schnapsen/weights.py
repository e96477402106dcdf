"""The weight of each feature of a card: as long as the talon lasts, and in its last trick.

Learnt in three rounds: from playouts by rules of thumb, like those of strength 1, then twice from
playouts by the weights that came of it. In the first two half of the deals were played against the
bot `sampling`, the others by the player against itself, as all were in the last, which was
`tools/learn_schnapsen.py` with its own settings. It tells how.
"""

LEADS = (
    (0.83, 0.43),  # jack
    (0.81, 0.48),  # queen
    (1.01, 0.60),  # king
    (1.35, 0.97),  # ten
    (0.62, 0.70),  # ace
    (0.00, 0.00),  # jack of trumps
    (-0.86, -0.86),  # queen of trumps
    (-0.86, -0.80),  # king of trumps
    (-1.18, -0.51),  # ten of trumps
    (-1.71, -1.01),  # ace of trumps
    (1.15, 0.13),  # marriage
    (0.17, -1.70),  # royal marriage
    (0.48, 1.70),  # winning marriage
    (-0.90, -0.29),  # partner out
    (-0.30, -1.16),  # higher out
    (-0.46, -0.23),  # lower out
    (-0.16, 0.60),  # none out
    (0.94, -0.63),  # top
    (0.38, 0.73),  # unbeatable
    (6.06, -0.46),  # beaten
    (-2.23, -0.45),  # beaten value
    (0.14, -0.69),  # winning
    (-7.80, -1.74),  # losing
    (-0.29, -0.12),  # under ace
    (0.41, 0.31),  # trump and trumps
    (-0.01, 1.59),  # trump and trumps out
    (-0.14, -0.20),  # trump and tops
    (-1.15, -0.13),  # couple kept
    (3.68, 2.88),  # holds and couple
    (1.99, -2.14),  # holds and turned
    (-0.58, -1.03),  # holds and royals
    (-3.02, -6.67),  # holds and need
    (0.85, -5.64),  # holds and bar
    (1.23, -0.48),  # holds and tops
    (1.37, -1.55),  # holds and trumps
    (1.05, 1.43),  # holds and trumps out
)
ANSWERS = (
    (1.71, -0.26),  # jack
    (1.69, 0.16),  # queen
    (1.66, 0.29),  # king
    (0.46, -0.49),  # ten
    (-0.60, -0.61),  # ace
    (-1.16, -0.40),  # jack of trumps
    (-0.83, -0.09),  # queen of trumps
    (-1.19, 0.14),  # king of trumps
    (-1.20, -0.23),  # ten of trumps
    (-0.53, 1.49),  # ace of trumps
    (0.00, 0.00),  # jack that takes
    (-0.83, 2.63),  # queen that takes
    (-0.42, 2.44),  # king that takes
    (1.49, 3.77),  # ten that takes
    (2.07, 3.59),  # ace that takes
    (-1.52, 3.41),  # jack of trumps that takes
    (0.09, 3.19),  # queen of trumps that takes
    (0.57, 2.94),  # king of trumps that takes
    (0.68, 3.31),  # ten of trumps that takes
    (-0.53, 1.49),  # ace of trumps that takes
    (-2.98, -0.61),  # couple broken
    (-0.88, -0.28),  # partner out
    (0.22, 0.50),  # higher out
    (-0.37, -0.13),  # lower out
    (-0.22, -1.16),  # ten bared
    (-0.30, -0.53),  # trump and trumps out
    (-2.49, -1.12),  # losing
    (-0.05, -0.17),  # nearly losing
    (1.61, 0.29),  # winning
    (3.67, 1.21),  # takes value
    (-0.31, 0.79),  # takes in suit
    (0.28, -1.15),  # takes first
    (0.78, 0.82),  # takes and couple
    (0.76, -1.24),  # takes and turned
    (0.25, 0.07),  # takes and royals
    (0.17, -2.05),  # takes and need
    (-0.05, -2.66),  # takes and bar
    (0.24, -0.32),  # takes and tops
    (0.17, -0.47),  # takes and trumps
    (0.33, 0.69),  # takes and trumps out
)
