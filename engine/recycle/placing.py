"""Where piles of a description are laid, and which numbers need not be shown.

What no annotation says is guessed from what the description does with a pile: where its cards come
from, whether players choose to move them there, and whether they are swept together afterwards.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.layout import HAND, HIDDEN, PILE, ROW, SLOTS, TRICK
from engine.recycle import syntax
from engine.recycle.checking.annotations import annotations_of
from engine.recycle.checking.placed import Id, Placed
from engine.recycle.checking.places import Holder, keys, piles
from engine.recycle.checking.scopes import Scope, Seen, seen
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Report
from engine.recycle.reading.parser import Parsed
from engine.recycle.syntax import Kind


@dataclass(frozen=True, slots=True)
class Placing:
    """The places of piles, and what the numbers of some names mean.

    `counted` ones count something, so that a 0 says something; `flags` are 1 for yes, 0 for no.
    """

    piles: Mapping[Id, Placed] = field(default_factory=dict)
    counted: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()

    def pile(self, sort: str, name: str) -> Placed:
        """The place of the piles of a kind and name; a row if nothing is known of them."""
        return self.piles.get(Id(sort, name)) or Placed(ROW)


NO_PLACING = Placing()


def placing_of(parsed: Parsed) -> Placing:
    """The layout that a description without errors implies."""
    assert parsed.game is not None
    nodes = tuple(seen(parsed.game))
    found = annotations_of(parsed, Report(parsed.text, TEXT_LIMITS.problems))
    counted = dict.fromkeys(_counted(nodes), True) | found.zeros
    guess = _Guess(nodes)
    places = {
        id: found.placed.get(id) or found.placed.get(Id("", id.name)) or placed
        for id, placed in guess.places()
    }
    return Placing(
        {id: replace(placed, over=guess.known(placed.over)) for id, placed in places.items()},
        frozenset(name for name, worth in counted.items() if worth),
        _flags(nodes),
    )


def _counted(nodes: Iterable[Seen]) -> Iterator[str]:
    """The numbers that are counted while the game goes on, and not only at its end."""
    for here in nodes:
        match here.node:
            case syntax.ChangeInt(syntax.IntStorage(name=syntax.Name(text))):
                if any(isinstance(node, syntax.Stage) for node in here.around):
                    yield text


def _flags(nodes: Iterable[Seen]) -> frozenset[str]:
    """The numbers that are only set to 0 or 1, and are no score."""
    flags: set[str] = set()
    others: set[str] = set()
    for here in nodes:
        match here.node:
            case syntax.SetInt(syntax.IntStorage(name=syntax.Name(text)), value):
                flag = isinstance(value, syntax.Integer) and value.value <= 1
                (flags if flag else others).add(text)
            case syntax.ChangeInt(syntax.IntStorage(name=syntax.Name(text))):
                others.add(text)
            case syntax.IntStorage(name=syntax.Name(text)):
                if any(isinstance(node, syntax.Scoring) for node in here.around):
                    others.add(text)
    return frozenset(flags - others)


class _Guess:
    """The uses of a game's piles: `sources` are the piles from which cards of each come.

    `played` are the piles that are used after dealing, `chosen` those to which choices move cards,
    and `swept` those that cards leave one by one for every player.
    """

    def __init__(self, nodes: tuple[Seen, ...]) -> None:
        self.holders: dict[Id, Holder] = {}
        self.played: set[Id] = set()
        self.numbered: set[Id] = set()
        self.chosen: set[Id] = set()
        self.swept: set[Id] = set()
        self.sources: dict[Id, set[Id]] = {}
        for here in nodes:
            match here.node:
                case syntax.Location() | syntax.Indexed():
                    self._pile(here.node, here)
                case syntax.Move():
                    self._move(here.node, here)

    def _pile(self, node: syntax.Location | syntax.Indexed, here: Seen) -> None:
        for key in keys(node, here.scope) or ():
            id = Id(key.sort, key.name)
            self.holders.setdefault(id, key.holder)
            if any(isinstance(outer, syntax.Stage) for outer in here.around):
                self.played.add(id)
            if isinstance(node, syntax.Indexed) or node.index != syntax.Integer(value=0):
                self.numbered.add(id)

    def _move(self, move: syntax.Move, here: Seen) -> None:
        sources = set(_ids(move.card, here.scope))
        in_choice = any(isinstance(node, syntax.Choice) for node in here.around)
        for target in _ids(move.target, here.scope):
            self.sources.setdefault(target, set()).update(sources)
            if in_choice:
                self.chosen.add(target)
        repeated = any(isinstance(node, syntax.Repeat | syntax.RepeatAll) for node in here.around)
        by_player = any(
            isinstance(node, syntax.ForEach) and node.collection.kind is Kind.PLAYERS
            for node in here.around
        )
        if by_player and not repeated and not in_choice:
            self.swept |= sources

    def places(self) -> Iterator[tuple[Id, Placed]]:
        """The place of each pile."""
        owned = [id for id, holder in self.holders.items() if holder == "a player"]
        hand = next((id for id in owned if id.name == "HAND"), None) or next(
            (id for id in owned if id.sort == "iloc" and id not in self.numbered), None
        )
        slots = [id for id in owned if id in self.numbered]
        covered = [id for id in slots if id.sort == "hloc"]
        for id in self.holders:
            if id in slots:
                over = covered[0] if len(covered) == 1 and id.sort == "vloc" else None
                yield id, Placed(SLOTS, over=over)
            elif id in self.numbered:
                yield id, Placed(ROW)
            elif id not in owned:
                # Once the cards are dealt nobody minds the rest.
                idle = id.sort == "hloc" and id not in self.played
                yield id, Placed(HIDDEN if idle else PILE)
            else:
                yield id, Placed(HAND if id == hand else self._of_player(id))

    def known(self, id: Id | None) -> Id | None:
        """The piles that an annotation may name without their kind."""
        if id is None or id in self.holders:
            return id
        return next((each for each in self.holders if each.name == id.name), None)

    def _of_player(self, id: Id) -> str:
        if self._is_trick(id):
            return TRICK
        sources = self.sources.get(id, set())
        won = bool(sources) and all(self._is_trick(source) for source in sources)
        return PILE if id.sort == "hloc" or won else ROW

    def _is_trick(self, id: Id) -> bool:
        """Whether each player plays a card to the pile, and all of them are swept together."""
        played = id in self.chosen and id in self.swept and id not in self.numbered
        return played and id.sort == "vloc" and self.holders.get(id) == "a player"


def _ids(card: syntax.Card, scope: Scope) -> Iterator[Id]:
    for node, inner in piles(card, scope):
        for key in keys(node, inner) or ():
            yield Id(key.sort, key.name)
