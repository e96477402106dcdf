"""What can be wrong with the log of a table, as one small tree.

BadLog         no server of ours has written it, or one of another version of its game
└── NewerLog   a newer version of the server has gone on with it; it is in order there
"""


class BadLog(Exception):
    code = "bad_log"


class NewerLog(BadLog):
    code = "newer_log"
