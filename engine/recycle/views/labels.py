"""Labels for clients: what the zones and values of a description are called."""

from collections.abc import Iterable, Iterator

from engine.labels import Label
from engine.recycle.naming import Naming
from engine.recycle.running.program import Program
from engine.recycle.running.storage import Pile, ValueKey


def labels_of(program: Program) -> tuple[Label, ...]:
    """One label for each kind of zone or value that its name alone does not describe."""
    storage, naming = program.components.storage, program.naming
    found: dict[str, Label] = {}
    for pile in storage.named_piles():
        label = _of_pile(pile, naming)
        found.setdefault(label.kind, label)
    for key in storage.values:
        if key.store != "points" and not key.name.startswith("'"):
            label = _of_value(key, storage.value_name(key, 0), naming)
            found.setdefault(label.kind, label)
    return tuple(_needed(found.values()))


def _of_pile(pile: Pile, naming: Naming) -> Label:
    named = naming.pile(pile.key.place, pile.key.name)
    holds = "cards" if pile.marks else ""
    if pile.marks and pile.key.name in naming.hidden:
        holds = "nothing"
    return Label(_kind(pile.name), named.title, named.text, holds)


def _of_value(key: ValueKey, name: str, naming: Naming) -> Label:
    named = naming.value(key.name)
    if key.name in naming.hidden:
        return Label(_kind(name), named.title, named.text, "nothing")
    if key.store == "sto" and key.name in naming.players:
        return Label(_kind(name), named.title, named.text, "seat", naming.numbering)
    return Label(_kind(name), named.title, named.text)


def _kind(name: str) -> str:
    return name.partition("/")[0]


def _needed(labels: Iterable[Label]) -> Iterator[Label]:
    for label in labels:
        plain = label.title == label.kind.removesuffix("_team").replace("_", " ")
        if not plain or label.text or label.holds:
            yield label
