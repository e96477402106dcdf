"""Short lines for cards that move without a verb of their own.

A described game says what moves and not what it means: ``10♣ 3♥ → Ann's taken``. What a
player has just announced is not told again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from client_cli.names import kind_of, seat_name, seat_of, slot_of, title_of
from client_cli.text import Look, clean
from engine.cards import Token
from engine.facts import Fact, ZoneId
from protocol.mirror import TableMirror

MOVED, CHOSEN = "cards_moved", "option_taken"


@dataclass(frozen=True, slots=True)
class Movements:
    """Successive movements to one place; `hidden` counts the backs among them."""

    target: ZoneId
    sources: tuple[ZoneId, ...]
    cards: tuple[Token, ...]
    hidden: int


def gathered(facts: Iterable[Fact]) -> Iterator[Fact | Movements]:
    """`facts` in order; successive movements to one place are joined, known ones left out."""
    said: tuple[Token, ...] = ()
    for target, group in groupby(facts, _target):
        if target is None:
            for fact in group:
                if fact.verb == CHOSEN:
                    said = tuple(str(fact.args.get("action")).split(" "))
                yield fact
            continue
        moves = _joined(target, list(group))
        if not moves.cards or not set(moves.cards) <= set(said):
            yield moves
        # Cards that have been played may move on, and no sentence has reported that.
        said = ()


def movement_text(moves: Movements, table: TableMirror, labels: Sequence[str], look: Look) -> str:
    """One line: what goes where, and from where if that is one place."""
    backs = "" if not moves.hidden else f"{moves.hidden} card{'s' if moves.hidden > 1 else ''}"
    what = " ".join(filter(None, (*labels, backs)))
    told = f"{what} {look.pick('→', '->')} {_place(moves.target, table, look)}"
    if len(moves.sources) == 1:
        told += f" from {_place(moves.sources[0], table, look)}"
    return f"{told}."


def _target(fact: Fact) -> ZoneId | None:
    target = fact.args.get("target")
    return target if fact.verb == MOVED and isinstance(target, str) else None


def _joined(target: ZoneId, facts: Sequence[Fact]) -> Movements:
    counts = (fact.args.get("count") for fact in facts)
    cards = (fact.args.get("cards") for fact in facts)
    return Movements(
        target,
        tuple(dict.fromkeys(str(fact.args.get("source")) for fact in facts)),
        tuple(card for some in cards if isinstance(some, str) for card in some.split(" ")),
        sum(count for count in counts if isinstance(count, int)),
    )


def _place(zone: ZoneId, table: TableMirror, look: Look) -> str:
    """``your hand``, ``Ann's row 2``, ``stock``."""
    title = title_of(kind_of(zone), table, look)
    name = " ".join(filter(None, (title, clean(slot_of(zone), look))))
    owner = seat_of(zone)
    if owner is None:
        return name
    if owner == table.seat:
        return f"your {name}"
    return f"{seat_name(table.info, owner, look)}'s {name}"
