"""The problems of descriptions, and how many of them can be played."""

from collections.abc import Sequence

from engine.recycle import BadDescription, load
from engine.recycle.checking import check as problems_of
from engine.recycle.problems import Problem
from engine.recycle.reading.parser import parse


def check(text: str) -> Sequence[Problem]:
    """All problems in the order of the text; those that only compiling finds come last."""
    problems = problems_of(parse(text))
    if any(not problem.warning for problem in problems):
        return problems
    try:
        load(text, "checked")
    except BadDescription as error:
        return (*problems, *error.problems)
    return problems


class FileCounts:
    """The numbers of files, of files with errors and with warnings; `wrong` if any file is."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.files = 0
        self.with_errors = 0
        self.with_warnings = 0

    def add(self, problems: Sequence[Problem]) -> None:
        """Count one file with its problems."""
        self.files += 1
        if any(not problem.warning for problem in problems):
            self.with_errors += 1
        elif problems:
            self.with_warnings += 1

    @property
    def wrong(self) -> bool:
        """Whether a file has errors, or warnings where these count as errors."""
        return self.with_errors > 0 or (self.strict and self.with_warnings > 0)

    def __str__(self) -> str:
        good = self.files - self.with_errors
        said = f"{good} of {_count(self.files, 'description')} can be played"
        if self.with_warnings:
            said += f", {self.with_warnings} with warnings"
        return said


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
