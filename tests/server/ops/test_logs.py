"""The log is readable by machines and people, and reveals no cards."""

import ast
import asyncio
import io
import json
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from engine.errors import IllegalAction
from server.ops import logs
from server.ops.logs import (
    FIELDS,
    LINE_BURST,
    OTHERS,
    AllowedFields,
    FieldRefused,
    LogRateLimit,
    configure,
    describe,
)
from server.store import StoreUnavailable
from server.table.errors import BadLog

HIDDEN = ("view", "hand", "cards", "seed", "token", "action", "choices", "facts", "body", "text")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Restore the loggers, since `configure` is made to be called once in a process."""
    root = logging.getLogger()
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in OTHERS}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


def lines(out: io.StringIO) -> list[dict[str, Any]]:  # whatever was logged
    return [json.loads(line) for line in out.getvalue().splitlines()]


def card_error() -> Exception:
    """An exception whose message, cause and variables all hold a card."""
    hand = {"QS": "queen of spades"}

    def play() -> None:
        try:
            hand["KS"]
        except KeyError as missing:
            raise ValueError("QS is not among KS") from missing

    with pytest.raises(ValueError, match="QS") as raised:
        play()
    return raised.value


def test_json_line_holds_event_time_level_and_fields(out: io.StringIO) -> None:
    """Each event is one line of JSON, with an ISO time in UTC."""
    configure("json", stream=out)
    structlog.get_logger().info("table_opened", table="ABCD", tables=4)
    (line,) = lines(out)
    stamp = line.pop("timestamp")
    assert line == {"event": "table_opened", "level": "info", "table": "ABCD", "tables": 4}
    assert stamp.endswith("Z")
    assert stamp[10] == "T"


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_field_is_refused_in_tests(name: str) -> None:
    """A hidden field fails a test."""
    with pytest.raises(FieldRefused, match=name):
        AllowedFields(strict=True)(None, "info", {"event": "card_played", name: "QS"})
    assert name not in FIELDS


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_field_is_dropped_in_production(name: str, out: io.StringIO) -> None:
    """A hidden field is dropped in production, and the line says that one is missing."""
    configure("json", stream=out)
    structlog.get_logger().info("card_played", table="ABCD", **{name: "QS"})
    (line,) = lines(out)
    assert line["dropped"] == name
    assert line["table"] == "ABCD"
    assert "QS" not in out.getvalue()


@pytest.mark.parametrize("value", [("QS", "KS"), {"hand": "QS"}, ["QS"], object()])
def test_only_plain_values_are_logged(value: object, out: io.StringIO) -> None:
    """Only plain values are logged; a structure is treated as hidden."""
    with pytest.raises(FieldRefused, match="table"):
        AllowedFields(strict=True)(None, "info", {"event": "card_played", "table": value})
    configure("json", stream=out)
    structlog.get_logger().info("card_played", table=value)
    assert lines(out)[0]["dropped"] == "table"
    assert "QS" not in out.getvalue()


def test_event_is_a_name_not_a_sentence(out: io.StringIO) -> None:
    """An event must be a name, not a sentence."""
    with pytest.raises(FieldRefused, match="snake_case"):
        AllowedFields(strict=True)(None, "info", {"event": "Ann plays QS"})
    configure("json", stream=out)
    structlog.get_logger().info("Ann plays QS")
    assert lines(out)[0]["event"] == "unnamed"
    assert "QS" not in out.getvalue()


def test_tests_of_the_server_refuse_hidden_fields(
    log_events: list[structlog.typing.EventDict],
) -> None:
    """The fixture of all server tests is strict, and collects valid events."""
    structlog.get_logger().info("table_opened", table="ABCD")
    assert log_events == [{"event": "table_opened", "table": "ABCD", "log_level": "info"}]
    with pytest.raises(FieldRefused):
        structlog.get_logger().info("table_opened", hand="QS")


@pytest.mark.parametrize("form", ["json", "console"])
def test_exception_shows_places_but_no_values(form: Any, out: io.StringIO) -> None:
    """A logged exception has type, file, line and function, and no message or variables."""
    configure(form, stream=out)
    structlog.get_logger().error("command_failed", exc_info=card_error())
    text = out.getvalue()
    for told in ("builtins.ValueError", "builtins.KeyError", "test_logs.py:", "card_error"):
        assert told in text
    for hidden in ("QS", "KS", "queen"):
        assert hidden not in text


def test_exception_is_data_in_json(out: io.StringIO) -> None:
    """`log.exception` in a handler gives the exception as an object."""
    configure("json", stream=out)
    try:
        raise card_error()
    except ValueError:
        structlog.get_logger().exception("command_failed")
    exception = lines(out)[0]["exception"]
    assert exception["type"] == "builtins.ValueError"
    assert exception["cause"]["type"] == "builtins.KeyError"
    assert exception["cause"]["frames"][0].endswith(" play")


def test_exception_that_never_speaks_of_cards_keeps_its_words() -> None:
    """Exceptions of disk and database keep their messages."""
    assert describe(OSError(28, "No space left"))["message"] == "[Errno 28] No space left"
    assert describe(StoreUnavailable("database is locked"))["message"] == "database is locked"


def test_words_of_the_rules_are_not_logged() -> None:
    """The messages of the rules are not logged, since they may quote cards."""
    assert "message" not in describe(IllegalAction("'play QS': spades must be followed"))
    assert describe(BadLog("entry 5 follows entry 3"))["message"] == "entry 5 follows entry 3"


def test_group_of_exceptions_shows_each() -> None:
    """All exceptions of a group are logged."""
    told = describe(ExceptionGroup("QS", [OSError(5, "broken"), KeyError("QS")]))
    assert told["group"] == [
        {"type": "builtins.OSError", "message": "[Errno 5] broken", "frames": []},
        {"type": "builtins.KeyError", "frames": []},
    ]
    assert "QS" not in str(told)


def test_suppressed_context_stays_away() -> None:
    """A suppressed context is not logged."""

    def fail() -> None:
        try:
            raise KeyError("QS")
        except KeyError:
            raise OSError(5, "broken") from None

    with pytest.raises(OSError, match="broken") as raised:
        fail()
    assert "cause" not in describe(raised.value)


def test_auto_is_console_on_a_terminal_and_json_elsewhere(out: io.StringIO) -> None:
    """The format `auto` is lines on a terminal, and JSON elsewhere."""
    terminal = Terminal()
    configure("auto", "info", terminal)
    structlog.get_logger().info("listening", port=8765)
    configure("auto", stream=out)
    structlog.get_logger().info("listening", port=8765)
    assert lines(out)[0]["port"] == 8765
    assert "listening" in terminal.getvalue()
    assert not terminal.getvalue().startswith("{")


def test_a_terminal_shows_warnings_alone_unless_more_is_asked_for(out: io.StringIO) -> None:
    """A terminal shows warnings only, unless more is requested; a file has everything."""
    for stream in (terminal := Terminal(), out):
        configure(stream=stream)
        structlog.get_logger().info("listening", port=8765)
        structlog.get_logger().warning("numba_missing")
    assert "listening" not in terminal.getvalue()
    assert "numba_missing" in terminal.getvalue()
    assert [line["event"] for line in lines(out)] == ["listening", "numba_missing"]


def test_nobody_moves_the_cursor_or_forges_a_line(out: io.StringIO) -> None:
    """A client's text in a line cannot control a terminal or forge another line."""
    configure("console", stream=out)
    structlog.get_logger().info("refused", reason="bye\x1b[2J\n2026 [info] forged")
    logging.getLogger("websockets.server").error("bad \x1b[2J request\nforged")
    assert "\x1b[2J" not in out.getvalue()
    assert len(out.getvalue().splitlines()) == 2


def test_level_leaves_out_what_is_less_severe(out: io.StringIO) -> None:
    """Debug events do not appear at level info."""
    configure("json", "warning", out)
    log = structlog.get_logger()
    log.debug("one")
    log.info("two")
    log.warning("three")
    assert [line["event"] for line in lines(out)] == ["three"]


def test_other_loggers_come_out_in_the_same_form(out: io.StringIO) -> None:
    """Other loggers, such as websockets and Alembic, use the format with their names."""
    configure("json", stream=out)
    logging.getLogger("websockets.server").error("opening handshake failed", exc_info=card_error())
    logging.getLogger("alembic.runtime.migration").warning("unknown revision %s", "0009")
    first, second = lines(out)
    assert first["logger"] == "websockets.server"
    assert first["exception"]["type"] == "builtins.ValueError"
    assert second["event"] == "unknown revision 0009"
    assert "QS" not in out.getvalue()


@pytest.mark.parametrize("name", ["websockets.server", "sqlalchemy.engine", "asyncio"])
def test_other_loggers_never_tell_frames_or_statements(name: str, out: io.StringIO) -> None:
    """Other loggers never log frames or statements."""
    configure("json", "debug", out)
    logging.getLogger(name).debug("< TEXT 'play QS'")
    logging.getLogger(name).info("INSERT 'play QS'")
    assert out.getvalue() == ""


async def test_failing_callback_is_logged_without_its_words(out: io.StringIO) -> None:
    """A failing asyncio callback is logged without its message."""
    configure("json", stream=out)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_exception)

    def fail() -> None:
        raise card_error()

    loop.call_soon(fail)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    (line,) = lines(out)
    assert line["event"] == "callback_failed"
    assert line["exception"]["type"] == "builtins.ValueError"
    assert "QS" not in out.getvalue()


def test_addresses_can_be_left_out(out: io.StringIO) -> None:
    """Addresses can be left out of the log."""
    configure("json", stream=out)
    structlog.get_logger().info("player_welcomed", player="p1", address="192.0.2.1")
    configure("json", stream=out, addresses=False)
    structlog.get_logger().info("player_welcomed", player="p1", address="192.0.2.1")
    told, silent = lines(out)
    assert told["address"] == "192.0.2.1"
    assert "192.0.2.1" not in str(silent)
    assert silent["player"] == "p1"
    assert "dropped" not in silent


def test_log_that_nobody_reads_stops_nothing() -> None:
    """A closed pipe on stderr does not end the server."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "Broken pipe")

    configure("json", stream=Broken())
    structlog.get_logger().info("listening", port=8765)


def log_calls(path: Path) -> Iterator[tuple[int, str]]:
    """Line and field of every `log.…(event, field=…)` or `….log.…(event, field=…)` in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name))
                | ast.IfExp(body=ast.Attribute(value=ast.Name(id=name)))
            ) if name.lstrip("_") == "log":
                for keyword in node.keywords:
                    yield node.lineno, keyword.arg or "**"


def test_the_allowed_fields_are_those_that_the_server_logs() -> None:
    """Every field that the server logs is on the list of allowed ones, and no other."""
    server = Path(logs.__file__).parents[1]
    logged = [
        (f"{path.relative_to(server)}:{line}", field)
        for path in sorted(server.rglob("*.py"))
        for line, field in log_calls(path)
        if field != "exc_info"
    ]
    assert [(place, field) for place, field in logged if field not in FIELDS] == []
    assert FIELDS - {field for _, field in logged} == set()


def test_wrong_field_in_a_module_would_be_found(tmp_path: Path) -> None:
    """The search for wrong fields finds an example."""
    module = tmp_path / "module.py"
    module.write_text("log.info('card_played', table=t, hand=h)\nself._log.debug('x', **fields)\n")
    assert list(log_calls(module)) == [(1, "table"), (1, "hand"), (2, "**")]


def test_complaints_that_repeat_are_counted_and_left_out(out: io.StringIO) -> None:
    """Repeated complaints are counted by event and left out."""
    configure("json", "debug", out)
    log = structlog.get_logger()
    for _ in range(LINE_BURST + 1000):
        try:
            raise ValueError
        except ValueError:
            log.exception("request_failed")
        log.info("seated")
        log.info("connection_refused", reason="full")
        log.debug("command_refused")
    log.warning("bots_lost")
    told = Counter(line["event"] for line in lines(out))
    for name in ("request_failed", "connection_refused"):
        assert LINE_BURST <= told[name] < LINE_BURST + 500
    assert told["seated"] == told["command_refused"] == LINE_BURST + 1000
    assert told["bots_lost"] == 1


def test_the_next_line_says_how_many_are_missing() -> None:
    """After a pause the next line says how many are missing."""
    now = 10.0
    few = LogRateLimit(lambda: now)
    for _ in range(LINE_BURST):
        few(None, "error", {"event": "request_failed"})
    for _ in range(3):
        with pytest.raises(structlog.DropEvent):
            few(None, "error", {"event": "request_failed"})
    now += 1.0
    assert few(None, "error", {"event": "request_failed"})["left_out"] == 3
    assert "left_out" not in few(None, "error", {"event": "request_failed"})
