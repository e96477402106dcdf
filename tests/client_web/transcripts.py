"""What real matches told their players, and the Python client's pictures for comparison."""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from bots import strengths
from protocol.lenient import read
from protocol.mirror import TableMirror
from protocol.texts import sentences
from protocol.texts.movements import TableZones
from protocol.to_client import Event, Snapshot
from protocol.wire_form import WireForm, wire_form
from server.games.folder import GameFolder
from tests.counts import count
from tests.games.catalogue import SERVER_SUBJECTS
from tests.games.server_subject import Opening
from tests.server.harness import ServerHarness, open_server
from tests.server.secrecy.recorded_match import RecordedMatch, record_matches

DESCRIBED = {"Cribbage2.rcy": 2, "Golf4.rcy": 4, "GoFish3.rcy": 3}
"""Games from files, with their seats: a show, face-down rows, questions to other players."""
PLAYED = (*SERVER_SUBJECTS, *DESCRIBED)


@dataclass(frozen=True)
class Transcript:
    """The messages about one table to one player, and the pictures that follow from them."""

    messages: Sequence[WireForm]
    pictures: Sequence[WireForm]


@asynccontextmanager
async def recorded(
    folder: Path, game: str, seed: int
) -> AsyncIterator[tuple[ServerHarness, RecordedMatch]]:
    """A recorded match with people, spectators, lost connections and wrong moves."""
    (folder / "games").mkdir()
    for name in DESCRIBED:
        text = files("engine.recycle.games").joinpath(name).read_text()
        (folder / "games" / name).write_text(text)
    hosted = GameFolder(folder / "games")
    async with open_server(folder, hosted=hosted, chat_per_minute=1000) as server:
        (match,) = await record_matches(
            server, Random(seed), [seed], _bots(game), _opening_of(game)
        )
        yield server, match


async def transcripts(folder: Path, game: str, seed: int) -> list[Transcript]:
    """The transcripts of the viewers who saw most of such a match."""
    async with recorded(folder, game, seed) as (_, match):
        pass
    heard = defaultdict[str, list[WireForm]](list)
    for sent in match.sent:
        if sent.message["type"] in ("table", "event"):
            heard[sent.player].append(json.loads(json.dumps(sent.message)))
    most = sorted(heard.values(), key=len, reverse=True)[: count(2)]
    return [Transcript(messages, [*_pictures(messages)]) for messages in most]


def _bots(game: str) -> Sequence[int]:
    return (0,) if game in DESCRIBED else strengths(game)


def _opening_of(game: str) -> Any:  # a function of the same form as those of the subjects
    if game in DESCRIBED:
        return lambda rng, number: Opening(game, DESCRIBED[game], {}, ("nonsense",))
    subject = SERVER_SUBJECTS[game]
    return lambda rng, number: subject.opening(rng, number)._replace(options=subject.short)


def _pictures(messages: Sequence[WireForm]) -> Iterator[WireForm]:
    """What the Python client sees after each message, and the sentences for its news."""
    mirror: TableMirror | None = None
    for message in messages:
        match read(message):
            case Snapshot() as snapshot:
                mirror, new = TableMirror.of(snapshot), snapshot.facts
            case Event() as event if mirror is not None and event.seq > mirror.seq:
                mirror, new = mirror.follow(event), event.facts
            case _:
                new = ()
        assert mirror is not None
        places = TableZones(mirror.title, mirror.layout, mirror.view.zones)
        told = sentences(new, mirror.names, mirror.legend, mirror.seat, places)
        zones = {
            name: {"cards": zone.cards, "backs": zone.backs}
            for name, zone in mirror.view.zones.items()
        }
        picture: Any = wire_form(
            {
                "seq": mirror.seq,
                "seat": mirror.seat,
                "zones": zones,
                "values": mirror.view.values,
                "facts": len(mirror.facts),
                "turn": mirror.question.turn,
                "to_act": mirror.question.to_act,
                "told": told,
            }
        )
        yield json.loads(json.dumps(picture))
