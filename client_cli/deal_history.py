"""The deal so far, from its facts: the last trick, and all events in order, a line a trick.

No rules are needed to know tricks: they are cards that lie in zones called `trick` until they all
leave.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from client_cli.card_labels import CardLabels
from client_cli.names import kind_of, seat_name, seat_of
from client_cli.narrator import sentences
from client_cli.tell import tell
from client_cli.text import Line, Look, Span, line, words
from engine.cards import Token
from engine.facts import Fact, Lay, Move, Seat, ZoneId
from protocol.mirror import TableMirror
from protocol.texts.movements import CHOSEN

_TRICK = "trick"


@dataclass(slots=True)
class Trick:
    """The cards of a trick in the order of play, each with its player.

    `taker` is the seat that took the trick; None while it lies, or if nobody takes it.
    """

    number: int
    cards: list[tuple[Seat | None, Token]] = field(default_factory=list)
    taker: Seat | None = None
    over: bool = False


def last_trick_lines(table: TableMirror, look: Look) -> list[Line]:
    """The lines of the last finished trick of this deal, and its taker."""
    tricks = [each for each in _happened(table.facts) if isinstance(each, Trick) and each.over]
    if not tricks:
        told = tell("deal.no_trick")
        zones = table.view.zones
        if zones and not any(kind_of(zone) == _TRICK for zone in zones):
            told = tell("deal.no_tricks")
        return words(line(Span(told, "dim")), look.width, indent=2)
    return words(_trick_line(tricks[-1], table, look), look.width, indent=2)


def history_lines(table: TableMirror, look: Look) -> list[Line]:
    """The lines of everything that has happened in this deal, in order."""
    lines: list[Line] = []
    for each in _happened(table.facts):
        if isinstance(each, Trick):
            lines.append(_trick_line(each, table, look))
        else:
            lines += sentences(each, table, look)
    if not lines:
        lines = [line(Span(tell("deal.nothing"), "dim"))]
    return [piece for each in lines for piece in words(each, look.width, indent=2)]


def _trick_line(trick: Trick, table: TableMirror, look: Look) -> Line:
    """The line of a trick: ``Trick 2: Ann 4♣, Blaise K♣. Blaise takes it.``"""
    labels = CardLabels(table.legend, look)
    told: list[str | Line | Span] = []
    for seat, card in trick.cards:
        who = "" if seat is None else f"{seat_name(table.info, seat, look)} "
        told += [", " if told else "", who, labels.card(card)]
    ends = "." if trick.over else " …" if look.symbols else " ..."
    if trick.taker is not None:
        ends = tell("deal.taken", name=seat_name(table.info, trick.taker, look))
    return line(Span(tell("deal.trick", trick=trick.number), "dim"), *told, ends)


def _happened(facts: Sequence[Fact]) -> Iterator[Trick | list[Fact]]:
    """The facts in order, with those about a trick gathered; the current trick comes last."""
    lying: dict[ZoneId, list[Token]] = {}
    trick = Trick(1)
    others: list[Fact] = []
    for at, fact in enumerate(facts):
        if not _plays(facts, at):
            others.append(fact)
            continue
        if not trick.cards and others:
            yield others
            others = []
        _follow(fact, lying, trick)
        if trick.cards and not any(lying.values()):
            trick.over = True
            yield trick
            trick = Trick(trick.number + 1)
    if others:
        yield others
    if trick.cards:
        yield trick


def _plays(facts: Sequence[Fact], at: int) -> bool:
    """Whether a fact puts cards into a trick, takes them away, or announces that."""
    fact = facts[at]
    if fact.verb == CHOSEN and not fact.changes:
        return at + 1 < len(facts) and _touches(facts[at + 1])
    return _touches(fact)


def _touches(fact: Fact) -> bool:
    return any(
        isinstance(each, Move) and _TRICK in (kind_of(each.source), kind_of(each.target))
        for each in fact.changes
    )


def _follow(fact: Fact, lying: dict[ZoneId, list[Token]], trick: Trick) -> None:
    for change in fact.changes:
        match change:
            case Lay():
                lying.clear()
            case Move(source, target, tuple(cards)):
                if kind_of(source) == _TRICK:
                    pile = lying.get(source, [])
                    lying[source] = [card for card in pile if card not in cards]
                    trick.taker = seat_of(target) if trick.taker is None else trick.taker
                if kind_of(target) == _TRICK:
                    owner = seat_of(target)
                    player = seat_of(source) if owner is None else owner
                    lying.setdefault(target, []).extend(cards)
                    trick.cards += [(player, card) for card in cards]
            case _:
                pass
