"""What one option does, in words: the cards that it moves, the values that it sets, the rest.

A part of it begins with a verb, so that it can be said of the player who chooses and of others.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Token
from engine.facts import EVERYONE, Seat, Viewer
from engine.labels import card_word, own_word, owner_word, seat_word
from engine.recycle.checking.annotations import NAMES
from engine.recycle.running import operations
from engine.recycle.running.operations import Op, Ops
from engine.recycle.running.points import PointTable
from engine.recycle.running.program import Option
from engine.recycle.running.storage import Pile, ValueKey
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.unknown import UNKNOWN, Unseen
from engine.recycle.running.world import World
from engine.recycle.syntax import Kind
from engine.recycle.views.action_texts import is_known, marked
from engine.recycle.views.grammar import deed as deed_words
from engine.recycle.views.grammar import plural
from engine.recycle.views.telling import NO_PILE, bound
from engine.recycle.views.view import sees

_LONGEST = 100
"""Operations of an option that are put into words."""
_OWN_HAND = "HAND"
NOT_YET = "?"
"""What stands for a value that is drawn, or seen, only once the option is chosen."""


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
        self.reasons: list[str] = []
        """What the points that it makes are for, in the words of the description."""
        self.steers = self.passes = False
        self._places = self.state.places
        self._uncovered: set[int] = set()
        self._why = ""
        for op in ops[:_LONGEST]:
            self._op(op)
        self._verbal: dict[str, object] = {}
        """The values that change, by the words for it where the description gives them a verb."""
        self.values: Mapping[str, None] = self._valued()
        """The words for each value that changes."""

    @property
    def goes_unsaid(self) -> bool:
        """Whether cards go to one pile, for which the description has no verb."""
        if len(self.moves) != 1:
            return False
        return not self._own_verb(self.moves[0])

    @property
    def target(self) -> str:
        """The name of the pile to which cards go first."""
        return self.moves[0].target.key.name

    def words(
        self,
        left_out: frozenset[str],
        *,
        ends: bool,
        more: bool = False,
        places: bool = False,
        brief: bool = False,
        origins: bool = False,
    ) -> str:
        """The words of the deed without the values `left_out`.

        With `ends` they say where cards go, with `origins` also where they lay, with `more` what
        else happens, with `places` where in a pile an unseen card lies. With `brief` they leave out
        the cards that make room: those that leave the place to which the next one goes.
        """
        several = len(self.moves) > 1
        moves = [move for move in self.moves if not (brief and self._makes_room(move))]
        swapped = self._swapped()
        told = (
            [swapped]
            if swapped
            else [
                self._moved(move, ends=ends, several=several, places=places, origins=origins)
                for move in moves
            ]
        )
        told += self.reasons * bool(moves)
        values = [value for value in self.values if value not in left_out]
        if not told or more:
            told += values or (list(self.values) if not told else [])
        if not told or more:
            told += self.rest
        if not told and (self.steers or self.passes):
            told = ["pass"]
        return ", ".join(told) or ("go on" if self.whole else "go on …")

    def done(self, inflect: Callable[[str], str] = str) -> str:
        """What the player has done, in parts with a verb each, which `inflect` gives its form."""
        several = len(self.moves) > 1
        swapped = self._swapped()
        told = [swapped] if swapped else []
        told += [
            self._moved(move, ends=False, several=several) for move in self.moves if not swapped
        ]
        chosen = [value for kind, value in self.bound if kind in (Kind.STRING, Kind.INTEGER)]
        told += [words for words, value in self._verbal.items() if told and value in chosen]
        if not told:
            told = [words if words in self._verbal else deed_words(words) for words in self.values]
        if not told:
            told = [words for words in self.rest if ":" not in words]
        if not told:
            told = ["pass" if self.steers or self.passes else "go on"]
        return ", ".join((*map(inflect, told), *(self.reasons if self.moves else ())))

    def _swapped(self) -> str:
        """The words for seen cards that change places: ``swap 9S for AS``; empty otherwise."""
        if len(self.moves) != 2 or not all(self.moves[0].cards + self.moves[1].cards):
            return ""
        ours, theirs = sorted(self.moves, key=lambda move: move.source.seat != self.seat)
        if ours.source is not theirs.target or theirs.source is not ours.target:
            return ""
        ways = (" ".join(map(card_word, move.cards)) for move in (ours, theirs))
        return f"{self._own_verb(ours) or 'swap'} {' for '.join(ways)}"

    def _makes_room(self, move: CardsMoved) -> bool:
        left = move.source
        return bool(left.key.number) and any(
            (other.target.seat, other.target.key.number) == (left.seat, left.key.number)
            for other in self.moves
            if other is not move
        )

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
        words = self._moved(without, ends=ends, several=len(self.moves) > 1)
        return words.replace(" a card", "", 1) if named else words

    def _op(self, op: Op) -> None:
        match op[0]:
            case operations.MOVE:
                self._move(op)
            case operations.VALUE:
                self._set(op[1], op[2], op[3])
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
            case operations.WHY:
                self._why = op[1]
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

    def _set(self, key: int | tuple[ValueKey, int], before: object, value: object) -> None:
        why, self._why = self._why, ""
        if isinstance(value, PointTable):
            return
        named, owner = value_key(self.state, key)
        if named.name in self.naming.hidden or named.name.startswith("'"):
            # What people do not see has no reason that they could be told.
            self.steers = True
            return
        self.sets[key] = named, owner, value
        change = _change(before, value)
        reason = why.replace("#", change)
        if reason and change != "0" and reason not in self.reasons:
            self.reasons.append(reason)

    def _valued(self) -> dict[str, None]:
        known = {key.name: self.told(key, value) for key, _, value in self.sets.values()}
        found: dict[str, str] = {}
        told_by: set[str] = set()
        for key, _, value in self.sets.values():
            phrase = self.naming.deed(key.name, value)
            names = set(NAMES.findall(phrase))
            if phrase and all(name in known for name, _ in names):
                found[key.name] = NAMES.sub(lambda name: _filled(name, known), phrase)
                self._verbal[found[key.name]] = value
                told_by |= {name for name, _ in names} - {key.name}
        return dict.fromkeys(
            found.get(key.name) or self.value(key, owner, value)
            for key, owner, value in self.sets.values()
            if key.name not in told_by
        )

    def _own_verb(self, move: CardsMoved) -> str:
        """The description's verb for a move of the player's own cards, or to their own pile."""
        if self.seat not in (move.source.seat, move.target.seat):
            return ""
        return self.naming.verb(move.target.key.place, move.target.key.name)

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
        if isinstance(value, int) or len(value) == 1:
            return self.naming.faces.get(str(value), str(value))
        return value.lower()

    def player(self, key: ValueKey, value: object) -> Seat | None:
        """The seat that a value stands for, if it is a player's number."""
        if key.name not in self.naming.players or not isinstance(value, int):
            return None
        seat = value - self.naming.numbering
        return seat if 0 <= seat < self.state.components.players else None

    def _moved(
        self,
        move: CardsMoved,
        *,
        ends: bool,
        several: bool = False,
        places: bool = False,
        origins: bool = False,
    ) -> str:
        """The words for one move; of `several` each says where cards go."""
        verb = _verb(move.source, move.target, self.seat)
        own = self._own_verb(move)
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
        hidden = unseen and move.source.key.name != _OWN_HAND
        if known and (origins or hidden or verb in ("take", "move")):
            words.append(f"from {self._pile(move.source)}")
        open_to_all = move.target.seen == EVERYONE
        if verb == "give" and move.target.key.name == _OWN_HAND:
            words.append(f"to {seat_word(move.target.seat)}")
        elif own:
            numbered = several and move.target.key.number > 0
            words += [f"to {self._pile(move.target)}"] if ends or numbered else []
        elif move.target.key.name == _OWN_HAND and move.target.seat == self.seat and not ends:
            pass
        elif ends or several or ((verb != "play" or not open_to_all) and verb != "take"):
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


def _filled(name: re.Match[str], known: Mapping[str, str]) -> str:
    """A value for its name in a phrase: ``sixes`` for ``RANKs``."""
    value = known[name[1]]
    return plural(value) if name[2] and value.isalpha() else value


def _change(before: object, value: object) -> str:
    """By how much a number changes; a word for that if it is not known yet."""
    if before is UNKNOWN or not isinstance(value, int):
        return NOT_YET
    return str(value - (before if isinstance(before, int) else 0))


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
