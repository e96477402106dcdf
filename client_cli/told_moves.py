"""Moves in the words of the game: as they are shown, and typed."""

from collections.abc import Container, Sequence
from functools import partial
from operator import eq

from client_cli.card_labels import CardLabels
from client_cli.names import seat_names
from client_cli.text import Line, clean
from engine.cards import LegendCard
from engine.choices import Action
from protocol.isolates import without_isolates
from protocol.mirror import TableMirror
from protocol.texts import in_words
from protocol.texts.catalogue import english
from protocol.typed import told_texts


def told_move(action: Action, table: TableMirror, labels: CardLabels) -> Line:
    """A move in the words of the game if it has any, with its cards in their colours."""
    texts = dict(zip(table.choices.actions, told_texts(table.choices), strict=True))
    text = texts.get(action, "")
    if not text:
        return labels.move(action)
    return told_words(text, table, labels)


def told_words(text: str, table: TableMirror, labels: CardLabels) -> Line:
    """Words of the game, with its players by name and its cards in their colours."""
    names = seat_names(table.info, labels.look)
    said = in_words(text, labels.named, names, table.seat)
    return labels.coloured(clean(said, labels.look))


def move_told_as(typed: str, table: TableMirror) -> Action | None:
    """The only move whose words the person has typed, in any case.

    After the verb words may be left out, but no card: ``lay 9S`` for ``lay down 9S``.
    """
    words = typed.casefold().split()
    legends: tuple[tuple[LegendCard, ...], ...] = (table.legend, ())
    said = [
        (action, _as_typed(text, legend, table).casefold().split())
        for action, text in zip(table.choices.actions, told_texts(table.choices), strict=True)
        for legend in legends
        if text
    ]
    cards = {name.casefold() for card in table.legend for name in (card.token, card.label)}
    for fits in (eq, partial(_shortened, cards=cards)):
        found = {action for action, told in said if fits(words, told)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def moves_seen(table: TableMirror) -> frozenset[str]:
    """The moves that this table offers or tells of, and their verbs, in small letters."""
    taken = (fact.args.get("action") for fact in table.facts if fact.verb == "option_taken")
    told = (_as_typed(text, (), table) for text in told_texts(table.choices))
    said = (*table.choices.actions, *taken, *told)
    moves = {str(move).casefold() for move in said if move}
    verbs = {move.partition(" ")[0] for move in moves}
    return frozenset(moves | verbs | {pick.verb.casefold() for pick in table.choices.picks})


def game_move(typed: str, table: TableMirror) -> Action | None:
    """The move of the table's game that these words are, though it may not be possible now."""
    words = " ".join(typed.casefold().split())
    moves = english().moves.get(table.info.game, {})
    return words if words in moves and "{what}" not in moves[words] else None


def _as_typed(text: str, legend: Sequence[LegendCard], table: TableMirror) -> str:
    """The words of the game with cards and players by name, without isolates."""
    return without_isolates(in_words(text, legend, table.names, table.seat))


def _shortened(typed: Sequence[str], told: Sequence[str], *, cards: Container[str]) -> bool:
    """Whether typed words are the words of a move, its first one and all cards included."""
    # One letter behind the verb is a slip.
    if not typed or typed[0] != told[0] or any(len(word) == 1 for word in typed[1:]):
        return False
    left = iter(told)
    in_order = all(word in left for word in typed)
    return in_order and all(word in typed for word in told if word in cards)
