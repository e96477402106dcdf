"""A chosen seed in the terminal: shown in lists and at the table, and before joining."""

from dataclasses import replace
from pathlib import Path

import pytest

from client_cli.lobby_view import draw_lobby, draw_tables
from client_cli.seating import take_seat
from client_cli.spoken_lists import spoken_lobby, spoken_tables
from client_cli.table_view import title_lines
from engine.facts import Fact
from protocol.connection import connect
from protocol.errors import ProtocolError
from protocol.features import SEEDED
from protocol.lines import finished_record
from protocol.mirror import TableMirror
from protocol.texts.language import speaking
from protocol.to_server import CreateTable
from tests.client_cli.tables import WIDE, table, text_of
from tests.server.socket_server import open_socket_server

WHY = (
    "These cards were chosen: whoever opened this table plays on from a match or has picked the "
    "deal, and may know every hand."
)


def seeded(facts: tuple[Fact, ...] = ()) -> TableMirror:
    here = table(phase="lobby", facts=facts)
    return replace(here, info=here.info.model_copy(update={"seeded": True}))


def test_it_is_told_in_lists_and_at_the_table() -> None:
    """A chosen seed is shown and spoken in both languages, and is in the JSON result."""
    here = seeded()
    assert "Black Queen, chosen cards" in text_of(draw_tables([here.info], WIDE))
    assert "chosen cards" in spoken_tables([here.info])[0]
    assert "· chosen cards ─" in text_of(title_lines(here, WIDE))
    assert WHY in " ".join(text_of(draw_lobby(here, WIDE)).split())
    assert WHY in spoken_lobby(here)
    with speaking("de"):
        assert "ausgesuchte Karten" in text_of(draw_tables([here.info], WIDE))
    over = seeded(facts=(Fact("match_ended", {"totals": (1, 2, 3), "ranks": (1, 2, 3)}),))
    record = finished_record(over)
    assert record is not None
    assert record["seeded"] is True


async def test_a_person_is_asked_before_they_sit_down(tmp_path: Path) -> None:
    """A person must confirm before joining a table with a chosen seed; a program need not."""
    async with (
        open_socket_server(tmp_path, allow_seeds=True) as server,
        connect(server.url, name="Ann") as ann,
        connect(server.url, name="Bob", wanted=(SEEDED,)) as bob,
        connect(server.url, name="Cid", program="a bot") as cid,
    ):
        code = (await ann.ask(CreateTable, game="hearts", seed=7)).table
        assert code is not None
        asked: list[str] = []
        says = "no"

        async def ask(question: str) -> str:
            asked.append(question)
            return says

        with pytest.raises(ProtocolError, match="chose the seed"):
            await take_seat(bob, code, None, ask)
        says = "yes"
        assert await take_seat(bob, code, None, ask) == code
        assert len(asked) == 2
        assert WHY in asked[0]
        assert await take_seat(cid, code, None) == code
