"""What a player may be told that their options do, before they choose one.

Options are put into words in a world that holds nothing but what the player knows. Cards that they
cannot see are `Unseen` there, and what is drawn is `UNKNOWN` (`running.unknown`). So the words of
two worlds are the same wherever the player cannot tell these worlds apart. Only whether an option
exists may hang on a secret, by the rules of the game; `checking` warns of that.
Where everything is known before (`Ask.certain`), what options do is tried on the table itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.facts import EVERYONE, Seat
from engine.recycle import limits
from engine.recycle.errors import Fault
from engine.recycle.running import operations
from engine.recycle.running.evaluator import Evaluator
from engine.recycle.running.operations import Op, Ops
from engine.recycle.running.program import Option
from engine.recycle.running.storage import Pile, PileKey
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.unknown import UNKNOWN, Drawn, Marked, Unseen, Unsure
from engine.recycle.running.work import WorkMeter
from engine.recycle.running.world import World
from engine.recycle.syntax import Kind
from engine.recycle.views.view import sees
from engine.shuffle import Shuffler

NO_PILE = "?"
"""The name of a pile that stands for those from which chance may take a card."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownOption:
    """What the chooser knows of an option, and whether that is the `whole` of it."""

    ops: Ops
    option: Option
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Telling:
    """The options of `seat` as it may be told them, in order.

    `world` has the piles and cards that `told` speak of.
    """

    world: World
    seat: Seat
    told: Sequence[KnownOption]


def telling_of(world: World) -> Telling:
    """The options of `world.seat`, as far as that seat knows their effects."""
    seat = world.seat
    if not world.offered:
        return Telling(world, seat, ())
    world.work.left = world.share
    if world.program.version == 1 or world.program.asks[world.pc].certain:
        return Telling(world, seat, _all_tried(world, world.offered))
    known, lets = known_world(world, seat), world.program.lets
    if all(not ops and do not in lets for ops, do, _ in world.offered):
        offered = [_translated(known, option) for option in world.offered]
    else:
        offered = _found(known, len(world.offered)) or []
    known.work.left = world.share
    if offered:
        return Telling(known, seat, _all_tried(known, offered))
    # Finding them hangs on what the chooser does not know.
    known = known_world(world, seat)
    return Telling(known, seat, [_barely(known, option) for option in world.offered])


def _all_tried(world: World, offered: Sequence[Option]) -> list[KnownOption]:
    """The effects of the options; once no work is left the others are told without effects."""
    tried = []
    for option in offered:
        told = _tried(world, option)
        if world.program.version > 1:
            world.work.left -= limits.OPERATION_WORK * len(told.ops)
            told = told if world.work.left >= 0 else KnownOption((), option, whole=False)
        tried.append(told)
    return tried


def tried_option(world: World, option: Option) -> Ops:
    """The effect of an option as far as it is possible, which is then undone."""
    return _tried(world, option).ops


def bound(world: World, option: Option) -> tuple[tuple[Kind, Any], ...]:
    """The values that ``any`` bound on the way to an option, with their kinds."""
    _, do, values = option
    kinds = world.program.bound.get(do, ())
    pairs = zip(kinds, values, strict=False)
    return tuple((kind, value) for kind, value in pairs if kind is not None)


class KnownWorld(World):
    """A world without secrets; `unseen` maps placeholder cards to true ones."""

    __slots__ = ("unseen",)

    unseen: Mapping[int, Unseen]


def known_world(world: World, seat: Seat) -> KnownWorld:
    """The table as `seat` knows it."""
    known = KnownWorld.__new__(KnownWorld)
    world.copy_to(known)
    state = known.state
    hidden = [
        (slot, pile)
        for slot, (place, pile) in enumerate(zip(state.places, state.piles, strict=True))
        if pile and not place.marks and not sees(place, seat)
    ]
    numbers = iter(sorted(card for _, pile in hidden for card in pile))
    unseen: dict[int, Unseen] = {}
    for slot, pile in hidden:
        for at, card in enumerate(pile):
            pile[at] = unseen[card] = Unseen(next(numbers))
            state.where[pile[at]] = slot
    for place, pile in zip(state.places, state.piles, strict=True):
        if place.marks and not unseen.keys().isdisjoint(pile):
            pile[:] = [Marked(card) if card in unseen else card for card in pile]  # type: ignore[misc]
    known.unseen = unseen
    known.evaluator = _Unknowing(state, known.work, world.evaluator.shuffler)
    return known


class _Unknowing(Evaluator):
    """A random source that draws nothing: every draw gives an unknown.

    A card that chance takes from several as good lies in a pile of its own meanwhile.
    """

    __slots__ = ("_slot",)

    def __init__(self, state: UndoableState, work: WorkMeter, shuffler: Shuffler) -> None:
        super().__init__(state, work, shuffler)
        self._slot = len(state.piles)
        state.piles.append([])
        state.places.append(Pile(PileKey("game", "vloc", NO_PILE, 0), 0, NO_PILE, EVERYONE))

    def below(self, n: int) -> Any:
        return 0 if n == 1 else UNKNOWN

    def random(self, low: Any, high: Any) -> Any:
        unknown = low is UNKNOWN or high is UNKNOWN
        return UNKNOWN if unknown else super().random(low, high)

    def shuffled(self, slot: int) -> tuple[int, ...]:
        pile = self.work.charge(self.state.piles[slot])
        return tuple(map(Drawn, pile)) if len(pile) > 1 else tuple(pile)

    def one_of(self, cards: Sequence[int]) -> int:
        state, token = self.state, self.state.components.decks.token
        faces = {"" if isinstance(card, Unseen) else token(card) for card in cards}
        slots = {state.where[card] for card in cards}
        drawn = Drawn(len(state.where))
        drawn.token = faces.pop() if len(faces) == 1 else ""
        drawn.slot = slots.pop() if len(slots) == 1 else self._slot
        state.where.append(self._slot)
        state.piles[self._slot].append(drawn)
        return drawn


def _found(known: KnownWorld, count: int) -> list[Option] | None:
    """The options as the chooser can find them; None if that depends on unknown things."""
    try:
        found = known.options(known.seat)
    except Fault:
        return None
    return found if len(found) == count else None


def _translated(known: KnownWorld, option: Option) -> Option:
    """An option of the true table, with the cards of the known one."""
    ops, do, values = option
    card = known.unseen.get
    given = tuple(
        card(value, value)
        if kind is Kind.CARD
        else [card(each, each) for each in value]
        if isinstance(value, list)
        else value
        for kind, value in zip(known.program.kinds.get(do, ()), values, strict=False)
    )
    return ops, do, given


def _barely(known: KnownWorld, option: Option) -> KnownOption:
    """An option as far as it can be told if it was found by what the chooser does not know.

    What was done or worked out on the way to it says nothing then.
    """
    ops, do, values = _translated(known, option)
    if ops or do in known.program.lets:
        return KnownOption((), (ops, do, values), whole=False)
    return _tried(known, (ops, do, values))


def _tried(world: World, option: Option) -> KnownOption:
    ops, do, values = option
    state, turns = world.state, world.turns
    draws, before = world.evaluator.draws, turns.current
    turns.current = world.seat
    mark = len(state.log)
    whole = True
    try:
        state.perform(ops)
        do(world, *values)
    except Unsure:
        whole = False
    except Fault:
        pass
    done = tuple(state.log[mark:])
    state.undo(mark)
    world.evaluator.draws, turns.current = draws, before
    if isinstance(world, KnownWorld):
        return _until_drawn(done, option, whole)
    return KnownOption(done, option)


def _until_drawn(ops: Ops, option: Option, whole: bool) -> KnownOption:
    """The operations up to the first that moves a randomly drawn card; the rest is unknown."""
    for at, op in enumerate(ops):
        if op[0] is operations.MOVE and isinstance(op[1], Drawn) and op[1].slot is not None:
            moved: Op = (*op[:2], op[1].slot, *op[3:])
            return KnownOption((*ops[:at], moved), option, whole and at + 1 == len(ops))
    return KnownOption(ops, option, whole)
