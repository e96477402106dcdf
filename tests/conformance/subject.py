"""A game under test, and what the suite must know of it besides its rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Generic, NamedTuple, TypeVar

from hypothesis.strategies import SearchStrategy

from engine.cards import Card, Token, card_text
from engine.choices import Action
from engine.facts import OPEN, SPECTATOR, AddressedFact, Fact, Move, Seat, Viewer, ZoneId
from engine.game import Game, Setup
from engine.views import View, Zone, zone_parts
from tests.conformance.playing import Moves, Played

S = TypeVar("S")


class Sight(Enum):
    """The viewers that may see the cards of a zone."""

    NOBODY = "nobody"
    OWNER = "its owner"
    OTHERS = "every seat but its owner's, and no spectator"
    EVERYBODY = "everybody"
    OWNER_AND_FACES = "its owner, and everybody what lies face up"
    BY_FACE = "everybody what lies face up, nobody what lies face down"


class Lying(NamedTuple):
    """A card on the table, as an observer of everything would see it."""

    token: Token
    face_up: bool


def face_up(cards: Iterable[Card]) -> list[Lying]:
    return [Lying(card_text(card), True) for card in cards]


def face_down(cards: Iterable[Card]) -> list[Lying]:
    return [Lying(card_text(card), False) for card in cards]


class World(NamedTuple, Generic[S]):
    """A game and the setup it starts from.

    `moves` replace hidden moves that differ from those of the other world.
    """

    game: Game[S]
    setup: Setup
    moves: Moves | None = None

    def moves_or(self, moves: Moves) -> Moves:
        """The moves of this world, or `moves` if it has none of its own."""
        return moves if self.moves is None else self.moves


@dataclass(frozen=True)
class Subject(Generic[S]):
    """A game for the suite.

    `sights` says, independently of the game's view, who may see which kind of zone.
    `lying` reads from the raw state where every card lies, bottom to top. `books` are pairs that
    must agree in any open view: what its values say was won, and what its cards say. `plausible`
    are actions to try whether or not they are offered, and `grammar` says whether one is well
    formed. `scramble` gives a second world, in which what a viewer cannot know at the given step is
    dealt differently, and `rebuild` the world that reaches a given state by equal moves.
    `unseen` says whether an action is hidden from others, so that in their world it may be a
    different one. `announced` is what the rules tell everybody at a state, beside the visible
    cards. `rare_facts` have the verbs that random play hardly ever reaches.
    """

    name: str
    game: Game[S]
    setups: SearchStrategy[Setup]
    sights: Mapping[str, Sight]
    lying: Callable[[S], Mapping[ZoneId, Sequence[Lying]]]
    pack: Callable[[Setup], Counter[Token]]
    books: Callable[[View], tuple[object, object]]
    plausible: Callable[[S], Iterable[Action]]
    grammar: Callable[[Action], bool]
    scramble: Callable[[Played[S], int, Viewer, Random], World[S]]
    rebuild: Callable[[Game[S], Played[S], int, S], World[S]]
    unseen: Callable[[Action], bool] = lambda action: False
    announced: Callable[[S], object] = lambda state: None
    rare_facts: Callable[[], Iterable[Fact]] = tuple

    def permitted(self, state: S, viewer: Viewer) -> dict[ZoneId, Zone]:
        """The zones as the table of sights alone lets `viewer` see them."""
        return {zone: self._zone(zone, lying, viewer) for zone, lying in self.lying(state).items()}

    def passed(self, facts: Iterable[AddressedFact]) -> list[tuple[Token, ...] | int]:
        """The cards that were visible to everybody, if only until the next of these facts."""
        changes = (change for fact, _ in facts for change in fact.changes)
        moves = (change for change in changes if isinstance(change, Move))
        return [move.cards for move in moves if self._is_open(move.source, move.target)]

    def _is_open(self, *zones: ZoneId) -> bool:
        return any(self.sights[zone_parts(zone)[0]] is Sight.EVERYBODY for zone in zones)

    def _zone(self, name: ZoneId, lying: Sequence[Lying], viewer: Viewer) -> Zone:
        kind, owner, _ = zone_parts(name)
        sight = self.sights[kind]
        seen = tuple(card.token for card in lying if _sees(sight, owner, card.face_up, viewer))
        return Zone(seen, len(lying) - len(seen))


def _sees(sight: Sight, owner: Seat | None, face_up: bool, viewer: Viewer) -> bool:
    if viewer == OPEN:
        return True
    return {
        Sight.NOBODY: False,
        Sight.OWNER: viewer == owner,
        Sight.OTHERS: viewer not in (owner, SPECTATOR),
        Sight.EVERYBODY: True,
        Sight.OWNER_AND_FACES: viewer == owner or face_up,
        Sight.BY_FACE: face_up,
    }[sight]
