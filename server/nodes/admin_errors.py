"""The reasons why an administrator's act fails, here or at another node."""

BAD_REQUEST = "bad_request"
"""The request is not one line of JSON, or has a field that cannot be used."""
UNKNOWN_PLAYER = "unknown_player"
"""Nobody with this id or name is known here."""
AMBIGUOUS_PLAYER = "ambiguous_player"
"""Several players have this name."""
UNKNOWN_TABLE = "unknown_table"
"""There is no such table, or it is closed already."""
ELSEWHERE = "elsewhere"
"""Another node, or none, has the table just now; told to nodes alone, which look again."""
NOT_SURE = "not_sure"
"""The ban hits so many that it has to be confirmed."""
NOT_BANNED = "not_banned"
"""There is no such ban."""
UNKNOWN_NODE = "unknown_node"
"""No node of this name is there."""
NO_ANSWER = "no_answer"
"""The node did not answer in time; it may still do it."""
UNKNOWN_REQUEST = "unknown_request"
"""The node runs another version, or without `--admin`."""
CANNOT_DRAIN = "cannot_drain"
"""There is no other node to give tables to."""
NOT_DRAINED = "not_drained"
"""The node gives no tables away, or does so because it stops."""
TRY_AGAIN = "try_again"
"""The database did not answer, or not in time; a part may have been done."""
NOT_RECORDED = "not_recorded"
"""The audit log cannot be written, so nothing was done, or it cannot be read."""
INTERNAL = "internal"
"""The server made a mistake; its log has it."""


class AdminError(Exception):
    """The act failed; `code` is one of those above, and the message says why."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
