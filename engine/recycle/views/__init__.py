"""What players are shown: their view of a game, the facts of a step, the texts of their options."""
