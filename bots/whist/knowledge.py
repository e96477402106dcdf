"""A seat's knowledge of a deal of Whist, read from its view and its facts into ints."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bots.bot import Position
from bots.whist.bits import ALL, beats
from bots.whist.plain import certain_tricks
from engine.cards import SYMBOLS, Card, Suit, parse_card, suit_of
from engine.facts import Fact, Seat
from engine.games.whist import NO_BID
from engine.tricks import trick_winner
from engine.unseen import Place
from engine.views import View

_DOUBT = 4.0
"""Deals without anything to learn from, counted in beside those played (`paranoia_of`)."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A seat's knowledge. Sets of cards are ints (`bots.whist.bits`); tuples have a place a seat.

    `line` are all cards played in this deal, in order, `trick` how many of them lie in the trick.
    `sizes` are the cards each has in hand, `dealt` the cards each was dealt, `shown` those that lie
    open in the hands of others.
    """

    seat: Seat
    seats: int
    trump: Suit
    dealt: int
    dealer: Seat
    leader: Seat
    hand: int
    turned: Card
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    sizes: tuple[int, ...]
    voids: tuple[frozenset[Suit], ...]
    line: tuple[Card, ...]
    trick: int
    stock: int
    hook: bool
    nil_score: int
    shown: tuple[tuple[Card, ...], ...] = ()

    @property
    def seen(self) -> int:
        """The cards that lie or have lain face up."""
        return cards_set(self.line) | 1 << self.turned

    @property
    def unseen(self) -> int:
        """The cards this seat has not seen, as a set: other hands and the stock."""
        return ALL & ~self.hand & ~self.seen

    @property
    def played(self) -> tuple[int, ...]:
        """The cards each seat has played, as sets."""
        sets = [0] * self.seats
        for seat, card in self.plays():
            sets[seat] |= 1 << card
        return tuple(sets)

    def plays(self) -> Iterator[tuple[Seat, Card]]:
        """The seat and the card of each play, in order."""
        leader = (self.dealer + 1) % self.seats
        for start in range(0, len(self.line), self.seats):
            trick = self.line[start : start + self.seats]
            for place, card in enumerate(trick):
                yield (leader + place) % self.seats, card
            leader = (leader + trick_winner(trick, trump=self.trump)) % self.seats

    @property
    def best(self) -> Card:
        """The card that takes the trick so far; −1 before its first card."""
        best = -1
        for card in self.line[len(self.line) - self.trick :]:
            if best < 0 or beats(card, best, self.trump):
                best = card
        return best

    @property
    def bidders(self) -> tuple[Seat, ...]:
        """The seats in the order in which they bid."""
        return tuple((self.dealer + 1 + step) % self.seats for step in range(self.seats))

    @property
    def barred(self) -> int:
        """The bid the dealer may not make once all others have bid; −1 if every bid is allowed."""
        if not self.hook:
            return -1
        left = self.dealt - sum(bid for bid in self.bids if bid != NO_BID)
        return max(left, -1)

    @property
    def certain(self) -> int:
        """How many more tricks this seat takes for certain, between tricks."""
        return certain_tricks(self.hand, self.unseen, self.trump)

    @property
    def hidden(self) -> tuple[int, ...]:
        """The number of cards of each seat that this seat cannot see: none of its own."""
        return tuple(0 if seat == self.seat else size for seat, size in enumerate(self.sizes))

    def places(self) -> tuple[Place, ...]:
        """The places for unseen cards: a hand for each seat, the own one empty, and the stock."""
        shown = self.shown or ((),) * self.seats
        hands = (
            Place(size, without, holds=holds)
            for size, without, holds in zip(self.hidden, self.voids, shown, strict=True)
        )
        return (*hands, Place(self.stock))


def read_position(position: Position) -> Knowledge:
    """The knowledge of the seat of `position`; the position must hold the facts of the deal."""
    view = position.view
    seats = sum(name.startswith("hand/") for name in view.zones)
    line, voids = _follow(position.facts, seats)
    return Knowledge(
        seat=position.seat,
        seats=seats,
        trump=SYMBOLS.index(str(view.values["trump"])),
        dealt=view.number("cards"),
        dealer=view.number("dealer"),
        leader=view.number("leader"),
        hand=cards_set(map(parse_card, view.cards("hand", position.seat))),
        turned=parse_card(*view.cards("turned")),
        bids=tuple(
            view.number(f"bid/{seat}") if f"bid/{seat}" in view.values else NO_BID
            for seat in range(seats)
        ),
        taken=tuple(view.number(f"tricks/{seat}") for seat in range(seats)),
        sizes=tuple(len(view.zones[f"hand/{seat}"]) for seat in range(seats)),
        voids=voids,
        line=line,
        trick=len(view.cards("trick")),
        stock=len(view.zones["deck"]),
        hook=bool(position.options.get("hook", True)),
        nil_score=int(position.options.get("nil_score", 10)),
        shown=tuple(
            tuple(map(parse_card, view.cards("hand", seat))) if seat != position.seat else ()
            for seat in range(seats)
        ),
    )


def cards_set(cards: Iterable[Card]) -> int:
    """The set of some cards."""
    return sum(1 << card for card in cards)


def _follow(
    facts: Sequence[Fact], seats: int
) -> tuple[tuple[Card, ...], tuple[frozenset[Suit], ...]]:
    """The cards played so far, and for each seat the suits it has shown to lack."""
    line: list[Card] = []
    voids: list[frozenset[Suit]] = [frozenset()] * seats
    for fact in facts:
        if fact.verb != "card_played":
            continue
        seat, token = fact.args["seat"], fact.args["card"]
        assert isinstance(seat, int)
        assert isinstance(token, str)
        card = parse_card(token)
        led = suit_of(line[len(line) - len(line) % seats]) if len(line) % seats else suit_of(card)
        if suit_of(card) != led:
            voids[seat] |= {led}
        line.append(card)
    return tuple(line), tuple(voids)


def paranoia_of(view: View, seat: Seat, strength: float) -> tuple[float, ...]:
    """For each seat how hostile it has been to `seat` in this match, from 0 to `strength`.

    The measure is how much more often `seat` missed its bid in deals in which the other did too,
    held down while few deals are played. Source: Whist document, slide 20 ("Learned paranoia degree
    for each opponent").
    """
    seats = sum(name.startswith("hand/") for name in view.zones)
    # A match may have begun with a later deal, and a deal on its own has no number.
    played = range(1, view.number("deal")) if strength and "deal" in view.values else ()
    missed = [_missed(view, deal) for deal in played if f"sheet/bid/{deal}" in view.values]
    usual = sum(deal[seat] for deal in missed) / len(missed) if missed else 0.0
    learnt = []
    for other in range(seats):
        deals = [deal for deal in missed if deal[other]] if other != seat else []
        excess = sum(deal[seat] for deal in deals) - usual * len(deals)
        learnt.append(strength * max(0.0, excess) / (len(deals) + _DOUBT))
    return tuple(learnt)


def _missed(view: View, deal: int) -> tuple[bool, ...]:
    """For each seat, whether it missed its bid in a deal that is over."""
    bids, tricks = view.values[f"sheet/bid/{deal}"], view.values[f"sheet/tricks/{deal}"]
    assert isinstance(bids, tuple)
    assert isinstance(tricks, tuple)
    return tuple(bid != taken for bid, taken in zip(bids, tricks, strict=True))
