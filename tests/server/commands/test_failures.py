"""The answers to commands that raised."""

import pytest
from structlog.testing import capture_logs

from engine.errors import EngineError, IllegalAction
from protocol.errors import ProtocolError
from protocol.to_server import Devices
from server.commands.failures import answer_to
from server.store.errors import StoreUnavailable


class _Newer(EngineError):
    code = "of_a_newer_game"


@pytest.mark.parametrize(
    ("error", "code", "logged"),
    [
        (ProtocolError("unknown_table", "there is no table"), "unknown_table", []),
        (IllegalAction("you must follow"), "illegal_action", []),
        (_Newer("no"), "internal", []),
        (StoreUnavailable("the disk is full"), "try_again", ["store_failed"]),
        (KeyError("QS"), "internal", ["command_failed"]),
    ],
)
def test_a_command_that_raised_is_answered_by_the_kind_of_its_error(
    error: Exception, code: str, logged: list[str]
) -> None:
    """A refusal keeps its code; an internal error is logged, without its message to players."""
    with capture_logs() as logs:
        answer = answer_to(Devices(id=7), error)
    assert (answer["id"], answer["code"]) == (7, code)
    assert [log["event"] for log in logs] == logged
    assert not logged or str(error) not in answer["reason"]
