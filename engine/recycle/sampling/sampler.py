"""Sampled worlds that agree with what a viewer sees, with the hidden cards dealt at random.

Cards are dealt within their families, by the backs that lie on the table. Cards known to be in
hidden piles (`known_cards`) stay there, and what moves gave away (`inference`) is respected where
all backs are alike. Worlds are cheap: everything visible is laid out once.
Source: RECYCLE, "Semantics" 16.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from engine.cards import Token
from engine.facts import Fact, Seat, ZoneId
from engine.recycle.errors import Fault
from engine.recycle.running.program import Program
from engine.recycle.running.world import World
from engine.recycle.sampling.inference import barred_cards
from engine.recycle.sampling.known_cards import known_cards
from engine.recycle.sampling.visible import Seen
from engine.recycle.views.view import BACKS, CHOSEN
from engine.shuffle import SEED_BYTES, Shuffler
from engine.unseen import Deals, NoDeal, Place
from engine.views import View

_TRIES = 20
"""Hidden cards may leave a player nothing to choose from; then others are dealt."""


class Sampler:
    """One viewer's knowledge, prepared for sampling worlds again and again.

    With `infer` no card lies where moves have shown that it cannot. That looks at every move of
    the deal, so it takes some milliseconds; each world after that is as cheap as without.
    """

    def __init__(
        self, program: Program, view: View, facts: Sequence[Fact], infer: bool = False
    ) -> None:
        self._program = program
        self._view = view
        seen = Seen(program, view)
        self._template = seen.world
        known = known_cards(facts)
        places = seen.world.state.places
        self._known = {
            slot: [
                seen.ids.take(token)
                for token in known.get(places[slot].name, Counter[Token]()).elements()
            ]
            for slot in seen.hidden
        }
        self._sizes = seen.hidden
        self._unseen = seen.ids.rest()
        room = sum(self._sizes.values()) - sum(map(len, self._known.values()))
        if room != sum(map(len, self._unseen.values())):
            raise NoDeal("the cards that were not seen do not fill the places for them")
        alike = infer and program.components.families == 1
        self._deals = self._constrained(barred_cards(program, facts)) if alike else None

    def world(self, rng: Random) -> World:
        """A random world: all possible hidden cards and simultaneous choices, equally likely."""
        for _ in range(_TRIES):
            world = self._dealt(rng)
            if world.over or self._ask(world, rng):
                return world
        raise NoDeal("whoever is asked has nothing to choose from")

    def _constrained(self, barred: Mapping[ZoneId, frozenset[Token]]) -> Deals | None:
        """All deals that respect the barred cards; None if there is none."""
        (unseen,) = self._unseen.values()
        token = self._program.components.decks.token
        places = []
        for slot, size in self._sizes.items():
            out = barred.get(self._template.state.places[slot].name, frozenset())
            cannot = frozenset(card for card in unseen if token(card) in out)
            places.append(Place(size, barred=cannot, holds=tuple(self._known[slot])))
        cards = [*unseen, *(card for held in self._known.values() for card in held)]
        try:
            return Deals(cards, places)
        except NoDeal:
            return None

    def _dealt(self, rng: Random) -> World:
        world = self._template.clone()
        where = world.state.where
        for slot, pile in self._drawn_piles(world, rng):
            world.state.piles[slot] = pile
            for card in pile:
                where[card] = slot
        evaluator = world.evaluator
        evaluator.shuffler = Shuffler(rng.randbytes(SEED_BYTES), evaluator.shuffler.deal)
        return world

    def _drawn_piles(self, world: World, rng: Random) -> list[tuple[int, list[int]]]:
        if self._deals is not None:
            piles = list(map(list, self._deals.draw(rng)))
            for pile in piles:
                rng.shuffle(pile)
            return list(zip(self._sizes, piles, strict=True))
        unseen = {family: cards[:] for family, cards in self._unseen.items()}
        for cards in unseen.values():
            rng.shuffle(cards)
        return [(slot, self._drawn(world, slot, unseen, rng)) for slot in self._sizes]

    def _drawn(
        self, world: World, slot: int, unseen: dict[str, list[int]], rng: Random
    ) -> list[int]:
        """The cards of a hidden pile, known and drawn ones, in random order."""
        size, known = self._sizes[slot], self._known[slot]
        backs = self._view.values.get(BACKS + world.state.places[slot].name)
        if backs is None:
            (cards,) = unseen.values()
            pile = known + [cards.pop() for _ in range(size - len(known))]
            if known:
                rng.shuffle(pile)
            return pile
        family = self._program.components.decks.family
        wanted = str(backs).split()
        stacks = {back: [card for card in known if family(card) == back] for back in set(wanted)}
        for back, stack in stacks.items():
            stack += [unseen[back].pop() for _ in range(wanted.count(back) - len(stack))]
            rng.shuffle(stack)
        return [stacks[back].pop() for back in wanted]

    def _ask(self, world: World, rng: Random) -> bool:
        """Let the seats to move choose; False if one of them has no option."""
        turn = self._view.values["turn"]
        own = self._view.values.get(CHOSEN, ())
        assert isinstance(turn, tuple)
        assert isinstance(own, tuple)
        chosen: list[tuple[Seat, int]] = []
        try:
            if self._program.asks[world.pc].unseen:
                for seat in range(self._program.players):
                    world.wait_for((seat,))
                    if not world.offered:
                        return False
                    if seat not in turn:
                        drawn = rng.randrange(world.count)
                        chosen.append((seat, own[1] if own[:1] == (seat,) else drawn))
            world.wait_for(turn)
        except Fault:
            return False
        world.chosen = tuple(chosen)
        return bool(world.offered)
