"""Every line that is logged for a command has its trace id."""

import io
import json
from pathlib import Path
from typing import Any

import structlog
from structlog.typing import EventDict

from server.names import CommandKey
from server.ops.logs import configure
from server.ops.tracing import (
    CAUSE,
    caused_by,
    trace_id,
)
from tests.server.client import TestClient
from tests.server.harness import open_server

KEY = CommandKey("p-1", "laptop", 17)


def id_of(client: TestClient, command: int) -> str:
    """The trace id of a client's command."""
    return trace_id(CommandKey(client.player, client.client_id, command))


def ids(lines: list[EventDict], event: str, **fields: Any) -> list[str | None]:
    """The trace ids of the lines of an event."""
    return [
        line.get("trace_id")
        for line in lines
        if line["event"] == event and fields.items() <= line.items()
    ]


def test_an_id_is_that_of_the_commands_name() -> None:
    """A command's trace id is equal in every process and differs from all others."""
    assert trace_id(KEY) == trace_id(CommandKey(*json.loads(json.dumps(KEY)))) == trace_id((*KEY,))
    assert len(bytes.fromhex(trace_id(KEY))) == 16
    others = [("p-1", "laptop", 18), ("p-1", "laptop1", 7), ("p-", "1laptop", 17)]
    assert len({trace_id(KEY), *map(trace_id, others)}) == 4
    assert trace_id(None) == ""


def test_a_line_names_the_trace_in_whose_block_it_is() -> None:
    """Lines within the block of a trace have its id, lines of libraries too."""
    out = io.StringIO()
    configure("json", stream=out)
    log = structlog.get_logger()
    with caused_by(KEY):
        log.info("inside")
        with caused_by(None):
            log.info("elsewhere")
    log.info("outside")
    told = [json.loads(line).get("trace_id") for line in out.getvalue().splitlines()]
    assert told == [trace_id(KEY), None, None]


async def test_a_command_has_one_id(tmp_path: Path, traced_lines: list[EventDict]) -> None:
    """A command has one id, from its answer to the log and the bots' moves after it."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        (hello,) = ids(traced_lines, "player_welcomed")
        code = await ann.open_table(game="black_queen", seats=3)
        await ann.ask("start", table=code, fill=0)
        started = ids(traced_lines, "command_answered", message_type="start")
        assert started == ids(traced_lines, "started")
        await server.play(code, 3, ann)
        answered = ids(traced_lines, "command_answered", message_type="act")
        assert answered == [id_of(ann, number) for number in [*ann.answers][-3:]]
        assert answered == ids(traced_lines, "act", seat=0)
        cause, bots = started[0], 0
        for line in traced_lines:
            if line["event"] == "act" and line["seat"] == 0:
                cause = line["trace_id"]
            elif line["event"] == "act":
                bots += 1
                assert line["trace_id"] == cause
        assert bots >= 2
        assert hello not in (None, *started, *answered)
    assert CAUSE.get() is None


async def test_what_fails_is_logged_with_the_id_of_the_command(
    tmp_path: Path, traced_lines: list[EventDict]
) -> None:
    """Failures are logged with the command's id: a full disk, a refusal, an internal error."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea", settings={"turn_seconds": 20})
        # What is only a matter of time is for no command.
        await server.wait(1000.0)
        assert ids(traced_lines, "timed_out")
        assert {*ids(traced_lines, "timed_out"), *ids(traced_lines, "act")} == {None}
        server.store.broken = True
        mover = ann if ann.tables[code].my_turn else bea
        action = mover.tables[code].choices.actions[0]
        turn = mover.tables[code].question.turn
        assert (await mover.ask("act", table=code, turn=turn, action=action))["code"] == "try_again"
        expected = [id_of(mover, max(mover.answers))]
        assert ids(traced_lines, "commit_failed") == expected
        assert ids(traced_lines, "command_refused", message_type="act") == expected
        server.store.broken = False

        def fault(*command: object) -> None:
            raise ValueError("QS")

        server.table(code).command = fault  # type: ignore[method-assign, assignment]
        await mover.ask("undo", table=code)
        assert ids(traced_lines, "command_failed") == [id_of(mover, max(mover.answers))]
