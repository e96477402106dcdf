"""What other players' moves give away: cards that they would have had to play if they held them.

Each move of another seat that brought cards out of a hidden pile is tried again with nothing else
in that pile but one more card. If the move would not have been on offer then, the pile did not
hold that card; so a player who does not follow suit has none of it. What was learnt of a pile is
true until unseen cards join it.
"""

from collections.abc import Mapping, Sequence

from engine.cards import Token
from engine.facts import Fact, Lay, Move, ZoneId
from engine.recycle.errors import Fault
from engine.recycle.running.program import Program
from engine.recycle.running.undoable_state import NOWHERE
from engine.recycle.running.world import World
from engine.recycle.sampling.visible import Seen
from engine.recycle.views.action_texts import public_text
from engine.views import EMPTY_VIEW, View, fold


def barred_cards(program: Program, facts: Sequence[Fact]) -> Mapping[ZoneId, frozenset[Token]]:
    """The cards, by zone, that are certainly not among its backs."""
    barred: dict[ZoneId, frozenset[Token]] = {}
    view = EMPTY_VIEW
    for at, fact in enumerate(facts):
        move = _shown(facts[at + 1 : at + 2], view) if fact.verb == "option_taken" else None
        if move is not None:
            known = barred.get(move.source, frozenset())
            barred[move.source] = known | _Trial(program, view, fact, move).excluded(known)
        for change in fact.changes:
            if isinstance(change, Lay):
                barred.clear()
            elif isinstance(change, Move) and (change.hidden or isinstance(change.cards, int)):
                barred.pop(change.target, None)
        view = fold((fact,), view)
    return barred


def _shown(facts: Sequence[Fact], view: View) -> Move | None:
    """The move by which cards left a hidden pile before the viewer's eyes.

    Piles are skipped whose cards the viewer knows only in part, after taking a seat late.
    """
    for fact in facts:
        for change in fact.changes:
            if isinstance(change, Move) and isinstance(change.cards, tuple) and not change.hidden:
                source = view.zones[change.source]
                return change if source.backs and not source.cards else None
    return None


class _Trial:
    """A past choice in `view`, tried with other cards in the pile that was chosen from."""

    def __init__(self, program: Program, view: View, taken: Fact, move: Move) -> None:
        assert isinstance(move.cards, tuple)
        seat = taken.args["seat"]
        assert isinstance(seat, int)
        self._seat = seat
        self._action = taken.args["action"]
        seen = Seen(program, view)
        self._world = seen.world
        self._held = [seen.ids.take(token) for token in move.cards]
        rest = [card for cards in seen.ids.rest().values() for card in cards]
        self._others = {program.components.decks.token(card): card for card in rest}
        for slot, size in seen.hidden.items():
            if self._world.state.places[slot].name == move.source:
                self._slot = slot
            else:
                _fill(self._world, slot, [rest.pop() for _ in range(size)])

    def excluded(self, known: frozenset[Token]) -> frozenset[Token]:
        """The cards that would have made the move impossible, beside those that are `known`."""
        if not self._possible(()):
            return frozenset()
        others = self._others.items()
        return frozenset(
            token for token, card in others if token not in known and not self._possible((card,))
        )

    def _possible(self, more: tuple[int, ...]) -> bool:
        """Whether the move is offered with only its own cards and the given ones in the pile."""
        world = self._world.clone()
        for card in more:
            if (other := world.state.where[card]) != NOWHERE:
                world.state.piles[other].remove(card)
        _fill(world, self._slot, [*self._held, *more])
        try:
            world.wait_for((self._seat,))
        except Fault:
            return False
        return any(
            public_text(world, option, self._seat) == self._action for option in world.offered
        )


def _fill(world: World, slot: int, cards: list[int]) -> None:
    world.state.piles[slot] = cards
    for card in cards:
        world.state.where[card] = slot
