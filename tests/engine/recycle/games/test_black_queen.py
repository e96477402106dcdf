"""Black Queen as a description and as the native game, card by card.

The native game counts equal cards of a hand as one action; the description offers each.
"""

import re
from random import Random

import pytest

from engine import Setup, Shuffler, seed_from_int
from engine.cards import parse_card
from engine.choices import Action
from engine.facts import OPEN, Seat
from engine.games.black_queen import BlackQueen
from engine.games.black_queen.state import State as Native
from engine.recycle import Description, load
from engine.recycle.games import description
from engine.recycle.state import State
from engine.views import View
from tests.counts import count

pytestmark = pytest.mark.no_cover

SEATS, COLUMNS = 4, 8
OPTION = re.compile(r"play (\w\w)(?: from (\S+).*)?(?: #\d+)?")


def native_deal(view: View, leader: Seat) -> Native:
    """A native deal with the cards in the places that they have in the description."""

    def row(kind: str, seat: Seat) -> tuple[int, ...]:
        zones = (view.zones[f"{kind}/{seat}/{column}"] for column in range(1, COLUMNS + 1))
        return tuple(parse_card(card) for zone in zones for card in zone.cards)

    hands = (view.zones[f"hand/{seat}"].cards for seat in range(SEATS))
    return Native(
        setup=Setup(SEATS, {"deals": 1, "columns": COLUMNS}, Shuffler(seed_from_int(0))),
        hands=tuple(tuple(sorted(map(parse_card, hand))) for hand in hands),
        up=tuple(row("open", seat) for seat in range(SEATS)),
        down=tuple(row("covered", seat) for seat in range(SEATS)),
        leader=leader,
        trick=(),
        taken=((),) * SEATS,
    )


def as_native(described: Description, state: State, seat: Seat) -> dict[Action, Action]:
    """The actions of `seat` in the native game's notation, each with the description's text."""
    hand = described.view(state, OPEN).zones[f"hand/{seat}"].cards
    found = {}
    for action in described.choices(state, seat).actions:
        told = OPTION.fullmatch(action)
        assert told is not None, action
        card, place = told.groups()
        if place is None:
            place = "hand" if card in hand else _column(described, state, seat, card)
        column = "" if place == "hand" else f"@{place.rpartition('/')[2]}"
        found[f"play {card}{column}"] = action
    return found


def _column(described: Description, state: State, seat: Seat, card: str) -> str:
    view = described.view(state, OPEN)
    zones = (f"open/{seat}/{column}" for column in range(1, COLUMNS + 1))
    return next(zone for zone in zones if view.zones[zone].cards == (card,))


def in_step(described: Description, seed: int) -> None:
    """Play both games side by side from one deal to the scores."""
    setup = Setup(SEATS, {}, Shuffler(seed_from_int(seed)))
    ours, native, rng = described.start(setup).state, BlackQueen(), Random(seed)
    (leader,) = described.to_act(ours)
    theirs = native.begin(native_deal(described.view(ours, OPEN), leader)).state
    while asked := native.to_act(theirs):
        assert described.to_act(ours) == asked
        same = as_native(described, ours, asked[0])
        assert set(same) == set(native.choices(theirs, asked[0]).actions)
        action = rng.choice(sorted(same))
        ours = described.apply(ours, asked[0], same[action]).state
        theirs = native.apply(theirs, asked[0], action).state
    assert described.outcome(ours) == native.outcome(theirs)


def test_our_black_queen_is_the_native_one() -> None:
    """The description and the native game offer equal moves, turn up equal cards, score alike."""
    described = load(description("BlackQueen4"), "BlackQueen4")
    for seed in range(count(5)):
        in_step(described, seed)


def test_another_winner_among_equals_would_be_noticed() -> None:
    """The comparison fails if the first of two equal cards wins the trick."""
    text = description("BlackQueen4")
    assert text.count("(>= (score 'PLAYED") == 1
    described = load(text.replace("(>= (score 'PLAYED", "(> (score 'PLAYED"), "BlackQueen4")
    with pytest.raises(AssertionError):
        in_step(described, 0)
