"""The errors of the lab that are no bugs, each with its exit code.

LabError
├── NothingEnded   every game was stopped before its end                     1
├── BadPlan        the request cannot be played                              2
├── NoCluster      the scheduler does not answer, or its workers are gone    3
└── BadFolder      the folder cannot be used: not writable, damaged, of another command  4
"""


class LabError(Exception):
    """The simulation cannot go on; the message says why. The root of this tree."""

    exit_code = 1


class NothingEnded(LabError):
    """Every game was stopped before its end, so there is nothing to report."""


class BadPlan(LabError):
    """The requested simulation cannot be played."""

    exit_code = 2


class NoCluster(LabError):
    """The scheduler does not answer, or its workers are gone."""

    exit_code = 3


class BadFolder(LabError):
    """The folder cannot be used: it is not writable, damaged, or of another simulation."""

    exit_code = 4
