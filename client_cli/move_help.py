"""How to type a move, explained with moves that are legal now; nothing here knows a game.

Each example has been parsed as if the player had typed it.
"""

from collections.abc import Iterable, Iterator, Sequence

from client_cli.card_labels import CardLabels
from client_cli.menu import Menu, menu
from client_cli.names import count_text, kind_of, slot_of, title_of
from client_cli.tell import tell
from client_cli.text import Look, clean, paint
from client_cli.told_moves import move_told_as, told_move
from engine.cards import LegendCard, Token
from engine.choices import Action, Pick
from protocol.mirror import TableMirror
from protocol.typed import TypedError, resolve

_LETTERS = Look(symbols=False)
"""Examples have cards as they are typed."""


def how_to_move(table: TableMirror, look: Look) -> str:
    """Each way to type one of the legal moves, with an example that works."""
    if not table.choices:
        return tell("help.not_now")
    moves = menu(table.question.choices, table.view, table.seat)
    ways = [*_amounts(moves, table), *_cards(moves, table), *_others(moves, table)]
    ways += [_picking(pick, moves, table) for pick in moves.picks]
    *more, last = (clean(way, look) for way in ways)
    return tell("help.ways", more=", ".join(more), last=last) if more else last


def _amounts(moves: Menu, table: TableMirror) -> Iterator[str]:
    for verb, amounts in moves.amounts.items():
        amount = amounts[:3][-1]
        action = f"{verb} {amount}"
        alone = _means(amount, action, table)
        yield tell("help.amount", move=action, amount=amount) if alone else action


def _cards(moves: Menu, table: TableMirror) -> Iterator[str]:
    """Examples with cards: by number on the table, by name, by place."""
    actions = table.choices.actions
    if actions and not moves.amounts:
        yield tell("help.number")
    in_hand: list[Token] = []
    elsewhere: dict[str, str] = {}
    for (zone, token), number in moves.numbers.items() if actions else ():
        name = f"{token}@{slot_of(zone)}" if slot_of(zone) else token
        if not _means(name, actions[number - 1], table):
            continue
        if slot_of(zone):
            place = f"{title_of(kind_of(zone), table, Look())} {slot_of(zone)}"
            elsewhere[name] = tell("help.card_from", card=name, place_name=place)
        else:
            in_hand.append(token)
    yield from (tell("help.card", card=token) for token in _clearest(in_hand, table.legend)[:1])
    yield from list(elsewhere.values())[:1]


def _others(moves: Menu, table: TableMirror) -> Iterator[str]:
    labels = CardLabels(table.legend, _LETTERS)
    for _, action in moves.others[:1]:
        said = paint(told_move(action, table, labels), _LETTERS)
        yield tell("help.words", move=said if move_told_as(said, table) == action else action)


def _picking(pick: Pick, moves: Menu, table: TableMirror) -> str:
    count = count_text(pick.least, pick.most)
    some = _clearest(pick.cards, table.legend)[: max(1, pick.least)]
    example = " ".join([pick.verb, *some])
    told = tell("help.pick", count=count, most=pick.most, example=example)
    if not moves.numbers or table.choices.actions:
        return told
    numbers = " ".join(str(at + 1) for at in range(len(some)))
    return tell("help.by_numbers", way=told, numbers=numbers)


def _means(typed: str, action: Action, table: TableMirror) -> bool:
    try:
        return resolve(typed, table.choices, table.legend) == action
    except TypedError:
        return False


def _clearest(cards: Iterable[Token], legend: Sequence[LegendCard]) -> list[Token]:
    """`cards`, with those first that are typed as they are shown: QS is Q♠, but TC is 10♣."""
    ranks = {card.token: card.label.replace(card.group, "") for card in legend}
    return sorted(cards, key=lambda token: not token.startswith(ranks.get(token, token)))
