"""Worlds that agree with what a viewer sees: the hidden cards are dealt anew each time.

Cards are dealt within their families, by the backs that lie on the table. What is known of hidden
piles (`knowledge`) stays where it is. Worlds are cheap: everything visible is laid out once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.facts import Fact, Seat
from engine.recycle.bounds import DEFAULT
from engine.recycle.faults import Fault
from engine.recycle.knowledge import known_cards
from engine.recycle.looking import (
    BACKS,
    CARDS,
    CHOSEN,
    NAMES,
    PILES,
    STATE,
    STOPPED,
    TEAMS,
    parse_names,
    parse_piles,
    parse_stop,
)
from engine.recycle.ops import Stored
from engine.recycle.points import parse_awards
from engine.recycle.program import Program
from engine.recycle.storage import ValueKey
from engine.recycle.table import NOWHERE
from engine.recycle.world import World
from engine.shuffle import SEED_BYTES, Shuffler, seed_from_int
from engine.unseen import NoDeal
from engine.views import View

_TRIES = 20
"""Hidden cards may leave a player nothing to choose from; then others are dealt."""


class Sampler:
    """What one viewer sees, ready to be completed at random again and again."""

    def __init__(self, program: Program, view: View, facts: Sequence[Fact]) -> None:
        self._program = program
        self._view = view
        self._ids = _Ids(program, view)
        self._template = self._laid_out()
        self._hidden = list(self._hidden_piles(facts))
        self._unseen = self._ids.rest()
        room = sum(size - len(known) for _, size, known in self._hidden)
        if room != sum(map(len, self._unseen.values())):
            raise NoDeal("the cards that were not seen do not fill the places for them")
        where = self._template.where
        where += [NOWHERE] * (self._ids.highest + 1 - len(where))

    def world(self, rng: Random) -> World:
        """One of the ways the hidden cards can lie, and those chosen unseen, each as likely."""
        for _ in range(_TRIES):
            world = self._dealt(rng)
            if world.over or self._ask(world, rng):
                return world
        raise NoDeal("whoever is asked has nothing to choose from")

    # What is seen.

    def _laid_out(self) -> World:
        program, values = self._program, self._view.values
        seed = Shuffler(seed_from_int(0), self._view.number("deal") - 1 if "deal" in values else 0)
        world = World(program, seed, DEFAULT)
        for key, owner in parse_piles(str(values.get(PILES, ""))):
            world.add_pile(key, owner)
        for slot, place in enumerate(world.places):
            if place.marks:
                tokens = str(values[place.name]).split()
                world.piles[slot] = [self._ids.kind(token) for token in tokens]
            else:
                for token in self._view.zones[place.name].cards:
                    world.lay(self._ids.take(token), slot)
        world.values = list(map(self._stored, program.value_keys, program.value_names))
        for named in parse_names(str(values.get(NAMES, ""))):
            world.more[named] = self._stored(named[0], program.storage.value_name(*named))
        if TEAMS in values:
            teams = str(values[TEAMS]).split()
            world.set_teams(tuple(tuple(map(int, team.split(","))) for team in teams))
        numbers = values[STATE]
        assert isinstance(numbers, tuple)
        world.pc, world.cur, world.queue, world.team, world.choices, *frames = numbers
        quads = [iter(frames)] * 4
        world.frames = list(zip(*quads, strict=True))
        if STOPPED in values:
            world.stop = parse_stop(str(values[STOPPED]))
        world.over = world.stop is not None or world.pc not in program.asks
        world.log.clear()
        return world

    def _stored(self, key: ValueKey, name: str) -> Stored:
        value = self._view.values[name]
        if key.store == "points":
            return self._program.points(parse_awards(str(value)))
        assert isinstance(value, int | str)
        return value

    def _hidden_piles(self, facts: Sequence[Fact]) -> Iterator[tuple[int, int, list[int]]]:
        """The slots of piles with backs in them, how many, and the cards that are known."""
        known = known_cards(facts)
        for slot, place in enumerate(self._template.places):
            backs = 0 if place.marks else self._view.zones[place.name].backs
            if backs:
                tokens = known.get(place.name, Counter()).elements()
                yield slot, backs, [self._ids.take(token) for token in tokens]

    # What is made up.

    def _dealt(self, rng: Random) -> World:
        world = self._template.clone()
        unseen = {family: cards[:] for family, cards in self._unseen.items()}
        for cards in unseen.values():
            rng.shuffle(cards)
        where = world.where
        for slot, size, known in self._hidden:
            pile = self._drawn(world, slot, size, known, unseen, rng)
            world.piles[slot] = pile
            for card in pile:
                where[card] = slot
        world.shuffler = Shuffler(rng.randbytes(SEED_BYTES), world.shuffler.deal)
        return world

    def _drawn(
        self,
        world: World,
        slot: int,
        size: int,
        known: list[int],
        unseen: dict[str, list[int]],
        rng: Random,
    ) -> list[int]:
        """The cards of a hidden pile: those known to be in it, and drawn ones, in any order."""
        backs = self._view.values.get(BACKS + world.places[slot].name)
        if backs is None:
            (cards,) = unseen.values()
            pile = known + [cards.pop() for _ in range(size - len(known))]
            if known:
                rng.shuffle(pile)
            return pile
        family = self._program.decks.family
        wanted = str(backs).split()
        stacks = {back: [card for card in known if family(card) == back] for back in set(wanted)}
        for back, stack in stacks.items():
            stack += [unseen[back].pop() for _ in range(wanted.count(back) - len(stack))]
            rng.shuffle(stack)
        return [stacks[back].pop() for back in wanted]

    def _ask(self, world: World, rng: Random) -> bool:
        """Wait for those who are asked; False if one of them has nothing to choose from."""
        turn = self._view.values["turn"]
        own = self._view.values.get(CHOSEN, ())
        assert isinstance(turn, tuple)
        assert isinstance(own, tuple)
        chosen: list[tuple[Seat, int]] = []
        try:
            if self._program.asks[world.pc].unseen:
                for seat in range(self._program.players):
                    world.wait_for((seat,))
                    if seat not in turn:
                        drawn = rng.randrange(world.count) if world.count else 0
                        chosen.append((seat, own[1] if own[:1] == (seat,) else drawn))
            world.wait_for(turn)
        except Fault:
            return False
        world.chosen = tuple(chosen)
        return bool(world.offered)


class _Ids:
    """The cards of the game by kind, handed out one by one."""

    def __init__(self, program: Program, view: View) -> None:
        self._program = program
        self._kinds = {token: kind for kind, token in enumerate(program.decks.tokens)}
        counts = view.values.get(CARDS, program.made_by_setup)
        assert isinstance(counts, tuple)
        apart = len(counts)
        self._most = max(counts)
        self._left = [
            [kind + apart * copy for copy in reversed(range(count))]
            for kind, count in enumerate(counts)
        ]

    @property
    def highest(self) -> int:
        """No card has a higher number."""
        return len(self._left) * self._most

    def kind(self, token: str) -> int:
        return self._kinds[token]

    def take(self, token: str) -> int:
        cards = self._left[self._kinds[token]]
        if not cards:
            raise NoDeal(f"{token} was seen more often than it exists")
        return cards.pop()

    def rest(self) -> dict[str, list[int]]:
        """The cards that nobody has seen, by the family of their backs."""
        families: dict[str, list[int]] = {kind.family: [] for kind in self._program.decks.kinds}
        for cards in self._left:
            for card in cards:
                families[self._program.decks.family(card)].append(card)
        return families
