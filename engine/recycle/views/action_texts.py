"""Options as texts: ``play QS``, ``take QS from pool``, ``bid 3``, ``pass``.

A text says which cards move, or else which values change. Only where that leaves two options alike
it says more: where the cards go, what else changes; what the chooser picks by them that is not
told yet; and options alike in all that are numbered. What nobody can know before is a ``?``.
A card that the reader of the text cannot see is named, where it matters, by its place in the pile.
Source: RECYCLE, "Decisions": a choice's text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Token
from engine.choices import Action
from engine.facts import SPECTATOR, Seat, Viewer
from engine.recycle import limits
from engine.recycle.running import operations
from engine.recycle.running.operations import Op, Ops
from engine.recycle.running.points import PointTable
from engine.recycle.running.program import Option
from engine.recycle.running.storage import Pile, ValueKey
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.unknown import UNKNOWN, Marked, Unseen
from engine.recycle.running.world import World
from engine.recycle.syntax import Kind
from engine.recycle.views.telling import KnownOption, Telling, bound, telling_of, tried_option
from engine.recycle.views.view import sees

_ACTION = re.compile(r"[a-z][a-z0-9_/]*(?: [!-~]+)*", re.ASCII)
MOST_DETAIL = 2
"""The most detail that an action tells; the least is 0."""
_NOTHING = "go on"
_LONGEST = 100
"""Operations of an option that are put into words."""


def action_texts(world: World) -> tuple[Action, ...]:
    """The actions of `world.seat` in the order of its options, all different."""
    actions, _ = actions_in_detail(telling_of(world))
    return actions


def actions_in_detail(telling: Telling) -> tuple[tuple[Action, ...], list[int]]:
    """The actions of the told options, all different, and the level of detail they needed."""
    briefly = [_text(telling, told, 0) for told in telling.told]
    if len(set(briefly)) == len(briefly):
        return tuple(briefly), [0] * len(briefly)
    in_detail = _in_detail(telling, briefly)
    texts = [text for text, _ in in_detail]
    if telling.world.program.version > 1:
        texts = _with_bound(telling, briefly, texts)
    return tuple(_numbered(briefly, texts)), [detail for _, detail in in_detail]


def _text(telling: Telling, told: KnownOption, detail: int) -> Action:
    return option_text(telling.world, told.ops, telling.seat, detail, whole=told.whole)


def _in_detail(telling: Telling, briefly: Sequence[Action]) -> list[tuple[Action, int]]:
    """The actions with as much detail as makes them different, or all of it, and that level."""
    texts = [(text, 0) for text in briefly]
    for detail in range(1, MOST_DETAIL + 1):
        counts = Counter(text for text, _ in texts)
        if len(counts) == len(texts):
            break
        texts = [
            (_text(telling, told, detail), detail) if counts[text] > 1 else (text, at)
            for (text, at), told in zip(texts, telling.told, strict=True)
        ]
    return texts


def _with_bound(
    telling: Telling, briefly: Sequence[Action], texts: Sequence[Action]
) -> list[Action]:
    """The `texts`; equal ones are given with brief details, and with what the player chooses."""
    counts = Counter(texts)
    told = list(texts)
    for at, (brief, text) in enumerate(zip(briefly, texts, strict=True)):
        if counts[text] > 1:
            chosen = bound(telling.world, telling.told[at].option)
            words = [_chosen(telling.world, kind, value) for kind, value in chosen]
            told[at] = _clipped(" ".join((brief, *dict.fromkeys(filter(None, words)))))
    # What is bound may be told in the words of another option already.
    taken = Counter(told)
    return [new if taken[new] == 1 else old for new, old in zip(told, texts, strict=True)]


def _chosen(world: World, kind: Kind, value: Any) -> str:
    """The value that an ``any`` bound, in an action; empty if the chooser cannot see it."""
    state = world.state
    match kind:
        case Kind.PLAYER:
            return f"player/{value}"
        case Kind.TEAM:
            return f"team/{value}"
        case Kind.PILES:
            return str(state.places[value].name) if value < len(state.places) else ""
        case Kind.CARD | Kind.CARDS:
            cards = value if isinstance(value, list) else [value]
            return " ".join(
                state.components.decks.token(card)
                for card in cards
                if isinstance(card, int) and not isinstance(card, Unseen)
            )
        case _:
            return str(value)


def _clipped(action: Action) -> Action:
    """An action cut to the length limit; numbers tell it from others."""
    if len(action) <= limits.ACTION:
        return action
    return action[: limits.ACTION].rpartition(" ")[0].rstrip(",")


def public_text(world: World, option: Option, seat: Seat) -> Action:
    """The action text of an option of `seat` for everybody else."""
    world.work.left = world.share
    return option_text(world, tried_option(world, option), seat, 0, SPECTATOR)


def _numbered(briefly: Sequence[Action], texts: Sequence[Action]) -> Iterator[Action]:
    """The `texts`, where options with equal details get the brief text and a number."""
    counts = Counter(texts)
    seen: Counter[Action] = Counter()
    for brief, text in zip(briefly, texts, strict=True):
        if counts[text] == 1:
            yield text
        else:
            seen[brief] += 1
            yield f"{brief} #{seen[brief]}"


def option_text(
    world: World,
    ops: Ops,
    seat: Seat,
    detail: int,
    viewer: Viewer | None = None,
    whole: bool = True,
) -> Action:
    """The action text of `ops` of `seat`, as `viewer` may read it, by default the seat itself.

    `detail` is from 0 to 2; more detail says where cards go and what else changes. If `ops` are not
    the `whole` and say nothing, there is a ``?`` for what is not known.
    """
    said = _Said(world, seat, seat if viewer is None else viewer, detail)
    for op in ops[:_LONGEST]:
        said.op(op)
    text = said.text()
    if world.program.version > 1:
        text = _clipped(text)
    return text if whole or text != _NOTHING else f"{text} ?"


class _Said:
    """The words of some operations, the more important kinds first."""

    def __init__(self, world: World, seat: Seat, viewer: Viewer, detail: int) -> None:
        self.state = world.state
        self.seat = seat
        self.viewer = viewer
        self.detail = detail
        self.places = self.state.places
        self.moves: list[_Moved] = []
        self.values: list[str] = []
        self.marks: list[str] = []
        self.rest: list[str] = []
        self.passes: list[str] = []
        self.uncovered: set[int] = set()
        """Cards that were face down before the option, wherever it moves them."""

    def op(self, op: Op) -> None:
        match op[0]:
            case operations.MOVE:
                self._move(op)
            case operations.VALUE:
                self._value(op[1], op[3])
            case operations.MARK | operations.UNMARK:
                self._mark(op)
            case operations.CYCLE:
                now, queued = op[2]
                self.rest.append(f"next {queued if queued >= 0 else now}")
            case operations.ORDER:
                self.rest.append(f"shuffle {self._name(self.places[op[1]].name)}")
            case operations.PASS:
                self.passes = ["pass"]
            case operations.PILE:
                made = self.state.components.storage.pile(op[1], op[2])
                self.places = [*self.places, made]

    def _token(self, card: int) -> str:
        return self.state.components.decks.token(card)

    def _name(self, name: str) -> str:
        """The name of a pile or value, without the seat if it is the player's own."""
        return name.removesuffix(f"/{self.seat}")

    def _move(self, op: Op) -> None:
        _, card, source, place, target, _ = op
        there, to = self.places[source], self.places[target]
        known, token = is_known(there, card, self.viewer, self.uncovered)
        if self.viewer != self.seat:
            # The other viewers are told afterwards, when they see what now lies open.
            known = known or sees(to, self.viewer)
        text = (token or self._token(card)) if known else f"@{place + 1}" if self.detail else "?"
        way = _verb(there, to, self.seat), self._name(there.name), self._name(to.name)
        if self.moves and self.moves[-1].way == way:
            self.moves[-1].cards.append(text)
        else:
            self.moves.append(_Moved(way, [text]))

    def _mark(self, op: Op) -> None:
        kind, card = op[:2]
        if kind is operations.UNMARK:
            self.marks.append(f"forget {self._token(card)}")
            return
        # Everybody sees marks, but before the choice a player knows no more than they see.
        token = marked(self.state, card, self.seat, self.viewer, self.uncovered)
        self.marks.append(f"mark {token or '?'}")

    def _value(self, key: int | tuple[ValueKey, int], value: object) -> None:
        if not isinstance(value, PointTable):
            shown = "?" if value is UNKNOWN else "none" if value == "" else value
            self.values.append(f"{self._name(value_name(self.state, key))} {shown}")

    def text(self) -> Action:
        moves = [moved.text(self.detail) for moved in self.moves]
        rest = [*self.rest, *self.passes]
        kinds = [moves, self.values or rest, self.marks, rest if self.values else []]
        told = [kind for kind in kinds if kind]
        if self.detail < MOST_DETAIL:
            told = told[:1]
        words = [words for kind in told for words in kind]
        if len(words) > 1 and words[0] == "pass":
            # No action begins with a word and a comma.
            words = [*words[1:], "pass"]
        return ", ".join(words) or _NOTHING


@dataclass(frozen=True, slots=True)
class _Moved:
    """Cards with one verb, source and target; ``?`` stands for an unseen card."""

    way: tuple[str, str, str]
    cards: list[str]

    def text(self, detail: int) -> str:
        verb, source, target = self.way
        unseen = self.cards.count("?")
        words = [verb, *(card for card in self.cards if card != "?")]
        if unseen > 1:
            words.append(str(unseen))
        if verb == "take":
            ends = [f"from {source}"] if unseen or detail else []
            ends += [f"to {target}"] if detail > 1 else []
        else:
            ends = [f"from {source}"] if detail > 1 or verb == "move" else []
            ends += [f"to {target}"] if unseen or detail or verb == "move" else []
        return " ".join((*words, *ends))


def _verb(source: Pile, target: Pile, seat: Seat) -> str:
    if source.seat == seat:
        return "give" if target.seat not in (seat, -1) else "play"
    return "take" if target.seat == seat else "move"


def value_name(state: UndoableState, key: int | tuple[ValueKey, int]) -> str:
    """The name of a value in views, by its slot or by its computed key and owner."""
    if isinstance(key, int):
        return state.components.value_names[key]
    return state.components.storage.value_name(*key)


def is_known(there: Pile, card: int, viewer: Viewer, uncovered: set[int]) -> tuple[bool, Token]:
    """Whether `viewer` knows a card that an option takes from a pile, and its face if told apart.

    A card that they do not know joins `uncovered`, those that are known nowhere else.
    """
    if isinstance(card, Unseen):
        return card.token != "", card.token
    known = sees(there, viewer) and card not in uncovered
    if not known:
        uncovered.add(card)
    return known, ""


def marked(
    state: UndoableState, card: int, seat: Seat, viewer: Viewer, uncovered: set[int]
) -> Token:
    """The face of a card that an option marks; empty if `viewer` does not know it."""
    if isinstance(card, Unseen):
        return card.token
    known = viewer != seat or isinstance(card, Marked)
    known = known or (sees(state.places[state.where[card]], seat) and card not in uncovered)
    return state.components.decks.token(card) if known else ""


def is_action(text: str) -> bool:
    """Whether a text has the form of an action: words with single spaces."""
    return _ACTION.fullmatch(text) is not None
