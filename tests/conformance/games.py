"""The games under test. A new game joins the suite by a line here."""

from typing import Any

from tests.conformance.black_queen import black_queen
from tests.conformance.hearts import hearts
from tests.conformance.schnapsen import schnapsen
from tests.conformance.subject import Subject
from tests.conformance.whist import whist

# Subjects of games with different states stand in one list.
SUBJECTS: tuple[Subject[Any], ...] = (black_queen(), hearts(), whist(), schnapsen())
