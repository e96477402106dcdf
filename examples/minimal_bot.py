"""A whole bot: it plays a card that is as low as can be.

    python minimal_bot.py ws://localhost:8765 black_queen

Without a game it waits for the next open table, and takes a seat there.
"""

import sys

from blackqueen.client import Turn, play


class MinimalBot:
    """Decides one turn at a time."""

    def choose(self, turn: Turn) -> str:
        """The first action, which is mostly the lowest card; anything where cards are picked."""
        return turn.choices.actions[0] if turn.choices.actions else turn.random_action()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print(play(sys.argv[1], MinimalBot(), game=sys.argv[2] if len(sys.argv) > 2 else None))
