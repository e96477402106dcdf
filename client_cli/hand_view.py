"""What lies in the middle and what one holds: the trick, other zones, the hand, the moves."""

from collections.abc import Sequence

from client_cli.deck import Deck
from client_cli.menu import Menu
from client_cli.names import seat_name
from client_cli.origins import kind_of, seat_of, slot_of, traced
from client_cli.text import Line, Span, clean, cut, flow, line, pad, text_width
from engine.cards import Token
from engine.facts import ZoneId
from engine.views import Zone
from protocol.mirror import TableMirror

_LEAD = 9
_LABEL = 3


def middle_lines(table: TableMirror, deck: Deck) -> list[Line]:
    """The zones that belong to nobody: piles side by side, below them what has been played.

    A pile is a stock of backs or a single card. An empty trick is shown too, it says that one
    leads.
    """
    piles: list[tuple[str, Line]] = []
    lines: list[Line] = []
    for name, zone in table.view.zones.items():
        if seat_of(name) is not None or not (len(zone) or name == "trick"):
            continue
        cards = _played(table, deck, name, zone)
        if zone.backs:
            cards.append(_backs(zone, deck))
        if len(cards) == 1 and name != "trick":
            piles.append((name, cards[0]))
        else:
            lines += _listed(name, cards or [(Span("-", "dim"),)], deck)
    return [*_side_by_side(piles, deck), *lines]


def _side_by_side(piles: Sequence[tuple[str, Line]], deck: Deck) -> list[Line]:
    if not piles:
        return []
    (first, cards), *others = piles
    named = [line(Span(clean(name, deck.look), "dim"), " ", pile) for name, pile in others]
    return _listed(first, [cards, *named], deck)


def list_lines(table: TableMirror, deck: Deck) -> list[Line]:
    """Zones of seats that have no place in the rows, such as hands laid open.

    Those of one kind that a seat has several of share a line.
    """
    lists: dict[str, list[Line]] = {}
    for name, zone in table.view.zones.items():
        seat, kind = seat_of(name), kind_of(name)
        own_hand = seat == table.seat and kind == "hand"
        if seat is None or not len(zone) or own_hand or kind == "taken":
            continue
        if (kind == "column" and slot_of(name)) or (kind == "hand" and not zone.cards):
            continue
        cards = [line(deck.card(token)) for token in deck.ordered(zone.cards)]
        if zone.backs:
            cards.append(_backs(zone, deck))
        if slot := slot_of(name):
            among = (piece for card in cards for piece in (Span(" "), *card))
            cards = [line(Span(clean(slot, deck.look), "dim"), *among)]
        owner = seat_name(table.info, seat, deck.look)
        lists.setdefault(f"{owner}, {kind}", []).extend(cards)
    return [each for name, cards in lists.items() for each in _listed(name, cards, deck)]


def hand_lines(table: TableMirror, deck: Deck, moves: Menu) -> list[Line]:
    """The own hand, a line a suit; a number stands before each card that may be played."""
    name = f"hand/{table.seat}"
    zone = table.view.zones.get(name, Zone())
    lines: list[Line] = []
    for suit in deck.suits(zone.cards):
        cards = [_choice(token, moves.numbers.get((name, token)), moves, deck) for token in suit]
        lines += flow(cards, deck.look.width, lead=_lead("hand" if not lines else ""), gap=" ")
    if zone.backs:
        lines += _listed("hand" if not lines else "", [_backs(zone, deck)], deck)
    return lines


def move_lines(table: TableMirror, deck: Deck, moves: Menu) -> list[Line]:
    """The other numbered moves: cards outside the hand, and what is no card at all."""
    lines: list[Line] = []
    for verb, amounts in moves.amounts.items():
        lines += _listed(verb, [(Span(amount, "strong"),) for amount in amounts], deck)
    by_kind: dict[str, list[Line]] = {}
    for (name, token), number in moves.numbers.items():
        if kind_of(name) != "hand":
            at = Span(f"@{clean(slot_of(name), deck.look)}" if slot_of(name) else "", "dim")
            by_kind.setdefault(kind_of(name), []).append(
                line(_numbered(number, moves), deck.card(token), at)
            )
    for kind, items in by_kind.items():
        lines += _listed(kind, items, deck)
    if moves.others:
        others = [
            line(_numbered(number, moves), deck.move(action)) for number, action in moves.others
        ]
        lines += _listed("moves", others, deck)
    for pick in moves.picks:
        count = f"{pick.least}" if pick.least == pick.most else f"{pick.least} to {pick.most}"
        among = [line(deck.card(token)) for token in pick.cards]
        if moves.numbers:
            some = " ".join(str(number + 1) for number in range(pick.most))
            among = [line(Span(f"by card or number, such as {some}", "dim"))]
        lines += _listed(f"{pick.verb} {count}", among, deck)
    return lines


def _played(table: TableMirror, deck: Deck, name: ZoneId, zone: Zone) -> list[Line]:
    """The cards in the order in which they were played, each after the name of its player."""
    known = list(traced({}, table.facts).get(name, ()))
    items: list[Line] = []
    for token in zone.cards:
        at = next((at for at, (card, _) in enumerate(known) if card == token), None)
        owner = None if at is None else known.pop(at)[1]
        who = "" if owner is None else f"{seat_name(table.info, owner, deck.look)} "
        items.append(line(who, deck.card(token)))
    return items


def _choice(token: Token, number: int | None, moves: Menu, deck: Deck) -> Line:
    """A card of the hand: numbered if it may be played, dim if others may, else plain."""
    if not moves.numbers:
        return pad((deck.card(token),), _LABEL)
    if number is None:
        blank = "" if moves.picks else "   "
        return pad(line(blank, deck.card(token, None if moves.picks else "dim")), _LABEL)
    return pad(line(_numbered(number, moves), deck.card(token)), 3 + _LABEL)


def _numbered(number: int, moves: Menu) -> Span:
    """The number by which a move can be typed; none where numbers mean something else."""
    return Span("" if moves.amounts else f"{number:2})", "strong")


def _backs(zone: Zone, deck: Deck) -> Line:
    return line(deck.back, Span(f"×{zone.backs}" if deck.look.symbols else f" x{zone.backs}"))


def _listed(name: str, items: Sequence[Line], deck: Deck) -> list[Line]:
    return flow(items, deck.look.width, lead=_lead(clean(name, deck.look)))


def _lead(name: str) -> Line:
    return pad(cut((Span(name, "dim"),), 28), max(_LEAD, text_width(name[:28]) + 1))
