"""Computes how long a bot of a described game may think: less, the more questions wait.

A question has a deadline from the moment it is asked, so the time in which it waits for a process
counts. Every question that is begun leaves enough time for those that wait behind it.
"""

from bots import Budget
from server.bots.job_queue import Load

MOST_SECONDS = 1.5
SAMPLES = 400
"""What a bot of a described game may use where nobody else waits: how long its playouts are, the
description decides."""
SHARE = 0.6
"""The part of the time until the deadline that is given away; the rest is for what cannot be
foreseen, such as a busy machine."""
MARGIN_SECONDS = 0.5
LEAST_SECONDS = 0.02


def described_budget(left: float, load: Load) -> Budget:
    """Return the budget of a question whose deadline is `left` seconds away.

    >>> described_budget(5.0, Load(questions=1, lane=1, processes=2, long=1))
    Budget(milliseconds=1500.0, samples=400)
    >>> described_budget(5.0, Load(questions=20, lane=2, processes=2, long=1))
    Budget(milliseconds=300.0, samples=400)
    """
    shared = SHARE * left
    # Short questions get all processes, long ones only some.
    short = min(shared * load.processes / load.questions, 0.9 * load.short_seconds)
    seconds = max(short, shared * load.long / load.questions)
    seconds = min(seconds, shared / load.lane, left - MARGIN_SECONDS, MOST_SECONDS)
    return Budget(round(1000 * max(seconds, LEAST_SECONDS), 3), SAMPLES)
