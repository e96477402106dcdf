"""The facts of a step, and who receives them: folding them gives each viewer's view.

Consecutive moves between the same two piles are one fact, in three versions: for viewers who see
the target pile, for those who only see the source pile, and for the others. When piles or cards
are created, the whole table is laid out again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TypeAlias

from engine.cards import Token
from engine.facts import (
    EVERYONE,
    AddressedFact,
    Audience,
    Change,
    Lay,
    Move,
    Seat,
    Set,
    Show,
    Value,
    addressed,
    private,
    public,
)
from engine.recycle.running.operations import CARDS, MOVE, ORDER, PILE, VALUE, WHY, Op
from engine.recycle.running.storage import ValueKey
from engine.recycle.running.world import World
from engine.recycle.views.deed import value_key
from engine.recycle.views.view import CHOSEN, public_values, tokens

Piles: TypeAlias = Sequence[Sequence[int]]
"""The cards of each pile, by slot."""
Values: TypeAlias = Mapping[str, Value]
_LONGEST = 2_000
"""Operations of a step that are told one after the other."""
_MOST_REASONS = 30
"""The most reasons that a fact gives for points; with more it gives none."""
_MOST_LOOKS = 100_000
"""Cards that are looked at for it: all that lie in a pile, whenever one comes or goes."""


def begun(world: World, values: Values) -> Iterator[AddressedFact]:
    """The facts of a game's start: the table after the last deck was made, and what came after.

    `values` are those that everybody sees at its end.
    """
    state = world.state
    yield from _from(_last_making(state.log, len(state.where)), world, values)


def told(
    piles: Piles, before: Values, world: World, after: Values, chosen: int
) -> Iterator[AddressedFact]:
    """The facts of a step to where `world` is, whose log has the operations of the step.

    Before it the `piles` lay so and everybody saw the values `before`; now they see `after`. The
    first `chosen` operations are those of the options that were taken.
    """
    log = world.state.log
    made = _last_making(log, len(world.state.where))
    if made:
        yield from _from(made, world, after, chosen)
        # What is laid out anew are zones: values stay until they are removed.
        gone = before.keys() - after.keys()
        if gone:
            yield public("table_changed", {}, tuple(Set(name, None) for name in sorted(gone)))
        return
    yield from _Telling(world, piles, log, chosen).facts()
    yield _changed(before, after)


def _last_making(log: Sequence[Op], cards: int) -> int:
    """The number of operations up to the last that created cards or piles.

    It is all of them if telling each would take too long; `cards` are in the game.
    """
    if len(log) > _LONGEST or cards * _times_told(log) > _MOST_LOOKS:
        return len(log)
    return max((at + 1 for at, op in enumerate(log) if op[0] in (PILE, CARDS)), default=0)


def _times_told(log: Sequence[Op]) -> int:
    """How often telling these operations would look through piles."""
    runs = groupby(op[2:5:2] for op in log if op[0] is MOVE)
    return sum(len(list(ops)) if source == target else 1 for (source, target), ops in runs)


def _from(made: int, world: World, after: Values, chosen: int = 0) -> Iterator[AddressedFact]:
    """The facts that lay the table as after `made` operations, and those of what followed."""
    state, turns = world.state, world.turns
    ops = state.log[made:]
    turn = turns.current, turns.queued
    state.undo(made)
    values, piles = public_values(world), [pile[:] for pile in state.piles]
    yield from _laying(world, values)
    state.perform(tuple(ops))
    # Turns pass at the ends of stages, too, which are no operations.
    turns.current, turns.queued = turn
    yield from _Telling(world, piles, ops, chosen - made).facts()
    yield _changed(values, after)


def _changed(known: Values, now: Values) -> AddressedFact:
    """The fact that tells the changed values."""
    changes = [Set(name, value) for name, value in now.items() if known.get(name) != value]
    changes += [Set(name, None) for name in known if name not in now]
    return public("table_changed", {}, tuple(changes))


def _laying(world: World, values: Values) -> Iterator[AddressedFact]:
    """The fact that lays the table as it is, with all `values`."""
    state = world.state
    zones = {
        place.name: len(pile)
        for place, pile in zip(state.places, state.piles, strict=True)
        if not place.marks
    }
    changes = (Set(name, value) for name, value in values.items())
    yield public("table_laid", {}, (Lay(zones), *changes))
    yield from _showing(world)


def _showing(world: World) -> Iterator[AddressedFact]:
    shown: dict[Audience, list[Change]] = {}
    for place, pile in zip(world.state.places, world.state.piles, strict=True):
        if pile and place.seen and not place.marks:
            shown.setdefault(place.seen, []).append(Show(place.name, tokens(world, pile)))
    for audience, changes in shown.items():
        yield addressed(audience, "cards_shown", {}, tuple(changes))


def chosen_unseen(seat: Seat, index: int) -> AddressedFact:
    """The fact that tells only the seat which of its options it has chosen."""
    return private(seat, "choice_noted", {}, (Set(CHOSEN, (seat, index)),))


def revealed(seats: Sequence[Seat]) -> Iterator[AddressedFact]:
    """The facts that reveal the hidden choices of these seats."""
    for seat in seats:
        yield private(seat, "choice_noted", {}, (Set(CHOSEN, None),))


class _Telling:
    """Follows the piles through the operations of a step, the first `chosen` by a player.

    What happens by itself comes at once. So people need a moment before cards that everybody sees
    are moved on, if there is something `new` to see: cards that were laid open, points told.
    """

    def __init__(self, world: World, piles: Piles, ops: Sequence[Op], chosen: int) -> None:
        self.world = world
        self.places = world.state.places
        self.piles = [list(pile) for pile in piles]
        self.ops = ops
        self.chosen = chosen
        self.new = False
        self._told = 0

    def facts(self) -> Iterator[AddressedFact]:
        for (source, target), run in groupby(self.ops, _run):
            ops = list(run)
            by_itself = self._told >= self.chosen
            self._told += len(ops)
            if source == target >= 0:
                # The same card may move twice.
                yield from chain.from_iterable(self._moved(source, target, [op]) for op in ops)
            elif source >= 0:
                yield from self._held(source, target, self._moved(source, target, ops), by_itself)
            elif target >= 0:
                yield from self._ordered(target, ops)
            else:
                yield from self._counted(ops)

    def _held(
        self, source: int, target: int, facts: Iterator[AddressedFact], by_itself: bool
    ) -> Iterator[AddressedFact]:
        """The facts of a move, held if it hides something new that everybody could see."""
        here, there = (self.places[slot].seen == EVERYONE for slot in (source, target))
        holds = here and by_itself and self.new
        self.new = (self.new and not holds) or (there and not (here and by_itself))
        for fact in facts:
            yield fact.held() if holds and fact.verb == "cards_moved" else fact

    def _counted(self, ops: Iterable[Op]) -> Iterator[AddressedFact]:
        """The facts of points won or lost, of the values that the description tells."""
        naming, state = self.world.program.naming, self.world.state
        if not naming.told:
            return
        changes: dict[tuple[ValueKey, int], list[tuple[str, int]]] = {}
        why = ""
        for op in ops:
            if op[0] is VALUE and isinstance(op[3], int):
                key, owner = value_key(state, op[1])
                if key.name in naming.told and key.holder != "game":
                    before = op[2] if isinstance(op[2], int) else 0
                    changes.setdefault((key, owner), []).append((why, op[3] - before))
            why = op[1] if op[0] is WHY else ""
        for (key, owner), made in changes.items():
            change = sum(points for _, points in made)
            if change:
                self.new = True
                whose: dict[str, Value] = (
                    {"seat": owner} if key.holder == "player" else {"team": state.teams[owner]}
                )
                told = {**whose, "count": abs(change), "what": naming.value(key.name).title}
                yield public("gained" if change > 0 else "lost", told | _reasons(made))

    def _moved(self, source: int, target: int, ops: list[Op]) -> Iterator[AddressedFact]:
        piles, world, places = self.piles, self.world, self.places
        here, there = places[source], places[target]
        # Cards that are put on top of another pile lie where everybody expects them.
        on_top = source != target and all(
            op[5] == at for at, op in enumerate(ops, start=len(piles[target]))
        )
        left = list(tokens(world, piles[source])) if here.seen else []
        joined = list(tokens(world, piles[target])) if there.seen and not on_top else []
        cards = [op[1] for op in ops]
        for _, card, _, place, _, at in ops:
            del piles[source][place]
            piles[target].insert(at, card)
        faces = tokens(world, cards)
        args: dict[str, Value] = {"source": here.name, "target": there.name}
        named = {**args, "cards": " ".join(faces)}
        counted = {**args, "count": len(cards)}
        for told, change, audience in (
            (named, Move(here.name, there.name, faces), there.seen),
            (named, Move(here.name, there.name, faces, hidden=True), here.seen & ~there.seen),
            (counted, Move(here.name, there.name, len(cards)), ~(here.seen | there.seen)),
        ):
            if audience:
                yield addressed(audience, "cards_moved", told, (change,))
        for face in faces if left else ():
            left.remove(face)
        if source == target:
            yield from self._arranged(source, [*left, *faces])
            return
        yield from self._arranged(source, left)
        if not on_top:
            yield from self._arranged(target, [*joined, *faces])

    def _arranged(self, slot: int, expected: list[Token]) -> Iterator[AddressedFact]:
        """The facts of the cards' order, for viewers who would otherwise expect another one."""
        place = self.places[slot]
        if not place.seen:
            return
        lying = tokens(self.world, self.piles[slot])
        if list(lying) != expected:
            change = Move(place.name, place.name, lying)
            yield addressed(place.seen, "pile_arranged", {}, (change,))

    def _ordered(self, slot: int, ops: list[Op]) -> Iterator[AddressedFact]:
        place = self.places[slot]
        before = list(tokens(self.world, self.piles[slot]))
        self.piles[slot][:] = ops[-1][3]
        yield public("pile_shuffled", {"pile": place.name})
        yield from self._arranged(slot, before)


def _reasons(made: Iterable[tuple[str, int]]) -> dict[str, Value]:
    """What points are for, if the description says so of all of them, and how many each."""
    some = [(why.replace("#", str(points)), points) for why, points in made if points]
    if len(some) > _MOST_REASONS or not all(why for why, _ in some):
        return {}
    told: dict[str, Value] = {"why": "|".join(why for why, _ in some)}
    return told | ({"each": tuple(points for _, points in some)} if len(some) > 1 else {})


def _run(op: Op) -> tuple[int, int]:
    """The key by which consecutive operations are told as one: the source and target of cards."""
    if op[0] is MOVE:
        return op[2], op[4]
    return (-1, op[1]) if op[0] is ORDER else (-1, -1)
