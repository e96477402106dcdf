"""The lines of the trick, other zones, the own hand and the moves."""

from collections.abc import Sequence

from client_cli.card_labels import CardLabels
from client_cli.menu import Menu
from client_cli.names import count_text, kind_of, seat_name, seat_of, slot_of, title_of
from client_cli.origins import traced
from client_cli.places import hand_of, is_counted, is_hidden, is_trick, place_of
from client_cli.tell import tell
from client_cli.text import Line, Span, clean, cut, flow, line, pad, text_width
from client_cli.told_moves import told_move, told_words
from engine.cards import Token
from engine.facts import Seat, ZoneId
from engine.layout import HAND, HIDDEN, PILE, SLOTS, TRICK
from engine.views import Zone
from protocol.mirror import TableMirror

_LEAD = 9
_LABEL = 3
_TOPS = 4
"""Of a pile in the middle that is higher only so many cards are shown, or one a player."""


def middle_lines(table: TableMirror, labels: CardLabels) -> list[Line]:
    """The zones that belong to nobody: piles side by side, and the played cards below them.

    A pile is a stock of backs or a single card. An empty trick is shown too, since it says that the
    player leads.
    """
    piles: list[tuple[str, Line]] = []
    lines: list[Line] = []
    for name, zone in table.view.zones.items():
        trick = is_trick(table, name)
        if seat_of(name) is not None or is_hidden(table, name) or not (len(zone) or trick):
            continue
        cards = _named(table, labels, name)
        if zone.backs:
            cards.append(_backs(zone, labels))
        title = " ".join(filter(None, (title_of(kind_of(name), table, labels.look), slot_of(name))))
        least = max(_TOPS, len(table.info.seats))
        if len(cards) > least and place_of(table, name) == PILE:
            count = Span(labels.look.pick(f"×{len(cards)}", f"x{len(cards)}"), "dim")
            cards = [(count,), *cards[-least:]]
        if len(cards) == 1 and not trick:
            piles.append((title, cards[0]))
        else:
            lines += _listed(title, cards or [(Span("-", "dim"),)], labels)
    return [*_side_by_side(piles, labels), *lines]


def _side_by_side(piles: Sequence[tuple[str, Line]], labels: CardLabels) -> list[Line]:
    if not piles:
        return []
    (first, cards), *others = piles
    named = [line(Span(clean(name, labels.look), "dim"), " ", pile) for name, pile in others]
    return _listed(first, [cards, *named], labels)


def list_lines(table: TableMirror, labels: CardLabels) -> list[Line]:
    """The zones of seats that have no place in the rows, such as open hands.

    Several zones of one kind and seat share a line.
    """
    lists: dict[str, list[Line]] = {}
    for name, zone in table.view.zones.items():
        seat, place = seat_of(name), place_of(table, name)
        own_hand = seat == table.seat and place == HAND
        if seat is None or not len(zone) or own_hand or is_counted(table, name):
            continue
        if place in (SLOTS, HIDDEN, TRICK) or (place == HAND and not zone.cards):
            continue
        cards = [line(labels.card(token)) for token in labels.ordered(zone.cards)]
        if zone.backs:
            cards.append(_backs(zone, labels))
        if slot := slot_of(name):
            among = (piece for card in cards for piece in (Span(" "), *card))
            cards = [line(Span(clean(slot, labels.look), "dim"), *among)]
        owner = seat_name(table.info, seat, labels.look)
        title = title_of(kind_of(name), table, labels.look)
        lists.setdefault(f"{owner}, {title}", []).extend(cards)
    return [each for name, cards in lists.items() for each in _listed(name, cards, labels)]


def hand_lines(table: TableMirror, labels: CardLabels, moves: Menu) -> list[Line]:
    """The player's own hand, one line per suit; each playable card has a number before it."""
    name = hand_of(table, table.seat)
    zone = table.view.zones.get(name, Zone())
    lines: list[Line] = []
    for suit in labels.suits(zone.cards):
        cards = [_choice(token, moves.numbers.get((name, token)), moves, labels) for token in suit]
        lines += flow(
            cards, labels.look.width, lead=_lead(tell("table.hand") if not lines else ""), gap=" "
        )
    if zone.backs:
        lines += _listed(tell("table.hand") if not lines else "", [_backs(zone, labels)], labels)
    return lines


def move_lines(table: TableMirror, labels: CardLabels, moves: Menu) -> list[Line]:
    """The other numbered moves: cards outside the hand, and moves without a card."""
    lines: list[Line] = []
    for verb, amounts in moves.amounts.items():
        lines += _listed(verb, [(Span(amount, "strong"),) for amount in amounts], labels)
    by_kind: dict[str, list[Line]] = {}
    for (name, token), number in moves.numbers.items():
        if place_of(table, name) != HAND:
            at = Span(f"@{clean(slot_of(name), labels.look)}" if slot_of(name) else "", "dim")
            by_kind.setdefault(kind_of(name), []).append(
                line(_numbered(number, moves), labels.card(token), at)
            )
    for kind, items in by_kind.items():
        lines += _listed(title_of(kind, table, labels.look), items, labels)
    if moves.goes and moves.numbers:
        lines += _listed(tell("table.cards_go"), [told_words(moves.goes, table, labels)], labels)
    if moves.others:
        others = [
            line(_numbered(number, moves), told_move(action, table, labels))
            for number, action in moves.others
        ]
        lines += _listed(tell("table.moves"), others, labels)
    for pick in moves.picks:
        title = f"{pick.verb} {count_text(pick.least, pick.most)}"
        if moves.numbers:
            some = " ".join(str(number + 1) for number in range(pick.most))
            told = tell("table.by_card", numbers=some).split()
            among = [line(Span(word, "dim")) for word in told]
            lines += flow(among, labels.look.width, lead=_lead(clean(title, labels.look)), gap=" ")
        else:
            lines += _listed(title, [line(labels.card(token)) for token in pick.cards], labels)
    return lines


def played_by(table: TableMirror, name: ZoneId) -> list[tuple[Token, Seat | None]]:
    """The cards of a zone in the order in which they were played, each with its player if known."""
    known = list(traced({}, table.facts).get(name, ()))
    played: list[tuple[Token, Seat | None]] = []
    for token in table.view.zones[name].cards:
        at = next((at for at, (card, _) in enumerate(known) if card == token), None)
        played.append((token, None if at is None else known.pop(at)[1]))
    return played


def _named(table: TableMirror, labels: CardLabels, name: ZoneId) -> list[Line]:
    """The cards of a zone, each after the name of its player."""
    items: list[Line] = []
    for token, owner in played_by(table, name):
        who = "" if owner is None else f"{seat_name(table.info, owner, labels.look)} "
        items.append(line(who, labels.card(token)))
    return items


def _choice(token: Token, number: int | None, moves: Menu, labels: CardLabels) -> Line:
    """A card of the hand: numbered if it may be played, dim if only others may, else plain."""
    if not moves.numbers:
        return pad((labels.card(token),), _LABEL)
    if number is None:
        blank = "" if moves.picks else "   "
        return pad(line(blank, labels.card(token, None if moves.picks else "dim")), _LABEL)
    return pad(line(_numbered(number, moves), labels.card(token)), 3 + _LABEL)


def _numbered(number: int, moves: Menu) -> Span:
    """The number by which a move can be typed; none if numbers mean something else."""
    return Span("" if moves.amounts else f"{number:2})", "strong")


def _backs(zone: Zone, labels: CardLabels) -> Line:
    return line(labels.back, Span(f"×{zone.backs}" if labels.look.symbols else f" x{zone.backs}"))


def _listed(name: str, items: Sequence[Line], labels: CardLabels) -> list[Line]:
    return flow(items, labels.look.width, lead=_lead(clean(name, labels.look)))


def _lead(name: str) -> Line:
    return pad(cut((Span(name, "dim"),), 28), max(_LEAD, text_width(name[:28]) + 1))
