"""`blackqueen serve` on a machine whose clock is wrong by so many seconds.

Started by `python -m tests.e2e.shifted_server FLAGS --clock SECONDS`.
"""

import sys
import time


def shift(seconds: float) -> None:
    """Let the time of day be wrong from now on; how fast it goes by is right."""
    right = time.time
    time.time = lambda: right() + seconds


if __name__ == "__main__":
    at = sys.argv.index("--clock")
    shift(float(sys.argv[at + 1]))
    # Only now: some modules look at the clock when they are imported.
    from blackqueen.main import main

    sys.exit(main(["serve", *sys.argv[1:at]]))
