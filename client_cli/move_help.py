"""How to type a move, explained with moves that are legal now; nothing here knows a game.

Each example has been parsed as if the player had typed it.
"""

from collections.abc import Iterable, Iterator, Sequence

from client_cli.menu import Menu, menu
from client_cli.names import kind_of, slot_of
from client_cli.text import Look, clean
from engine.cards import LegendCard, Token
from engine.choices import Action, Pick
from protocol.mirror import TableMirror
from protocol.typed import TypedError, resolve

_A_NUMBER = "a number from the table"


def how_to_move(table: TableMirror, look: Look) -> str:
    """Each way to type one of the legal moves, with an example that works."""
    if not table.choices:
        return "when it is your turn; ? tells then how to type it"
    moves = menu(table.question.choices, table.view, table.seat)
    ways = [*_amounts(moves, table), *_cards(moves, table), *_others(moves)]
    ways += [_picking(pick, moves, table) for pick in moves.picks]
    *more, last = (clean(way, look) for way in ways)
    return f"{', '.join(more)} or {last}" if more else last


def _amounts(moves: Menu, table: TableMirror) -> Iterator[str]:
    for verb, amounts in moves.amounts.items():
        amount = amounts[:3][-1]
        action = f"{verb} {amount}"
        yield f"{action}, or just {amount}" if _means(amount, action, table) else action


def _cards(moves: Menu, table: TableMirror) -> Iterator[str]:
    """By the numbers on the table, by the name of a card, by the card's place."""
    actions = table.choices.actions
    if actions and not moves.amounts:
        yield _A_NUMBER
    in_hand: list[Token] = []
    elsewhere: dict[str, str] = {}
    for (zone, token), number in moves.numbers.items() if actions else ():
        name = f"{token}@{slot_of(zone)}" if slot_of(zone) else token
        if not _means(name, actions[number - 1], table):
            continue
        if slot_of(zone):
            elsewhere[name] = f"{name} from {kind_of(zone)} {slot_of(zone)}"
        else:
            in_hand.append(token)
    yield from (f"a card such as {token}" for token in _clearest(in_hand, table.legend)[:1])
    yield from list(elsewhere.values())[:1]


def _others(moves: Menu) -> Iterator[str]:
    yield from (f"words such as {action}" for _, action in moves.others[:1])


def _picking(pick: Pick, moves: Menu, table: TableMirror) -> str:
    count = str(pick.most) if pick.least == pick.most else f"{pick.least} to {pick.most}"
    cards = "card" if pick.most == 1 else "cards"
    some = _clearest(pick.cards, table.legend)[: max(1, pick.least)]
    told = f"{count} {cards}, such as {' '.join([pick.verb, *some])}"
    if not moves.numbers or table.choices.actions:
        return told
    return f"{told}, or by their numbers: {' '.join(str(at + 1) for at in range(len(some)))}"


def _means(typed: str, action: Action, table: TableMirror) -> bool:
    try:
        return resolve(typed, table.choices, table.legend) == action
    except TypedError:
        return False


def _clearest(cards: Iterable[Token], legend: Sequence[LegendCard]) -> list[Token]:
    """`cards`, first those that are shown as they are typed: QS is Q♠, but TC is 10♣."""
    ranks = {card.token: card.label.replace(card.group, "") for card in legend}
    return sorted(cards, key=lambda token: not token.startswith(ranks.get(token, token)))
