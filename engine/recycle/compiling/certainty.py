"""Whether all that the options of a choice do is known to the chooser before they choose.

It is where nothing is drawn and nothing looks at a card that the chooser may not see. Then options
can be put into words as they were found. A doubt only costs time (`views.telling`).
"""

from collections.abc import Mapping, Sequence

from engine.recycle import syntax
from engine.recycle.syntax import Node

_DRAWS = (syntax.Random, syntax.Shuffle, syntax.ExtremeCard)
_Pile = syntax.Location | syntax.Indexed


def is_certain(choice: syntax.Choice, game: syntax.Game) -> bool:
    """Whether the chooser knows everything that the options of `choice` ask for and do."""
    declared = [node for each in game.declarations for node in syntax.walk(each.value)]
    return all(_certain([*syntax.walk(option), *declared]) for option in choice.options)


def _certain(nodes: Sequence[Node]) -> bool:
    """The same for the nodes of one option."""
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
    """The piles of which a card is moved, at which nobody looks where it comes to lie.

    What is done once, on piles that no variable stands for, looks only at what is written behind.
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
    """The piles of which nobody looks where a card lies.

    They are counted, or get a card; of marks nobody asks but what is on their cards.
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
    """Whether these may be the same pile."""
    names = [each.name for each in (one, other) if isinstance(each, _Pile)]
    plain = len(names) > 1 and all(isinstance(name, syntax.Name) for name in names)
    return not plain or names[0] == names[1]


def _is_own(pile: syntax.Location | syntax.Indexed, turns: bool) -> bool:
    """Whether it is certainly a pile that the chooser sees because it is theirs."""
    owner = pile.owner
    current = isinstance(owner, syntax.CyclePlayer) and owner.which == "current"
    return pile.place == "iloc" and current and not turns
