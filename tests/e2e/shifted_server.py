"""Starts `blackqueen serve` with a clock that is wrong by a number of seconds.

Started by `python -m tests.e2e.shifted_server FLAGS --clock SECONDS`.
"""

import sys
import time


def shift(seconds: float) -> None:
    """Shift the time of day from now on; the monotonic clock stays right."""
    right = time.time
    time.time = lambda: right() + seconds


if __name__ == "__main__":
    at = sys.argv.index("--clock")
    shift(float(sys.argv[at + 1]))
    # Only now: some modules look at the clock when they are imported.
    from blackqueen.main import main

    sys.exit(main(["serve", *sys.argv[1:at]]))
