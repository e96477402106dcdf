"""The errors of a table's log, as one small tree.

BadLog         no server of ours has written it, or one of another version of its game
└── NewerLog   a newer version of the server has gone on with it; it is in order there
"""


class BadLog(Exception):
    """No server of ours has written this log, or it cannot be played."""

    code = "bad_log"


class NewerLog(BadLog):
    """A newer version of the server has written to this log."""

    code = "newer_log"
