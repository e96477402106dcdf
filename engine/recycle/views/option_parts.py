"""Options in parts: which cards go from where to where, which values are chosen.

An option's parts tell no more than its action does (`action_texts`): the place of a card that the
chooser cannot see, and values beside its moves, are parts only where the action has to tell them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.choices import MovedCards, Parts, Way
from engine.facts import Seat
from engine.recycle.syntax import Kind
from engine.recycle.views.action_texts import MOST_DETAIL
from engine.recycle.views.deed import CardsMoved, Deed
from engine.recycle.views.option_words import Deeds
from engine.recycle.views.telling import NO_PILE


def option_parts(
    choice: Deeds, details: Sequence[int]
) -> tuple[tuple[Way, ...], tuple[Parts, ...]]:
    """The ways and parts of the options of a choice, with as much detail as their actions have."""
    parting = _Parting(choice.common, choice.differ)
    parts = [parting.parts(deed, at) for deed, at in zip(choice.each, details, strict=True)]
    if len(set(parts)) < len(parts):
        parts = [*_numbered(_with_bound(choice.each, parts))]
    return tuple(parting.ways), tuple(parts)


def _with_bound(deeds: Sequence[Deed], parts: Sequence[Parts]) -> Iterator[Parts]:
    """The `parts`, with what the player chooses added where they are alike."""
    counts = Counter(parts)
    for deed, each in zip(deeds, parts, strict=True):
        yield _chosen(deed, each) if counts[each] > 1 else each


def _chosen(deed: Deed, parts: Parts) -> Parts:
    seats, words, numbers, cards = [*parts.seats], [*parts.words], [*parts.numbers], [*parts.cards]
    for kind, value in deed.bound:
        match kind:
            case Kind.PLAYER:
                seats.append(value)
            case Kind.CARD | Kind.CARDS if not deed.moves:
                cards += deed.seen_cards(value)
            case Kind.INTEGER:
                numbers.append(value)
            case Kind.STRING:
                words.append(deed.said(value))
    return replace(
        parts,
        seats=tuple(dict.fromkeys(seats)),
        words=tuple(dict.fromkeys(words)),
        numbers=tuple(dict.fromkeys(numbers)),
        cards=tuple(cards),
    )


def _numbered(parts: Iterable[Parts]) -> Iterator[Parts]:
    """The `parts`, numbered where they are alike."""
    told = list(parts)
    counts, seen = Counter(told), Counter[Parts]()
    for each in told:
        seen[each] += 1
        yield replace(each, nth=seen[each]) if counts[each] > 1 else each


class _Parting:
    """Tells of options that set the values `common` alike; `ends` if cards go to several piles."""

    def __init__(self, common: frozenset[str], ends: bool) -> None:
        self.common = common
        self.ends = ends
        self.ways: dict[Way, int] = {}
        self._titles: dict[tuple[str, str, bool, bool], str] = {}

    def parts(self, deed: Deed, detail: int) -> Parts:
        """The parts of one option, with as much detail as its action has."""
        if any(move.source.name == NO_PILE for move in deed.moves):
            # Nobody can point at a card of which nobody knows where it lies.
            return Parts(self._way(Way(deed.words(frozenset(), ends=False))))
        if not deed.moves:
            titles, seats, words, numbers = _values(deed, self.common)
            title = ", ".join(titles) or deed.words(frozenset(), ends=False)
            return Parts(self._way(Way(title)), (), (), seats, words, numbers)
        first, *others = (self._moved(deed, move, detail) for move in deed.moves)
        parts = Parts(first.way, first.cards, first.backs, then=tuple(others))
        if detail < MOST_DETAIL:
            return parts
        _, seats, words, numbers = _values(deed, frozenset())
        return replace(parts, seats=seats, words=words, numbers=numbers)

    def _moved(self, deed: Deed, move: CardsMoved, detail: int) -> MovedCards:
        ends = self.ends or len(deed.moves) > 1
        source, target = move.source.name, move.target.name
        like = source, target, all(move.cards), ends
        title = self._titles.get(like)
        if title is None:
            title = self._titles[like] = deed.way(move, ends=ends)
        way = Way(title, source, target)
        unseen = zip(move.places, move.cards, strict=True)
        backs = tuple(place for place, card in unseen if not card) if detail else ()
        return MovedCards(self._way(way), tuple(card for card in move.cards if card), backs)

    def _way(self, way: Way) -> int:
        return self.ways.setdefault(way, len(self.ways))


class _Values(NamedTuple):
    titles: tuple[str, ...]
    seats: tuple[Seat, ...]
    words: tuple[str, ...]
    numbers: tuple[int, ...]


def _values(deed: Deed, left_out: frozenset[str]) -> _Values:
    """The values that an option sets and their names, without those `left_out`."""
    titles: list[str] = []
    seats: list[Seat] = []
    words: list[str] = []
    numbers: list[int] = []
    for key, owner, value in deed.sets.values():
        if deed.value(key, owner, value) in left_out:
            continue
        titles.append(deed.title(key, owner))
        seat = deed.player(key, value)
        if seat is not None:
            seats.append(seat)
        elif isinstance(value, int):
            numbers.append(value)
        else:
            words.append(deed.told(key, value))
    return _Values(tuple(dict.fromkeys(titles)), tuple(seats), tuple(words), tuple(numbers))
