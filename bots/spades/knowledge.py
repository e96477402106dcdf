"""What a seat knows of a deal of Spades, read from its view and its facts into ints."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.bot import Position
from bots.spades.bits import ALL, ALL_SPADES, beats, set_of
from bots.spades.policy import Sight
from engine.cards import Card, parse_card, suit_of
from engine.facts import Fact, Seat
from engine.games.spades import NIL, NO_BID, lacking, partner_of
from engine.games.spades.state import SEATS, TRICKS
from engine.unseen import Place
from engine.views import View

USUAL = {"bags": True, "nil": "100", "nil_tricks": False, "breaking": True}
"""What a table plays by if its options are not told."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options that change how a deal is played or scored; `nil` is 0 without nils."""

    bags: bool
    nil: int
    nil_tricks: bool
    breaking: bool


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A seat's knowledge. Sets of cards are ints (`bots.spades.bits`); tuples have a place a seat.

    `played` are the cards that each seat has played, `trick` those that lie in the trick, the
    first from `leader`. `voids` are the suits that a seat has shown to lack, `shown` the cards that
    lie open in the hands of others. `bags` and `totals` are those of the seat's team before the
    deal.
    """

    seat: Seat
    leader: Seat
    hand: int
    played: tuple[int, ...]
    trick: tuple[Card, ...]
    sizes: tuple[int, ...]
    bids: tuple[int, ...]
    blind: tuple[bool, ...]
    tricks: tuple[int, ...]
    voids: tuple[frozenset[int], ...]
    bags: tuple[int, ...]
    totals: tuple[int, ...]
    rules: Rules
    shown: tuple[tuple[Card, ...], ...] = ((),) * SEATS

    @property
    def seen(self) -> int:
        """The cards that lie or have lain face up."""
        return self.played[0] | self.played[1] | self.played[2] | self.played[3]

    @property
    def unseen(self) -> int:
        """The cards in the hands of the others."""
        return ALL & ~self.hand & ~self.seen

    @property
    def spades_free(self) -> bool:
        """Whether spades may be led."""
        return bool(self.seen & ALL_SPADES) or not self.rules.breaking

    def places(self) -> tuple[Place, ...]:
        """The places for unseen cards: a hand for each seat, the own one empty."""
        sizes = (0 if seat == self.seat else size for seat, size in enumerate(self.sizes))
        return tuple(
            Place(size, without, holds=holds)
            for size, without, holds in zip(sizes, self.voids, self.shown, strict=True)
        )

    def sight(self) -> Sight:
        """The rules player's view of the table, when it is the seat's turn to play."""
        best, winner = -1, -1
        for place, card in enumerate(self.trick):
            if beats(card, best):
                best, winner = card, (self.leader + place - self.seat) % SEATS
        voids = nils = 0
        for step in range(SEATS):
            other = (self.seat + step) % SEATS
            for suit in self.voids[other]:
                voids |= 1 << 4 * step + suit
            if self.bids[other] == NIL and self.tricks[other] == 0:
                nils |= 1 << step
        spoilt = self.bids[self.seat] == NIL and not self.rules.nil_tricks
        return Sight(
            hand=self.hand,
            unseen=self.unseen,
            led=suit_of(self.trick[0]) if self.trick else -1,
            best=best,
            winner=winner,
            laid=len(self.trick),
            voids=voids,
            nils=nils,
            need=self.need(self.seat),
            their_need=self.need((self.seat + 1) % SEATS),
            spoilt=spoilt,
        )

    def need(self, seat: Seat) -> int:
        """The tricks that the contract of a seat's team still needs; negative beyond it."""
        need = 0
        for one in (seat, partner_of(seat)):
            need += max(self.bids[one], 0)
            if self.bids[one] != NIL or self.rules.nil_tricks:
                need -= self.tricks[one]
        return need


def read_position(position: Position) -> Knowledge:
    """The knowledge that `position` gives its seat; its facts are needed."""
    view = position.view
    rules = rules_of(position)
    zones = [view.zones[f"hand/{seat}"] for seat in range(SEATS)]
    # While anybody's cards still lie in the deck, a hand without cards is one of those.
    undealt = len(view.zones["deck"]) > 0
    return Knowledge(
        seat=position.seat,
        leader=view.number("leader"),
        hand=set_of(map(parse_card, view.cards("hand", position.seat))),
        played=_played(position.facts),
        trick=tuple(map(parse_card, view.cards("trick"))),
        sizes=tuple(TRICKS if undealt and not len(zone) else len(zone) for zone in zones),
        bids=_numbers(view, "bid", NO_BID),
        blind=tuple(f"blind/{seat}" in view.values for seat in range(SEATS)),
        tricks=_numbers(view, "tricks", 0),
        voids=lacking(position.facts, breaking=rules.breaking),
        bags=_numbers(view, "bags", 0),
        totals=_numbers(view, "total", 0),
        rules=rules,
        shown=tuple(
            tuple(map(parse_card, zone.cards)) if seat != position.seat else ()
            for seat, zone in enumerate(zones)
        ),
    )


def rules_of(position: Position) -> Rules:
    """The options of the table, with defaults for those that are not told."""
    options = {**USUAL, **position.options}
    nil = str(options["nil"])
    return Rules(
        bags=bool(options["bags"]),
        nil=0 if nil == "off" else int(nil),
        nil_tricks=bool(options["nil_tricks"]),
        breaking=bool(options["breaking"]),
    )


def _numbers(view: View, name: str, missing: int) -> tuple[int, ...]:
    """The value of that name for each seat."""
    keys = (f"{name}/{seat}" for seat in range(SEATS))
    return tuple(view.number(key) if key in view.values else missing for key in keys)


def _played(facts: Sequence[Fact]) -> tuple[int, ...]:
    """The cards that each seat has played in this deal."""
    played = [0] * SEATS
    for fact in facts:
        if fact.verb == "card_played":
            seat, token = fact.args["seat"], fact.args["card"]
            assert isinstance(seat, int)
            assert isinstance(token, str)
            played[seat] |= 1 << parse_card(token)
    return tuple(played)
