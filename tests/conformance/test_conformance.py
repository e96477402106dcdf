"""Every game of the catalogue keeps every promise of the suite, and the suite can fail."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import GAMES
from engine.errors import EngineError
from engine.game import Option
from tests.conformance.checks import CHECKS, Check
from tests.conformance.faults import Faults, some_setups
from tests.conformance.secrets import Leak, check_secrets
from tests.conformance.subject import Subject
from tests.counts import count
from tests.games.catalogue import BROKEN, SUBJECTS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@settings(max_examples=count(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_game_keeps_its_promises(
    check: Check, subject: Subject[Any], data: st.DataObject, seed: int
) -> None:
    """Every check of the suite holds for each game, from any setup and under random play."""
    check(subject, data.draw(subject.setups), Random(seed))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_game_is_found_by_its_id(subject: Subject[Any]) -> None:
    """A game's folder in the tests, its subject and its entry in the catalogue have one name."""
    assert GAMES.game(subject.name).info == subject.game.info


@pytest.mark.parametrize("game", BROKEN)
def test_a_game_is_tried_under_all_its_options(game: str) -> None:
    """The setups of a subject vary every option, and every word of an option comes up."""
    setups = some_setups(BROKEN[game].subject)
    for option in options_of(game):
        drawn = {setup.options[option.name] for setup in setups}
        assert len(drawn) > 1, option.name
        assert drawn >= set(option.words), option.name


@pytest.mark.parametrize("game", BROKEN)
def test_the_rules_page_names_all_options(game: str) -> None:
    """The rules page of a game names all of its options, since players look them up there."""
    page = GAMES.game(game).info.rules
    missing = [option.name for option in options_of(game) if f"`{option.name}`" not in page]
    assert missing == []


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_options_are_the_same_with_any_number_of_players(game: str) -> None:
    """Only the defaults and bounds of options depend on the number of players."""
    (same,) = {
        tuple(
            (option.name, option.title, option.words) for option in GAMES.game(game).options(seats)
        )
        for seats in GAMES.game(game).info.seats
    }
    assert same


def options_of(game: str) -> tuple[Option, ...]:
    """The options that a table of this game has, whatever its number of players."""
    return GAMES.game(game).options(GAMES.game(game).info.usual_seats)


LEAKS = [
    pytest.param(faults, variant, id=f"{game}-{variant.__name__}")
    for game, faults in BROKEN.items()
    for variant in faults.leaky
]
OTHERS = [
    pytest.param(faults, check, variant, id=f"{game}-{check.__name__}-{variant.__name__}")
    for game, faults in BROKEN.items()
    for check, variant in faults.faulty
]


@pytest.mark.parametrize(("faults", "leaky"), LEAKS)
def test_two_worlds_betray_every_leak(faults: Faults, leaky: type[Any]) -> None:
    """For each leaky variant some pair of worlds shows the leak."""
    with pytest.raises(Leak):
        faults.run(check_secrets, leaky)


@pytest.mark.parametrize(("faults", "check", "faulty"), OTHERS)
def test_every_other_check_can_fail(faults: Faults, check: Check, faulty: type[Any]) -> None:
    """Each check fails for a game that breaks its promise."""
    with pytest.raises((AssertionError, EngineError)):
        faults.run(check, faulty)


def test_no_check_and_no_game_is_left_out() -> None:
    """Every game has leaky variants, and every check has a variant of some game that fails it."""
    assert all(faults.leaky for faults in BROKEN.values())
    noticed = {check for faults in BROKEN.values() for check, _ in faults.faulty}
    assert noticed | {check_secrets} == set(CHECKS)
