"""Tables to draw and to play at, written as a hand of cards: ``zones={"hand/0": "2C QS"}``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from client_cli.text import Line, Look, plain
from engine.cards import FRENCH
from engine.choices import Choices, Pick
from engine.facts import Fact, Move, Seat, Value
from engine.labels import Label
from engine.views import View, Zone
from protocol.client_events import TableEvent
from protocol.message import Phase
from protocol.mirror import TableMirror
from protocol.to_client import Event, Question, SeatInfo, TableInfo
from protocol.to_server import SettingsInfo

CODE = "K7Q2X"
WIDE = Look(width=79)
NARROW = Look(width=59)
ASCII = Look(width=79, symbols=False)


def human(
    name: str,
    *,
    ready: bool = True,
    away: bool = False,
    stand_in: bool = False,
    program: str = "",
) -> SeatInfo:
    return SeatInfo(
        kind="human", name=name, ready=ready, away=away, stand_in=stand_in, program=program
    )


def bot(name: str, strength: int = 2) -> SeatInfo:
    return SeatInfo(kind="bot", name=name, strength=strength)


FREE = SeatInfo(kind="empty")
ANN_AND_BOTS = (human("Ann"), bot("Blaise"), bot("Carl"))


def pile(words: str) -> Zone:
    """A pile of cards and backs: ``QS ? ?`` is a queen over two cards nobody sees."""
    tokens = words.split()
    return Zone(tuple(token for token in tokens if token != "?"), tokens.count("?"))


def table(
    *,
    seats: Sequence[SeatInfo] = ANN_AND_BOTS,
    seat: Seat | None = 0,
    zones: Mapping[str, str] | None = None,
    values: Mapping[str, Value] | None = None,
    facts: tuple[Fact, ...] = (),
    to_act: tuple[Seat, ...] = (),
    actions: tuple[str, ...] = (),
    texts: tuple[str, ...] = (),
    labels: tuple[Label, ...] = (),
    picks: tuple[Pick, ...] = (),
    turn: int = 7,
    clock: float | None = None,
    reserve: tuple[int, ...] = (),
    phase: Phase = "playing",
    host: Seat | None = 0,
    match: int = 1,
    hints: bool = True,
    seq: int = 20,
) -> TableMirror:
    """A table of Black Queen; the player to move has the choices `actions` and `picks`."""
    choices = Choices(actions, picks, texts) if actions or picks else None
    return TableMirror(
        table=CODE,
        seq=seq,
        seat=seat,
        info=TableInfo(
            table=CODE,
            game="black_queen",
            version=1,
            title="Black Queen",
            phase=phase,
            host=host,
            seats=tuple(seats),
            options={"deals": 4, "columns": 2},
            settings=SettingsInfo(hints=hints),
            match=match,
        ),
        view=View({name: pile(words) for name, words in (zones or {}).items()}, values or {}),
        facts=facts,
        question=Question(turn=turn, to_act=to_act, choices=choices, clock=clock, reserve=reserve),
        legend=FRENCH,
        labels=labels,
    )


def played(seat: Seat, card: str) -> Fact:
    return Fact(
        "card_played", {"seat": seat, "card": card}, (Move(f"hand/{seat}", "trick", (card,)),)
    )


def event(after: TableMirror, *facts: Fact, before: TableMirror | None = None) -> TableEvent:
    """The event that led to `after`."""
    told = Event(table=after.table, seq=after.seq, facts=facts)
    return TableEvent(after, told, before or replace(after, seq=after.seq - 1))


ANNS_TURN = table(
    zones={
        "deck": "",
        "trick": "4C KC",
        "hand/0": "2C 9C TC 4D QS AH",
        "hand/1": "? ? ?",
        "hand/2": "? ? ? ? ?",
        "column/0/1": "? JC",
        "column/0/2": "5H",
        "column/1/1": "? QH",
        "column/1/2": "?",
        "column/2/1": "",
        "column/2/2": "? TD",
        "taken/0": "",
        "taken/1": "2D 3D",
        "taken/2": "QS 3H 2H",
    },
    values={
        "leader": 1,
        "turn": (0,),
        "points/0": 0,
        "points/1": 0,
        "points/2": -14,
        "deal": 2,
        "total/0": 5,
        "total/1": -30,
        "total/2": 10,
    },
    facts=(played(1, "4C"), played(2, "KC")),
    to_act=(0,),
    actions=("play 2C", "play 9C", "play TC", "play JC@1"),
)
"""Ann is the third to play; clubs were led."""


def text_of(lines: Sequence[Line]) -> str:
    """Lines as unstyled text between line breaks, as golden texts are written."""
    return f"\n{plain(lines)}\n"
