"""All checks of a description, one after the other."""

from engine.recycle.checking import annotations, hidden, setup, stages, storage, targets, words
from engine.recycle.limits import TEXT_LIMITS, TextLimits
from engine.recycle.problems import Problem, Report
from engine.recycle.reading.parser import Parsed

_ALWAYS = (stages.check_choices, setup.check, targets.check)
_OF_A_WHOLE = (
    stages.check_for_any_choice,
    words.check,
    storage.check,
    targets.check_owners,
    stages.check,
    hidden.check,
)
"""These compare one part of a description with the others: where something could not be read they
would blame what is right."""


def check(parsed: Parsed, limits: TextLimits = TEXT_LIMITS) -> tuple[Problem, ...]:
    """Every problem of a description, its syntax included, in the order of its text."""
    report = Report(parsed.text, limits.problems)
    if parsed.game is not None:
        broken = any(not problem.warning for problem in parsed.problems)
        for question in _ALWAYS if broken else (*_ALWAYS, *_OF_A_WHOLE):
            question(parsed.game, report, limits)
        if not broken:
            annotations.check(parsed, report)
    return tuple(
        sorted((*parsed.problems, *report.found()), key=lambda problem: problem.span.start)
    )
