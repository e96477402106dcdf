"""What can go wrong in the lab that is not a bug, each with the exit code it ends a command with.

LabError
├── BadPlan        what is asked for cannot be played                        2
├── NoCluster      the scheduler does not answer, or its workers are gone    3
└── BadFolder      the folder cannot be used: not writable, damaged, of another command  4
"""


class LabError(Exception):
    exit_code = 1


class BadPlan(LabError):
    exit_code = 2


class NoCluster(LabError):
    exit_code = 3


class BadFolder(LabError):
    exit_code = 4
