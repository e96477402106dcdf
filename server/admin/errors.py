"""Why a request of an administrator was not carried out.

AdminError            with a stable ``code``
├── BadRequest        not one line of JSON with a request in it, or a field that cannot be used
├── UnknownPlayer     nobody with this id or name is known here
├── AmbiguousPlayer   several players have this name
├── UnknownTable      there is no such table, or it is closed already
├── NotSure           the ban hits so many that it has to be confirmed
├── NotBanned         there is no such ban
├── UnknownNode       no node of this name is there
├── NoAnswer          the node did not answer in time; it may still do it
├── UnknownRequest    the node runs another version, or without `--admin`
├── CannotDrain       there is no other node to give tables to
├── NotDrained        this node gives no tables away, or does so because it stops
├── TryAgain          the database did not answer, or not in time; a part may have been done
├── NotRecorded       the audit log cannot be written, so nothing was done, or cannot be read
└── Internal          the server made a mistake; its log has it
"""


class AdminError(Exception):
    """A request was not carried out; the words say why, and what would work."""

    code = "admin_error"


class BadRequest(AdminError):
    """Not one line of JSON with a request in it, or a field that cannot be used."""

    code = "bad_request"


class UnknownPlayer(AdminError):
    """Nobody with this id or name is known here."""

    code = "unknown_player"


class AmbiguousPlayer(AdminError):
    """Several players have this name."""

    code = "ambiguous_player"


class UnknownTable(AdminError):
    """There is no such table, or it is closed already."""

    code = "unknown_table"


class NotSure(AdminError):
    """The ban hits so many that it has to be confirmed."""

    code = "not_sure"


class NotBanned(AdminError):
    """There is no such ban."""

    code = "not_banned"


class UnknownNode(AdminError):
    """No node of this name is there."""

    code = "unknown_node"


class NoAnswer(AdminError):
    """The node did not answer in time; it may still do it."""

    code = "no_answer"


class UnknownRequest(AdminError):
    """The node runs another version, or without `--admin`."""

    code = "unknown_request"


class CannotDrain(AdminError):
    """There is no other node to give tables to."""

    code = "cannot_drain"


class NotDrained(AdminError):
    """The node gives no tables away, or does so because it stops."""

    code = "not_drained"


class TryAgain(AdminError):
    """The database did not answer, or not in time; a part may have been done."""

    code = "try_again"


class NotRecorded(AdminError):
    """The audit log cannot be written, so nothing was done, or it cannot be read."""

    code = "not_recorded"


class Internal(AdminError):
    """The server made a mistake; its log has it."""

    code = "internal"


def error_of(code: str, reason: str) -> AdminError:
    """The error with a code, as a node has answered it."""
    kinds = {kind.code: kind for kind in AdminError.__subclasses__()}
    return kinds.get(code, Internal)(reason)
