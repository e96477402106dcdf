"""Options in words for people: ``play {card QS}``, ``ask {seat 2}, rank seven``.

An action (`action_texts`) identifies an option for ever; these words may change with every
release. They say what a player would: cards before anything else, otherwise the values that make
the options of a choice different. Where cards go is said if not everybody sees them there, or if
the options differ in it; whatever else an option does is said where two would read alike. Of a card
that the chooser cannot see, words tell no more than the actions do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine.facts import SPECTATOR, Seat
from engine.recycle.running.operations import Ops
from engine.recycle.running.program import Option
from engine.recycle.running.world import World
from engine.recycle.views.action_texts import option_text
from engine.recycle.views.deed import Deed
from engine.recycle.views.grammar import third_person
from engine.recycle.views.telling import Telling


def choice_words(choice: "Deeds") -> tuple[str, ...]:
    """The words for the options of a choice, each different."""
    deeds, common, differ = choice
    words = [deed.words(common, ends=differ, brief=True) for deed in deeds]
    alike: dict[str, list[int]] = {}
    for at, text in enumerate(words):
        alike.setdefault(text, []).append(at)
    for group in alike.values():
        if len(group) > 1:
            told_apart = _told_apart([deeds[at] for at in group], differ)
            for at, text in zip(group, told_apart, strict=True):
                words[at] = text
    return tuple(words)


class Deeds(NamedTuple):
    """What the options of a choice do, the values that all of them set, and whether targets differ.

    None of those values is chosen; where the targets differ, the words say where cards go.
    """

    each: Sequence[Deed]
    common: frozenset[str]
    differ: bool


def deeds_of(telling: Telling) -> Deeds:
    """The deeds of the options, as their chooser is told."""
    world = telling.world
    seat = telling.seat
    deeds = [Deed(world, told.ops, seat, seat, told.whole) for told in telling.told]
    if world.program.version > 1:
        for deed, told in zip(deeds, telling.told, strict=True):
            deed.option = told.option
    return Deeds(deeds, _shared_values(deeds), _targets_differ(deeds))


def done_words(world: World, option: Option, ops: Ops, seat: Seat) -> tuple[str, str]:
    """The words for what `seat` has done as everybody knows it: for that seat, and for the others.

    Behind "You" and behind a player's name they are a sentence.
    """
    deed = Deed(world, ops, seat, SPECTATOR)
    deed.option = option
    return deed.done(), deed.done(third_person)


def _targets_differ(deeds: Iterable[Deed]) -> bool:
    return len({deed.target for deed in deeds if deed.goes_unsaid}) > 1


def _shared_values(deeds: Iterable[Deed]) -> frozenset[str]:
    sets = [deed.values.keys() for deed in deeds if not deed.moves and deed.values]
    return frozenset(set.intersection(*map(set, sets))) if len(sets) > 1 else frozenset()


def _told_apart(deeds: Sequence[Deed], ends: bool) -> list[str]:
    """The words of options that read alike, with as little detail added as makes them differ."""
    common = _common_values(deeds)
    ways: tuple[Callable[[Deed], str], ...] = (
        lambda deed: deed.words(common, ends=True, brief=True),
        lambda deed: deed.words(common, ends=ends, origins=True),
        lambda deed: deed.words(common, ends=True),
        lambda deed: deed.words(common, ends=ends, more=True),
        lambda deed: deed.words(common, ends=True, more=True),
        lambda deed: deed.words(frozenset(), ends=True, more=True, places=True),
    )
    if any(deed.unseen for deed in deeds):
        # Values may come from an unseen card: words tell them only where the actions do.
        actions = {deed: option_text(deed.world, deed.ops, deed.seat, detail=1) for deed in deeds}
        counted = Counter(actions.values())
        if len(counted) > 1:
            ways = (
                ways[0],
                lambda deed: deed.words(common, ends=True, places=True),
                lambda deed: deed.words(
                    common, ends=True, places=True, more=counted[actions[deed]] > 1
                ),
            )
    for way in ways:
        words = [way(deed) for deed in deeds]
        if len(set(words)) == len(words):
            return words
    words = _with_bound(deeds, words, common, ends)
    counts, seen = Counter(words), Counter[str]()
    for at, deed in enumerate(deeds):
        if counts[words[at]] > 1:
            brief = deed.words(common, ends=ends)
            seen[brief] += 1
            words[at] = f"{brief} ({seen[brief]})"
    return words


def _with_bound(
    deeds: Sequence[Deed], words: Sequence[str], common: frozenset[str], ends: bool
) -> list[str]:
    """The `words`, with what the player chooses added where they are alike."""
    counts = Counter(words)
    told = list(words)
    for at, deed in enumerate(deeds):
        if counts[words[at]] > 1 and (chosen := deed.chosen()):
            told[at] = ", ".join((deed.words(common, ends=ends), *chosen))
    taken = Counter(told)
    return [new if taken[new] == 1 else old for new, old in zip(told, words, strict=True)]


def _common_values(deeds: Sequence[Deed]) -> frozenset[str]:
    return frozenset(set.intersection(*(set(deed.values) for deed in deeds)))
