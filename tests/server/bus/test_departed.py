"""Who was on the bus a short time ago."""

from server.bus.departed import GONE_SECONDS, MOST_GONE, Departed
from tests.server.bus.worlds import LocalWorld


def test_who_is_gone_is_known_for_a_while() -> None:
    """Unless they come back; of many that come and go, the latest."""
    now = 50.0
    world = LocalWorld()
    departed = Departed(world.join("here"), lambda: now)
    for name in ("one", "two"):
        world.join(name)
    assert departed.since() == {}
    world.kill("one")
    now += 10.0
    world.kill("two")
    assert departed.since() == {"one": 50.0, "two": 60.0}
    world.join("one")
    assert departed.since() == {"two": 60.0}
    now += GONE_SECONDS
    assert departed.since() == {}
    for number in range(MOST_GONE + 2):
        world.join(f"p{number}")
        world.kill(f"p{number}")
    assert list(departed.since())[:: MOST_GONE - 1] == ["p2", f"p{MOST_GONE + 1}"]
