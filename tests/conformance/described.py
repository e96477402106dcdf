"""Described games as subjects of the suite, and worlds that a seat cannot tell apart.

Every card of these games is dealt by the one shuffle of a deal. So a second world is the same game
with some cards that the viewer never saw exchanged in that shuffle, as far as all moves that were
made stay possible; whatever is drawn later comes from another seed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TypeAlias, TypeVar, cast

from hypothesis import strategies as st

from engine import Match, MatchState, Setup, Shuffler, View, Viewer, seed_from_int
from engine.cards import TOKENS, Token
from engine.choices import Action
from engine.facts import OPEN, Move, Seat, Show, ZoneId, seen_by
from engine.game import Game
from engine.recycle import Description, load
from engine.recycle.running.storage import Pile
from engine.recycle.running.world import World as RunningWorld
from engine.recycle.running.world import cards_of_setup
from engine.recycle.state import State, freeze, limits_of
from engine.recycle.views.action_texts import action_texts
from tests.conformance.playing import Played
from tests.conformance.subject import Lying, Sight, Subject, World

Deals: TypeAlias = MatchState[State]
T = TypeVar("T")

GAMES = Path(load.__code__.co_filename).parent / "games"
_ALL = 2**64
"""More draws than any deal has."""
_GRAMMAR = re.compile(r"[a-z][a-z0-9_/]*(?: [!-~]+)*")
_MALFORMED = ("", "play ", "PLAY QS", "play  QS", " play QS", "play Q♠", "play QS\n", "Q")


@dataclass(frozen=True, slots=True)
class Arranged(Shuffler):
    """A shuffler with cards of one deal exchanged, and other draws after the first `made`."""

    number: int = 0
    made: int = 0
    exchanged: tuple[int, ...] = ()

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        source = self._source(label)
        drawn = source.shuffled(label, items)
        if self.deal == self.number and label == "shuffle/1" and self.exchanged:
            # What a described game shuffles are its cards' numbers.
            return tuple(cast(T, self.exchanged[cast(int, card)]) for card in drawn)
        return drawn

    def below(self, label: str, n: int, index: int = 0) -> int:
        return self._source(label).below(label, n, index)

    def _source(self, label: str) -> Shuffler:
        later = self.deal > self.number or int(label.partition("/")[2]) > self.made
        other = bytes(255 - byte for byte in self.seed)
        return Shuffler(other if later and self.deal >= self.number else self.seed, self.deal)


def described(
    name: str,
    sights: Mapping[str, Sight],
    game: Description | None = None,
    announced: Sequence[str] = (),
    lots_are_seen: bool = False,
) -> Subject[Deals]:
    """The subject of one of our descriptions; with `game`, of a variant of it.

    By the rules everybody is told the values `announced` and the score of each deal, for which
    cards left in hands may count. If `lots` are drawn openly, the second world draws equal ones.
    """
    played = game or load((GAMES / f"{name}.rcy").read_text("utf-8"), name)
    worlds = Worlds(played, lots_are_seen, announced)
    return Subject(
        name=name.lower(),
        game=worlds.match,
        setups=setups(played.program.players),
        sights=sights,
        lying=worlds.lying,
        pack=lambda setup: worlds.pack(),
        books=books,
        plausible=worlds.plausible,
        grammar=lambda action: _GRAMMAR.fullmatch(action) is not None,
        scramble=worlds.scramble,
        rebuild=worlds.rebuild,
        announced=lambda state: (worlds.announced(state.deal), state.totals),
    )


@st.composite
def setups(draw: st.DrawFn, seats: int) -> Setup:
    """Setups of matches of one deal or two."""
    options = {"deals": draw(st.sampled_from((1, 1, 2))), "choices": 20_000, "steps": 200}
    return Setup(seats, options, Shuffler(seed_from_int(draw(st.integers(0, 2**64)))))


def books(view: View) -> tuple[object, object]:
    """The books of the game: a led card that is remembered lies in the trick."""
    led = set(str(view.values.get("lead", "")).split())
    tricks = {card for seat in range(8) for card in view.cards("trick", seat)}
    return led, led & tricks


class Worlds:
    """Where each card of a game lies, and where else it could lie."""

    def __init__(
        self, game: Description, lots_are_seen: bool = False, announced: Sequence[str] = ()
    ) -> None:
        self.game = game
        self.match = Match(game)
        self.lots_are_seen = lots_are_seen
        self.told = announced

    def pack(self) -> Counter[Token]:
        """The cards that the game begins with."""
        tokens, counts = (
            self.game.program.components.decks.tokens,
            cards_of_setup(self.game.program),
        )
        return Counter(dict(zip(tokens, counts, strict=True)))

    def lying(self, state: Deals) -> dict[ZoneId, list[Lying]]:
        """The place of every card; marks are no cards."""
        token = self.game.program.components.decks.token
        return {
            place.name: [Lying(token(card), False) for card in pile]
            for place, pile in self.piles(state)
        }

    def piles(self, state: Deals) -> Iterator[tuple[Pile, tuple[int, ...]]]:
        """All piles of cards, those created during play included."""
        storage = self.game.program.components.storage
        added = (storage.pile(key, owner) for key, owner in state.deal.added)
        places = (*storage.piles, *added)
        for place, pile in zip(places, state.deal.piles, strict=True):
            if place.key.place != "mem":
                yield place, pile

    def announced(self, deal: State) -> list[object]:
        """The values that the rules tell everybody, for all their owners."""
        values = self.game.view(deal, OPEN).values
        return [values[key] for key in values if key.partition("/")[0] in self.told]

    def unchanged(self, state: Deals) -> list[int]:
        """The exchange of no cards: every card number in its own place."""
        return list(range(1 + max(card for _, pile in self.piles(state) for card in pile)))

    def plausible(self, state: Deals) -> Iterator[Action]:
        """Plausible texts of actions: every card in several wordings, and much that is no move."""
        for _ in range(4):
            yield from _MALFORMED
        for verb in ("play", "take", "give"):
            yield from (f"{verb} {token}" for token in TOKENS)
        yield from (f"play {token} to trick" for token in self.game.program.components.decks.tokens)
        yield from ("pass", "bid 3", "play", "play QS QS", "play QS #2", "play @1")

    def scramble(self, played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> World[Deals]:
        """Exchange cards that the viewer never saw, so that all moves so far stay possible."""
        past, family = _Past.of(self, played, at), self.game.program.components.decks.family
        unseen = past.unseen(viewer)
        exchanged = self.unchanged(played.steps[at].state)
        for _ in range(12 if len(unseen) > 1 else 0):
            one, two = rng.sample(unseen, 2)
            if family(one) != family(two):
                continue
            exchanged[one], exchanged[two] = exchanged[two], exchanged[one]
            if past.moves(tuple(exchanged)) is None:
                exchanged[one], exchanged[two] = exchanged[two], exchanged[one]
        return past.world(self.match, exchanged)

    def rebuild(
        self, game: Game[Deals], played: Played[Deals], at: int, state: Deals
    ) -> World[Deals]:
        """The match whose shuffle brings the cards to their places in `state`."""
        now, family = played.steps[at].state, self.game.program.components.decks.family
        exchanged = self.unchanged(now)
        for (_, mine), (_, other) in zip(self.piles(now), self.piles(state), strict=True):
            # Nobody can tell in which order hidden cards lie, so what may stay in place stays. But
            # their backs are seen.
            here = sorted((card for card in mine if card not in other), key=family)
            instead = sorted((card for card in other if card not in mine), key=family)
            for card, new in zip(here, instead, strict=True):
                exchanged[card] = new
        return _Past.of(self, played, at).world(game, exchanged)


@dataclass(frozen=True)
class _Past:
    """The deal in play at step `at`, which began at step `begun`."""

    worlds: Worlds
    played: Played[Deals]
    at: int
    begun: int

    @classmethod
    def of(cls, worlds: Worlds, played: Played[Deals], at: int) -> "_Past":
        number = played.steps[at].state.number
        begun = next(k for k, step in enumerate(played.steps) if step.state.number == number)
        return cls(worlds, played, at, begun)

    @property
    def game(self) -> Description:
        return self.worlds.game

    def world(self, game: Game[Deals], exchanged: Sequence[int]) -> World[Deals]:
        """The world in which the given cards are exchanged in this deal."""
        cards = tuple(exchanged)
        setup = replace(self.played.setup, shuffler=self.arranged(cards))
        return World(game, setup, self.moves(cards))

    def arranged(self, exchanged: tuple[int, ...]) -> Arranged:
        """The shuffler of the world in which the given cards are exchanged in this deal."""
        state, shuffler = self.played.steps[self.at].state, self.played.setup.shuffler
        same = _ALL if self.worlds.lots_are_seen else state.deal.draws
        return Arranged(shuffler.seed, 0, state.number, same, exchanged)

    def unseen(self, viewer: Viewer) -> list[int]:
        """The cards whose face the viewer was never shown in this deal."""
        facts = [
            fact for step in self.played.steps[self.begun : self.at + 1] for fact in step.facts
        ]
        begun = max(at for at, fact in enumerate(facts) if fact.verb == "deal_started")
        named: set[Token] = set()
        for fact in seen_by(tuple(facts[begun:]), viewer):
            for change in fact.changes:
                if isinstance(change, Move | Show) and isinstance(change.cards, tuple):
                    named |= set(change.cards)
        token = self.game.program.components.decks.token
        cards = (card for pile in self.played.steps[self.begun].state.deal.piles for card in pile)
        return [card for card in sorted(set(cards)) if token(card) not in named]

    def moves(self, exchanged: tuple[int, ...]) -> list[tuple[Seat, Action]] | None:
        """The moves so far in the words of the world with the given cards exchanged.

        Where only one of two equal cards is left, say, it needs no number. None if some move could
        not have been made, or would have made somebody tell something else.
        """
        number = self.played.steps[self.at].state.number
        one = self._table(self.played.setup.shuffler.of_deal(number))
        two = self._table(self.arranged(exchanged).of_deal(number))
        moves = list(self.played.moves[: self.begun])
        for at in range(self.begun, self.at):
            seat, action = self.played.moves[at]
            deal = self.played.steps[at].state.deal
            index = self.game.choices(deal, seat).actions.index(action)
            for table in (one, two):
                if seat in table.asked:
                    table.ask_first(seat)
            option = one.offered[index]
            if seat != two.seat or option not in two.offered:
                return None
            other = two.offered.index(option)
            moves.append((seat, action_texts(two)[other]))
            two.play(other)
            one.play(index)
            if self.worlds.told and self._announced(one) != self._announced(two):
                return None
        return moves if one.asked == two.asked else None

    def _announced(self, table: RunningWorld) -> list[object]:
        return self.worlds.announced(freeze(table, self.played.setup))

    def _table(self, shuffler: Shuffler) -> RunningWorld:
        table = RunningWorld(self.game.program, shuffler, limits_of(self.played.setup))
        table.begin()
        return table
