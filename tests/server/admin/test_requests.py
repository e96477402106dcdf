"""Requests of administrators: valid lines, and the errors for others."""

import json
import re

import pytest

from server.admin.answers import Announced, answer_line
from server.admin.requests import (
    ACTS,
    AnyRequest,
    Ban,
    CloseTable,
    KickPlayer,
    Status,
    parse_request,
)
from server.admin.views import LINES, LISTS
from server.nodes.admin_errors import UNKNOWN_PLAYER, AdminError


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        (b'{"act":"status"}\n', Status()),
        (b'{"act":"kick","player":"Ann"}\n', KickPlayer(player="Ann")),
        (
            b'{"act":"ban","subject":"192.0.2.1","hours":1.5,"reason":"spam"}',
            Ban(subject="192.0.2.1", hours=1.5, reason="spam"),
        ),
        (b'{"act":"close","table":"K7QX2"}', CloseTable(table="K7QX2")),
    ],
)
def test_a_line_is_a_request(line: bytes, request_: AnyRequest) -> None:
    """A line is a request, with defaults for what is left out."""
    assert parse_request(line) == request_


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\n", "one line of JSON"),
        (b"status\n", "one line of JSON"),
        (b"\xff\xfe\n", "one line of JSON"),
        (b"[" * 15_000 + b"\n", "one line of JSON"),
        (b"[]\n", "'act' must be one of status, tables"),
        (b'{"act":"shutdown"}\n', "'act' must be one of status, tables"),
        (b'{"act":["kick"]}\n', "'act' must be one of status, tables"),
        (b'{"act":"kick"}\n', "field 'player' of kick is missing"),
        (b'{"act":"kick","player":""}\n', "'player' of kick"),
        (b'{"act":"kick","player":"Ann","hours":3}\n', "field 'hours' of kick is not known"),
        (b'{"act":"ban","subject":"Ann","hours":0}\n', "'hours' of ban"),
        (b'{"act":"ban","subject":"Ann","hours":NaN}\n', "'hours' of ban"),
        (b'{"act":"ban","subject":"Ann","hours":1e300}\n', "'hours' of ban"),
        (b'{"act":"announce","text":" "}\n', "must not be blank"),
        (b'{"act":"announce","text":"one\\ntwo"}\n', "'text' of announce"),
        (b'{"act":"announce","text":"\\u001b[2J"}\n', "'text' of announce"),
        (b'{"act":"announce","text":"' + b"x" * 501 + b'"}\n', "at most 500 characters"),
    ],
)
def test_a_line_that_is_no_request_says_why(line: bytes, words: str) -> None:
    """The error for an invalid line names the field, without the whole line."""
    with pytest.raises(AdminError, match=re.escape(words)) as refused:
        parse_request(line)
    assert len(str(refused.value)) < 400


def test_answers_are_lines_of_json() -> None:
    """Answers are lines of JSON with a stable code."""
    told = {"ok": True, "answer": {"clients": 3, "failed": []}}
    assert json.loads(answer_line(Announced(clients=3))) == told
    refused = json.loads(answer_line(AdminError(UNKNOWN_PLAYER, "there is no player 'Zoe'")))
    assert refused == {"ok": False, "code": "unknown_player", "reason": "there is no player 'Zoe'"}
    assert answer_line(Announced(clients=3)).count(b"\n") == 1


def test_every_act_has_a_view() -> None:
    """The command can show the answer to every kind of request."""
    assert sorted(ACTS) == sorted({**LINES, **LISTS})
