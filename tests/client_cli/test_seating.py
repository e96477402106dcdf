"""Ways to a seat: what a person is asked who has named no table."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from client_cli import seating
from client_cli.output import LineOutput
from protocol.connection import Client
from protocol.to_client import Ok, TableList
from protocol.to_server import Join, ListTables, ToServer
from tests.client_cli.tables import FREE, WIDE, human, table


class Lister:
    """A server of three tables, two a page."""

    def __init__(self) -> None:
        self.joined: list[str] = []

    async def ask(self, kind: type[ToServer], **fields: Any) -> Ok | TableList:
        if kind is Join:
            self.joined.append(fields["table"])
            return Ok(id=1)
        assert kind is ListTables
        lobby = table(phase="lobby", seats=(human("Ann"), FREE)).info
        infos = [lobby.model_copy(update={"table": f"CODE{at}"}) for at in (1, 2, 3)]
        if fields["page"] is None:
            return TableList(id=1, tables=tuple(infos[:2]), next="2")
        return TableList(id=1, tables=tuple(infos[2:]))


@pytest.mark.parametrize(
    ("typed", "joined"),
    [
        (["1"], "CODE1"),
        (["more", "1"], "CODE3"),
        (["more", "more", "2"], "CODE2"),
        (["code3"], "CODE3"),
    ],
)
async def test_a_table_of_many_is_chosen_by_what_is_shown(
    monkeypatch: pytest.MonkeyPatch, typed: list[str], joined: str
) -> None:
    """Numbers are those of the page on the screen; after the last page the first comes again."""
    words: Iterator[str] = iter(typed)
    questions: list[str] = []

    async def ask_line(question: str) -> str | None:
        questions.append(question)
        return next(words, None)

    monkeypatch.setattr(seating, "ask_line", ask_line)
    seen: list[str] = []
    lister = Lister()
    output = LineOutput(lambda: WIDE, seen.append)
    assert await seating.pick(cast(Client, lister), output, None) == joined
    assert lister.joined == [joined]
    assert ["more" in question for question in questions] == [True, False, True][: len(typed)]
