"""The log of a real finished match, and what the Python client makes of it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.views import View
from protocol.codec import codec_for
from protocol.mirror import TableMirror
from protocol.replaying import TableLog
from protocol.to_client import TO_CLIENT, LogPage
from protocol.to_server import Log
from protocol.version import JSON
from protocol.wire_form import WireForm, wire_form
from server.names import Player
from server.table.clocks import Timing
from server.tables.table_logs import TableLogs
from tests.client_web.transcripts import recorded

PAGE = 40
"""Entries of a page: so few that each log has some."""


@dataclass(frozen=True)
class ToldLog:
    """A log as `reader` is told it: its pages, and the table after each of its entries."""

    reader: str
    seat: int | None
    pages: list[WireForm]
    log: TableLog


async def told_logs(folder: Path, game: str, seed: int) -> list[ToldLog]:
    """A match's log for a stranger, of every seat, and as some of the players saw it."""
    async with recorded(folder, game, seed) as (server, match):
        asked = [("zoe", seat) for seat in (None, *range(match.seats))]
        # Of those who came first, a host who stays; the last one may have taken somebody's seat.
        players = list(dict.fromkeys(sent.player for sent in match.sent))
        asked += [(player, None) for player in {players[0], players[-1]}]
        pasts = TableLogs(server.store, server.library, Timing(), _at_once)
        return [await _told(pasts, match.code, reader, seat) for reader, seat in asked]


def plain_picture(mirror: TableMirror) -> WireForm:
    """The parts of a picture that are compared."""
    picture: Any = wire_form(
        {
            "seq": mirror.seq,
            "seat": mirror.seat,
            **_view(mirror.view),
            "facts": len(mirror.facts),
            "turn": mirror.question.turn,
            "to_act": mirror.question.to_act,
            "names": mirror.names,
            "phase": mirror.info.phase,
        }
    )
    plain: WireForm = json.loads(json.dumps(picture))
    return plain


def plain_view(view: View) -> WireForm:
    """A view as the page keeps it."""
    plain: WireForm = json.loads(json.dumps(wire_form(_view(view))))
    return plain


def _view(view: View) -> dict[str, Any]:
    zones = {name: {"cards": zone.cards, "backs": zone.backs} for name, zone in view.zones.items()}
    return {"zones": zones, "values": view.values}


async def _at_once(seconds: float) -> None:
    """A pace at which nobody waits for a turn."""


async def _told(pasts: TableLogs, code: str, reader: str, seat: int | None) -> ToldLog:
    codec = codec_for(JSON)
    pages: list[WireForm] = []
    read: list[LogPage] = []
    after = 0
    while not read or after < read[-1].last:
        command = Log(id=1, table=code, after=after, size=PAGE, seat=seat)
        form = await pasts.log(command, Player(reader, reader), frozenset())
        page = codec.load(codec.encode_message(form))
        pages.append(page)
        told = TO_CLIENT.validate_python(page)
        assert isinstance(told, LogPage)
        read.append(told)
        after += len(told.entries)
    return ToldLog(reader, seat, pages, TableLog(read))
