"""Types make a game give every fact an audience: mypy refuses one that forgets it."""

from pathlib import Path

import pytest

from tests.type_errors import type_errors

PREAMBLE = """
from engine.facts import AddressedFact, Fact, Lay
from engine.facts import addressed, only, private, public, seen_by, to_others
from engine.game import Step
from engine.views import fold

def step(*facts: AddressedFact) -> Step[int]:
    return Step(1, facts)

made = public("laid", {}, (Lay({"deck": 1}),))
told = Fact("laid")
"""
RIGHT = (
    'step(public("laid"), private(1, "drawn", {"seat": 1}), to_others((1, 2), "drawn"))',
    'step(addressed(only(0, 1), "drawn"))',
    "fold(seen_by((made,), 0))",
    "AddressedFact(told, only(1))",
)
WRONG = {
    "step(told)": 'incompatible type "Fact"; expected "AddressedFact"',
    "Step(1, (told,))": 'incompatible type "tuple[Fact]"; expected "tuple[AddressedFact, ...]"',
    "AddressedFact(told)": 'Missing positional argument "audience"',
    'private("drawn", {"seat": 1})': 'incompatible type "str"; expected "int"',
    "fold((made,))": 'incompatible type "tuple[AddressedFact]"; expected "Iterable[Fact]"',
    'Fact("drawn", {}, (), only(1))': 'incompatible type "int"; expected "str"',
}


@pytest.mark.timeout(180)
def test_a_fact_without_an_audience_does_not_type_check(tmp_path: Path) -> None:
    """mypy reports each way to leave out a fact's audience or to send an unfiltered fact."""
    found = type_errors(tmp_path, PREAMBLE, [*RIGHT, *WRONG])
    assert [found[line] for line in RIGHT] == [[]] * len(RIGHT)
    for line, words in WRONG.items():
        assert any(words in error for error in found[line]), found[line]
