"""What games of hands and tricks share: zones, dealing, moves, facts and unseen cards.

Facts of single cards are kept once made: a busy server tells the same few thousand all the time.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import starmap
from random import Random

from engine.cards import Card, Piles, card_text, card_texts, parse_card, suit_of, suit_text
from engine.choices import Action
from engine.errors import BadAction, NotYourTurn
from engine.facts import (
    AddressedFact,
    Change,
    Lay,
    Move,
    Seat,
    Set,
    Value,
    ZoneId,
    private,
    public,
    to_others,
)
from engine.game import MoveForm
from engine.phrases import Phrase
from engine.shuffle import Shuffler
from engine.views import View, Zone

_BID = re.compile(r"bid (0|[1-9][0-9]?)")
_PLAY = re.compile(r"play ([2-9TJQKA][CDSH])")

PLAY = MoveForm("play", "play", source="hand", target="trick")
BID = MoveForm("bid", "bid")
"""The moves that most of these games know (`GameInfo.moves`)."""

ASK_BID = Phrase("ask_bid")
ASK_LEAD = Phrase("ask_lead")
"""Questions that most of these games ask."""


def hand(seat: Seat) -> ZoneId:
    """The zone of the cards that `seat` holds."""
    return f"hand/{seat}"


def taken(seat: Seat) -> ZoneId:
    """The zone of the cards that `seat` has won in tricks."""
    return f"taken/{seat}"


def zone(cards: tuple[Card, ...], seen: bool) -> Zone:
    """A pile of which a viewer sees every card, or none."""
    return Zone(card_texts(cards)) if seen else Zone(backs=len(cards))


@cache
def play_text(card: Card) -> Action:
    """The move that plays `card`: ``play QS``."""
    return f"play {card_text(card)}"


@cache
def bid_text(bid: int) -> Action:
    """The move that bids `bid` tricks: ``bid 3``."""
    return f"bid {bid}"


@lru_cache(maxsize=1024)
def bid_or_play(action: Action) -> tuple[str, int]:
    """The verb, and the number bid or the card played; `BadAction` if it is neither.

    >>> bid_or_play("bid 3"), bid_or_play("play 3C")
    (('bid', 3), ('play', 1))
    """
    if bid := _BID.fullmatch(action):
        return "bid", int(bid[1])
    if play := _PLAY.fullmatch(action):
        return "play", parse_card(play[1])
    raise BadAction(f"{action!r} is no move; moves look like 'bid 3' or 'play QS'")


def ask_card(trick: Sequence[Card], held: Iterable[Card]) -> Phrase:
    """The question to lead, to follow suit, or to play another card if none of the suit is `held`.

    >>> [ask_card(trick, (0, 1)).code for trick in ((), (4,), (13,))]
    ['ask_lead', 'ask_follow', 'ask_void']
    """
    if not trick:
        return ASK_LEAD
    led = suit_of(trick[0])
    code = "ask_follow" if any(suit_of(card) == led for card in held) else "ask_void"
    return Phrase(code, {"suit": suit_text(trick[0])})


def check_asked(seat: Seat, asked: Sequence[Seat]) -> None:
    """Raise `NotYourTurn` unless `seat` is among those that may act now."""
    if seat not in asked:
        raise NotYourTurn(f"seat {seat} is not asked")


def dealer_of(shuffler: Shuffler, seats: int) -> Seat:
    """The dealer: a seat drawn once for the match, then the seat to its left, and so on."""
    return (shuffler.of_match().below("dealer", seats) + shuffler.deal) % seats


def sorted_hands(pack: Sequence[Card], seats: int, each: int) -> Piles:
    """Sorted hands of `each` cards, dealt from the top of `pack`, seat 0's hand first."""
    return tuple(tuple(sorted(pack[seat * each : (seat + 1) * each])) for seat in range(seats))


def table_laid(
    blank: View, *, stock: ZoneId = "deck", without: Iterable[str] = ()
) -> tuple[Change, ...]:
    """The changes that begin a deal: all cards lie in `stock`, and the values are those of `blank`.

    `blank` is what a spectator sees of the deal. `without` are keys of values that the deal before
    may have left behind; those that `blank` has not are taken away.
    """
    zones = dict.fromkeys(blank.zones, 0)
    zones[stock] = sum(map(len, blank.zones.values()))
    values: dict[str, Value] = {**dict.fromkeys(without), **blank.values}
    return (Lay(zones), *starmap(Set, values.items()))


def hand_dealt(
    seat: Seat, cards: tuple[Card, ...], stock: ZoneId = "deck"
) -> Iterator[AddressedFact]:
    """`seat` gets its hand out of `stock`: by name for the seat, as backs for all others."""
    args: dict[str, Value] = {"seat": seat, "count": len(cards)}
    target = hand(seat)
    yield private(seat, "hand_dealt", args, (Move(stock, target, card_texts(cards)),))
    yield to_others(seat, "hand_dealt", args, (Move(stock, target, len(cards)),))


@lru_cache(maxsize=16384)
def card_played(
    seat: Seat, card: Card, turn: Seat | None, source: ZoneId | None = None
) -> AddressedFact:
    """A card leaves the hand or the zone `source`; `turn` is next unless the trick is full."""
    token = card_text(card)
    changes: tuple[Change, ...] = (Move(source or hand(seat), "trick", (token,)),)
    if turn is not None:
        changes = (*changes, Set("turn", (turn,)))
    return public("card_played", {"seat": seat, "card": token}, changes)


def cards_in(zone: Zone) -> tuple[Card, ...]:
    """The cards of a zone that the viewer sees."""
    return tuple(map(parse_card, zone.cards))


def unseen_cards(view: View, pack: Iterable[Card]) -> list[Card]:
    """The cards of `pack` that lie face down for the owner of `view`, in the order of `pack`."""
    unseen = Counter(pack)
    unseen.subtract(card for zone in view.zones.values() for card in cards_in(zone))
    return list(unseen.elements())


def deal_number(view: View) -> int:
    """The number of the deal that `view` shows, from 0; a single deal has number 0."""
    return view.number("deal", 1) - 1


def completed_hands(zones: Iterable[Zone], dealt: Iterable[tuple[Card, ...]]) -> Piles:
    """The cards of each zone: those seen, and those `dealt` in place of the others, sorted."""
    return tuple(
        tuple(sorted(cards_in(zone) + more)) for zone, more in zip(zones, dealt, strict=True)
    )


def taken_piles(view: View, seats: int) -> Piles:
    """The cards that each seat has won in tricks; everybody sees them."""
    return tuple(cards_in(view.zones[taken(seat)]) for seat in range(seats))


def shuffler_that_deals(view: View, seats: int, rng: Random) -> Shuffler:
    """A shuffler for a sample: it draws the cards of later deals anew, and keeps their dealers.

    Everybody knows who deals `view`'s deal, and so who deals the next.
    """
    while True:
        shuffler = Shuffler(rng.randbytes(32), deal_number(view))
        if dealer_of(shuffler, seats) == view.number("dealer"):
            return shuffler
