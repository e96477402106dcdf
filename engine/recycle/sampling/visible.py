"""The world that one viewer sees, without the hidden cards."""

from engine.recycle.limits import PLAY_LIMITS
from engine.recycle.running.operations import Stored
from engine.recycle.running.points import parse_awards
from engine.recycle.running.program import Program
from engine.recycle.running.storage import ValueKey
from engine.recycle.running.undoable_state import NOWHERE
from engine.recycle.running.world import World, cards_of_setup
from engine.recycle.views.view import (
    CARDS,
    NAMES,
    PILES,
    STATE,
    STOPPED,
    TEAMS,
    parse_names,
    parse_piles,
    parse_stop,
)
from engine.shuffle import Shuffler, seed_from_int
from engine.unseen import NoDeal
from engine.views import View


class Ids:
    """The cards of the game by kind, of which each can be taken once."""

    def __init__(self, program: Program, view: View) -> None:
        self._decks = program.components.decks
        self._kinds = {token: kind for kind, token in enumerate(self._decks.tokens)}
        counts = view.values.get(CARDS) or cards_of_setup(program)
        assert isinstance(counts, tuple)
        apart = len(counts)
        self._most = max(counts)
        self._left = [
            [kind + apart * copy for copy in reversed(range(count))]
            for kind, count in enumerate(counts)
        ]

    @property
    def highest(self) -> int:
        """The highest card number that may exist."""
        return len(self._left) * self._most

    def kind(self, token: str) -> int:
        """The kind of the cards with that token."""
        return self._kinds[token]

    def take(self, token: str) -> int:
        """Take a card with that token; `NoDeal` if none is left."""
        cards = self._left[self._kinds[token]]
        if not cards:
            raise NoDeal(f"{token} was seen more often than it exists")
        return cards.pop()

    def rest(self) -> dict[str, list[int]]:
        """The cards that the viewer has not seen, by the family of their backs."""
        families: dict[str, list[int]] = {kind.family: [] for kind in self._decks.kinds}
        for cards in self._left:
            for card in cards:
                families[self._decks.family(card)].append(card)
        return families


class Seen:
    """The visible world: `world` has the visible cards and all values, `ids` the cards left.

    `hidden` is the number of backs in each pile that has some, by slot.
    """

    def __init__(self, program: Program, view: View) -> None:
        self._program = program
        self._view = view
        self.ids = Ids(program, view)
        self.world = self._laid_out()
        where = self.world.state.where
        where += [NOWHERE] * (self.ids.highest + 1 - len(where))
        self.hidden = {
            slot: view.zones[place.name].backs
            for slot, place in enumerate(self.world.state.places)
            if not place.marks and view.zones[place.name].backs
        }

    def _laid_out(self) -> World:
        program, values = self._program, self._view.values
        components = program.components
        seed = Shuffler(seed_from_int(0), self._view.number("deal") - 1 if "deal" in values else 0)
        world = World(program, seed, PLAY_LIMITS)
        state, turns = world.state, world.turns
        for key, owner in parse_piles(str(values.get(PILES, ""))):
            state.add_pile(key, owner)
        for slot, place in enumerate(state.places):
            if place.marks:
                tokens = str(values[place.name]).split()
                state.piles[slot] = [self.ids.kind(token) for token in tokens]
            else:
                for token in self._view.zones[place.name].cards:
                    state.lay(self.ids.take(token), slot)
        state.values = list(map(self._stored, components.value_keys, components.value_names))
        for named in parse_names(str(values.get(NAMES, ""))):
            state.more[named] = self._stored(named[0], components.storage.value_name(*named))
        if TEAMS in values:
            teams = str(values[TEAMS]).split()
            state.set_teams(tuple(tuple(map(int, team.split(","))) for team in teams))
        numbers = values[STATE]
        assert isinstance(numbers, tuple)
        world.pc, turns.current, turns.queued, turns.team, world.choices, *frames = numbers
        quads = [iter(frames)] * 4
        turns.frames = list(zip(*quads, strict=True))
        if STOPPED in values:
            world.stop = parse_stop(str(values[STOPPED]))
        world.over = world.stop is not None or world.pc not in program.asks
        state.log.clear()
        return world

    def _stored(self, key: ValueKey, name: str) -> Stored:
        value = self._view.values[name]
        if key.store == "points":
            return self._program.components.points(parse_awards(str(value)))
        assert isinstance(value, int | str)
        return value
