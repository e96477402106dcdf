"""Options in words for people: ``play {card QS}``, ``ask {seat 2}, rank seven``.

An action (`action_texts`) identifies an option for ever; these words may change with every
release. They say what a player would: cards before anything else, otherwise the values that make
the options of a choice different. Where cards go is said if not everybody sees them there, or if
the options differ in it; whatever else an option does is said where two would read alike. Of a card
that the chooser cannot see, words tell no more than the actions do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.cards import Token
from engine.facts import EVERYONE, SPECTATOR, Seat, Viewer
from engine.labels import card_word, own_word, owner_word, seat_word
from engine.recycle.running import operations
from engine.recycle.running.operations import Op, Ops
from engine.recycle.running.points import PointTable
from engine.recycle.running.program import Option
from engine.recycle.running.storage import Pile, ValueKey
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.unknown import UNKNOWN, Unseen
from engine.recycle.running.world import World
from engine.recycle.syntax import Kind
from engine.recycle.views.action_texts import is_known, marked, option_text
from engine.recycle.views.telling import NO_PILE, Telling, bound
from engine.recycle.views.view import sees

_LONGEST = 100
"""Operations of an option that are put into words."""
_OWN_HAND = "HAND"
NOT_YET = "?"
"""What stands for a value that is drawn, or seen, only once the option is chosen."""


def choice_words(choice: "Deeds") -> tuple[str, ...]:
    """The words for the options of a choice, each different."""
    deeds, common, differ = choice
    words = [deed.words(common, ends=differ) for deed in deeds]
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

    each: Sequence["Deed"]
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


def public_words(world: World, ops: Ops, seat: Seat) -> str:
    """The words for what `seat` does, as everybody else reads them."""
    return Deed(world, ops, seat, SPECTATOR).words(frozenset(), ends=False)


def _targets_differ(deeds: Iterable["Deed"]) -> bool:
    return len({deed.target for deed in deeds if deed.goes_unsaid}) > 1


def _shared_values(deeds: Iterable["Deed"]) -> frozenset[str]:
    sets = [deed.values.keys() for deed in deeds if not deed.moves and deed.values]
    return frozenset(set.intersection(*map(set, sets))) if len(sets) > 1 else frozenset()


def _told_apart(deeds: Sequence["Deed"], ends: bool) -> list[str]:
    """The words of options that read alike, with as little detail added as makes them differ."""
    common = _common_values(deeds)
    ways: tuple[Callable[[Deed], str], ...] = (
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
    deeds: Sequence["Deed"], words: Sequence[str], common: frozenset[str], ends: bool
) -> list[str]:
    """The `words`, with what the player chooses added where they are alike."""
    counts = Counter(words)
    told = list(words)
    for at, deed in enumerate(deeds):
        if counts[words[at]] > 1 and (chosen := deed.chosen()):
            told[at] = ", ".join((deed.words(common, ends=ends), *chosen))
    taken = Counter(told)
    return [new if taken[new] == 1 else old for new, old in zip(told, words, strict=True)]


def _common_values(deeds: Sequence["Deed"]) -> frozenset[str]:
    return frozenset(set.intersection(*(set(deed.values) for deed in deeds)))


@dataclass(slots=True)
class CardsMoved:
    """Cards moved from one pile to another, as tokens; "" is a card that the reader cannot see."""

    source: Pile
    target: Pile
    cards: list[str]
    places: list[int]


class Deed:
    """What an option does, sorted: moved cards, values, marks, the next turn."""

    def __init__(
        self, world: World, ops: Ops, seat: Seat, viewer: Viewer, whole: bool = True
    ) -> None:
        self.world = world
        self.whole = whole
        self.option: Option | None = None
        """The option, if what the player chooses by it may be said."""
        self.state = world.state
        self.naming = world.program.naming
        self.seat = seat
        self.viewer = viewer
        self.ops = ops
        self.unseen = False
        """Whether it moves or marks a card that the reader cannot see."""
        self.moves: list[CardsMoved] = []
        self.sets: dict[object, tuple[ValueKey, int, object]] = {}
        """The values that change and that people see: what, whose, and what it is now."""
        self.rest: list[str] = []
        self.steers = self.passes = False
        self._places = self.state.places
        self._uncovered: set[int] = set()
        for op in ops[:_LONGEST]:
            self._op(op)
        self.values: Mapping[str, None] = dict.fromkeys(
            self.value(*value) for value in self.sets.values()
        )

    @property
    def goes_unsaid(self) -> bool:
        """Whether cards go to one pile, for which the description has no verb."""
        if len(self.moves) != 1:
            return False
        key = self.moves[0].target.key
        return self.moves[0].source.seat != self.seat or not self.naming.verb(key.place, key.name)

    @property
    def target(self) -> str:
        """The name of the pile to which cards go first."""
        return self.moves[0].target.key.name

    def words(
        self, left_out: frozenset[str], *, ends: bool, more: bool = False, places: bool = False
    ) -> str:
        """The words of the deed without the values `left_out`.

        With `ends` they say where cards go, with `more` also what else happens, with `places` where
        in a pile an unseen card lies.
        """
        ends = ends or len(self.moves) > 1
        told = [self._moved(move, ends=ends, places=places) for move in self.moves]
        values = [value for value in self.values if value not in left_out]
        if not told or more:
            told += values or (list(self.values) if not told else [])
        if not told or more:
            told += self.rest
        if not told and (self.steers or self.passes):
            told = ["pass"]
        return ", ".join(told) or ("go on" if self.whole else "go on …")

    @property
    def bound(self) -> Sequence[tuple[Kind, Any]]:
        """The values that ``any`` bound on the way to the option, as far as they may be told."""
        return bound(self.world, self.option) if self.option is not None else ()

    def chosen(self) -> list[str]:
        """What the player chooses with the option: players, cards, piles, words, numbers."""
        told = (self._chosen(kind, value) for kind, value in self.bound)
        return list(dict.fromkeys(filter(None, told)))

    def _chosen(self, kind: Kind, value: Any) -> str:
        match kind:
            case Kind.PLAYER:
                return seat_word(value)
            case Kind.TEAM:
                return f"team {value + 1}"
            case Kind.PILES:
                return self._pile(self._places[value]) if value < len(self._places) else ""
            case Kind.CARD | Kind.CARDS:
                return " ".join(card_word(token) for token in self.seen_cards(value))
            case _:
                return self.said(value)

    def seen_cards(self, value: int | Sequence[int]) -> tuple[Token, ...]:
        """The faces of one or several cards, as far as the reader knows them."""
        cards = [value] if isinstance(value, int) else value
        return tuple(self._token(card) for card in cards if not isinstance(card, Unseen))

    def way(self, move: CardsMoved, *, ends: bool) -> str:
        """The words for a move apart from its cards: ``play``, ``take from the stock``."""
        named = [] if all(move.cards) else [""]
        without = CardsMoved(move.source, move.target, named, [])
        words = self._moved(without, ends=ends, places=False)
        return words.replace(" a card", "", 1) if named else words

    def _op(self, op: Op) -> None:
        match op[0]:
            case operations.MOVE:
                self._move(op)
            case operations.VALUE:
                self._set(op[1], op[3])
            case operations.MARK:
                self.rest.append(f"mark {self._marked(op[1])}")
            case operations.UNMARK:
                self.rest.append(f"forget {card_word(self._token(op[1]))}")
            case operations.CYCLE:
                now, queued = op[2]
                self.rest.append(f"next: {seat_word(queued if queued >= 0 else now)}")
            case operations.ORDER:
                self.rest.append(f"shuffle {self._pile(self._places[op[1]])}")
            case operations.PASS:
                self.passes = True
            case operations.PILE:
                made = self.state.components.storage.pile(op[1], op[2])
                self._places = [*self._places, made]

    def _token(self, card: int) -> str:
        return self.state.components.decks.token(card)

    def _move(self, op: Op) -> None:
        _, card, source, place, target, _ = op
        there, to = self._places[source], self._places[target]
        known, face = is_known(there, card, self.viewer, self._uncovered)
        self.unseen = self.unseen or not known
        if self.viewer != self.seat:
            known = known or sees(to, self.viewer)
        token = (face or self._token(card)) if known else ""
        last = self.moves[-1] if self.moves else None
        if last is not None and last.source is there and last.target is to:
            last.cards.append(token)
            last.places.append(place)
        else:
            self.moves.append(CardsMoved(there, to, [token], [place]))

    def _marked(self, card: int) -> str:
        token = marked(self.state, card, self.seat, self.viewer, self._uncovered)
        self.unseen = self.unseen or not token
        return card_word(token) if token else "a card"

    def _set(self, key: int | tuple[ValueKey, int], value: object) -> None:
        if isinstance(value, PointTable):
            return
        named, owner = value_key(self.state, key)
        if named.name in self.naming.hidden or named.name.startswith("'"):
            self.steers = True
        else:
            self.sets[key] = named, owner, value

    def value(self, key: ValueKey, owner: int, value: object) -> str:
        """A value with its title: ``suit clubs``, ``bid 3``."""
        return f"{self.title(key, owner)} {self.told(key, value)}"

    def title(self, key: ValueKey, owner: int) -> str:
        """The value's title, as ``suit`` or ``bid``, with an owner of another side."""
        whose = ""
        if key.holder == "player" and owner != self.seat:
            whose = f"{owner_word(owner)} "
        elif key.holder == "team" and owner != self.state.team_of[self.seat]:
            whose = f"team {owner + 1} "
        return f"{whose}{self.naming.value(key.name).title}"

    def told(self, key: ValueKey, value: object) -> str:
        """A value in words: ``clubs``, ``3``, a player, or a word for what is not known yet."""
        if value is UNKNOWN:
            return NOT_YET
        if isinstance(value, str):
            return self.said(value) or "none"
        seat = self.player(key, value)
        if seat is not None:
            return seat_word(seat)
        return "nobody" if value == 0 and key.name in self.naming.players else str(value)

    def said(self, value: int | str) -> str:
        """A number or a string of the description in words."""
        return str(value) if isinstance(value, int) or len(value) == 1 else value.lower()

    def player(self, key: ValueKey, value: object) -> Seat | None:
        """The seat that a value stands for, if it is a player's number."""
        if key.name not in self.naming.players or not isinstance(value, int):
            return None
        seat = value - self.naming.numbering
        return seat if 0 <= seat < self.state.components.players else None

    def _moved(self, move: CardsMoved, *, ends: bool, places: bool) -> str:
        verb = _verb(move.source, move.target, self.seat)
        key = move.target.key
        own = self.naming.verb(key.place, key.name) if move.source.seat == self.seat else ""
        unseen = move.cards.count("")
        what = [card_word(card) for card in move.cards if card]
        if unseen and places:
            spots = (
                str(at + 1) for at, card in zip(move.places, move.cards, strict=True) if not card
            )
            what.append(f"card {', '.join(spots)}")
        elif unseen:
            what.append("a card" if unseen == 1 else f"{unseen} cards")
        words = [own or verb, *what]
        known = move.source.key.name != NO_PILE
        if known and (verb in ("take", "move") or (unseen and move.source.key.name != _OWN_HAND)):
            words.append(f"from {self._pile(move.source)}")
        open_to_all = move.target.seen == EVERYONE
        if verb == "give" and move.target.key.name == _OWN_HAND:
            words.append(f"to {seat_word(move.target.seat)}")
        elif ends or (not own and (verb != "play" or not open_to_all) and verb != "take"):
            words.append(f"to {self._pile(move.target)}")
        return " ".join(words)

    def _pile(self, pile: Pile) -> str:
        """A pile in words: ``the crib``, ``{of 2} row 3``."""
        name = self.naming.pile(pile.key.place, pile.key.name).title
        number = f" {pile.key.number}" if pile.key.number else ""
        if pile.seat < 0:
            return f"the {name}{number}"
        whose = own_word if pile.seat == self.seat else owner_word
        return f"{whose(pile.seat)} {name}{number}"


def _verb(source: Pile, target: Pile, seat: Seat) -> str:
    if source.seat == seat:
        return "give" if target.seat not in (seat, -1) else "play"
    return "take" if target.seat == seat else "move"


def value_key(state: UndoableState, key: int | tuple[ValueKey, int]) -> tuple[ValueKey, int]:
    """The key and owner of a value, by its slot or as computed."""
    if isinstance(key, int):
        named = state.components.value_keys[key]
        return named, key - state.components.storage.values[named]
    return key
