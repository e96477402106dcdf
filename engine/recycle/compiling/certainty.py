"""Whether the chooser knows all effects of a choice's options before choosing.

That holds if nothing is drawn and nothing reads a card that the chooser may not see. Then options
can be put into words as they were found. A doubt only costs time (`views.telling`).
"""

from collections.abc import Mapping, Sequence

from engine.recycle import syntax
from engine.recycle.syntax import Node

_DRAWS = (syntax.Random, syntax.Shuffle, syntax.ExtremeCard)
_Pile = syntax.Location | syntax.Indexed


def is_certain(choice: syntax.Choice, game: syntax.Game) -> bool:
    """Whether the chooser knows everything that the options of `choice` read and do."""
    declared = [node for each in game.declarations for node in syntax.walk(each.value)]
    return all(_certain([*syntax.walk(option), *declared]) for option in choice.options)


def _certain(nodes: Sequence[Node]) -> bool:
    """Whether the chooser knows everything that the nodes of one option read and do."""
    if any(isinstance(node, _DRAWS) for node in nodes):
        return False
    turns = any(isinstance(node, syntax.Cycle) and node.when == "current" for node in nodes)
    unread = _unread(nodes)
    read = {
        at: node
        for at, node in enumerate(nodes)
        if isinstance(node, _Pile) and id(node) not in unread
    }
    dealt = _dealt(nodes, read)
    return not any(
        node.place != "vloc" and id(node) not in dealt and not _is_own(node, turns)
        for node in read.values()
    )


def _dealt(nodes: Sequence[Node], read: Mapping[int, syntax.Location | syntax.Indexed]) -> set[int]:
    """The piles from which a card is moved to a place that nobody reads afterwards.

    If no loop or variable repeats the nodes, only later nodes count as reads.
    """
    again = any(isinstance(node, syntax.ForEach | syntax.Let | syntax.Repeat) for node in nodes)
    found: set[int] = set()
    for at, node in enumerate(nodes):
        match node:
            case syntax.Move(card=syntax.CardAt(cards=syntax.Location() as pile), target=target):
                later = (other for place, other in read.items() if again or place > at)
                if pile.place != "mem" and not any(
                    other is not pile and _may_be_one(target.cards, other) for other in later
                ):
                    found.add(id(pile))
    return found


def _unread(nodes: Sequence[Node]) -> set[int]:
    """The piles whose cards' places nobody reads.

    These piles are only counted, or receive cards or marks.
    """
    unread: set[int] = set()
    for node in nodes:
        match node:
            case (
                syntax.Size(collection=syntax.Location() as pile)
                | syntax.Size(collection=syntax.Slice(cards=syntax.Location() as pile))
                | syntax.Move(target=syntax.CardAt(cards=syntax.Location() as pile))
                | syntax.Remember(target=syntax.CardAt(cards=syntax.Location() as pile))
            ):
                unread.add(id(pile))
            case (
                syntax.CardAttribute(card=syntax.CardAt(cards=syntax.Location() as pile))
                | syntax.Score(card=syntax.CardAt(cards=syntax.Location() as pile))
                | syntax.Sum(cards=syntax.Location() as pile)
            ) if pile.place == "mem":
                unread.add(id(pile))
    return unread


def _may_be_one(one: Node, other: syntax.Location | syntax.Indexed) -> bool:
    """Whether two expressions may mean one pile."""
    names = [each.name for each in (one, other) if isinstance(each, _Pile)]
    plain = len(names) > 1 and all(isinstance(name, syntax.Name) for name in names)
    return not plain or names[0] == names[1]


def _is_own(pile: syntax.Location | syntax.Indexed, turns: bool) -> bool:
    """Whether the pile is certainly one that the chooser sees as its owner."""
    owner = pile.owner
    current = isinstance(owner, syntax.CyclePlayer) and owner.which == "current"
    return pile.place == "iloc" and current and not turns
