"""What fails again and again is logged in a few lines."""

from structlog.typing import EventDict

from server.store.lease import Lease
from server.store.nodes import LeaseTimes
from server.store.outage_log import MOST_REASONS, OutageLog


def test_a_long_outage_is_two_lines(log_events: list[EventDict]) -> None:
    """A long outage is logged in two lines, and one for each new reason, up to a limit."""
    now = 100.0
    outage = OutageLog("failed", "well_again", Lease("a", LeaseTimes(), lambda: now))
    outage.over()
    for _ in range(2):
        for _ in range(300):
            outage.failed("away")
            now += 0.1
        outage.failed("it is starting up")
        outage.failed("away")
        outage.over()
        outage.over()
    assert [(each["event"], each.get("reason")) for each in log_events] == [
        ("failed", "away"),
        ("failed", "it is starting up"),
        ("well_again", None),
    ] * 2
    assert {(each["seconds"], each["count"]) for each in log_events[2::3]} == {(30.0, 302)}
    log_events.clear()
    for number in range(300):
        outage.failed(f"process {number}")
    assert len(log_events) == MOST_REASONS
