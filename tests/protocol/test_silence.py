"""When a silent connection is pinged and when it is given up, by a manual clock."""

from protocol.silence import AGAIN_SECONDS, Silence, SilenceCheck

QUIET, LIMIT = 4.0, 3.0


def look(silence: Silence, now: float, heard: float) -> SilenceCheck:
    return silence.look(now, heard, heard + QUIET, LIMIT)


def test_a_silent_connection_is_asked_and_then_gone() -> None:
    """A silent connection is pinged once, at the set time, and then given up."""
    silence = Silence(0.0)
    assert look(silence, 0.0, 0.0) == SilenceCheck(4.0)
    assert look(silence, 3.5, 0.0) == SilenceCheck(0.5)
    assert look(silence, 4.0, 0.0) == SilenceCheck(3.0, asks=True)
    assert look(silence, 6.0, 0.0) == SilenceCheck(1.0)
    assert look(silence, 7.0, 0.0) == SilenceCheck(0.0, is_gone=True)


def test_whatever_comes_is_a_sign_of_life() -> None:
    """Any received data restarts the silence."""
    silence = Silence(0.0)
    looks, answered = [], []
    for now, heard in ((3.0, 2.0), (6.0, 2.0), (9.0, 8.75), (12.75, 8.75)):
        looks.append(look(silence, now, heard))
        answered.append(silence.was_answered)
    assert looks == [
        SilenceCheck(3.0),
        SilenceCheck(3.0, asks=True),
        SilenceCheck(3.75),
        SilenceCheck(3.0, asks=True),
    ]
    assert answered == [False, False, True, False]


def test_whoever_comes_too_late_to_look_reads_first_what_has_come() -> None:
    """A program that slept reads what has come before it judges the silence."""
    silence = Silence(0.0)
    look(silence, 4.0, 0.0)
    assert look(silence, 600.0, 0.0) == SilenceCheck(AGAIN_SECONDS)
    assert look(silence, 600.25, 600.0) == SilenceCheck(3.75)


def test_whoever_came_too_late_gives_up_when_nothing_has_come() -> None:
    """A program that slept gives up after one further check."""
    silence = Silence(0.0)
    look(silence, 4.0, 0.0)
    look(silence, 600.0, 0.0)
    assert look(silence, 600.25, 0.0).is_gone


def test_one_who_slept_before_they_asked_asks() -> None:
    """A program that slept before its ping sends one, and then waits for the full time."""
    silence = Silence(0.0)
    look(silence, 0.0, 0.0)
    assert look(silence, 600.0, 0.0) == SilenceCheck(3.0, asks=True)
    assert look(silence, 603.0, 0.0).is_gone
