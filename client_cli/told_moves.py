"""Moves in the words of the game: as they are shown, and typed."""

from client_cli.card_labels import CardLabels
from client_cli.names import seat_names
from client_cli.text import Line, clean
from engine.cards import LegendCard
from engine.choices import Action
from protocol.mirror import TableMirror
from protocol.texts import in_words
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
    """The only move whose words are those that a person has typed; case does not matter."""
    words = typed.casefold().split()
    legends: tuple[tuple[LegendCard, ...], ...] = (table.legend, ())
    found = {
        action
        for action, text in zip(table.choices.actions, told_texts(table.choices), strict=True)
        for legend in legends
        if text and in_words(text, legend, table.names, table.seat).casefold().split() == words
    }
    return found.pop() if len(found) == 1 else None
