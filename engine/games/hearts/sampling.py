"""Full states of Hearts that agree with what one viewer knows."""

from collections.abc import Sequence
from random import Random

from engine.cards import Piles, deck
from engine.facts import Fact, Seat
from engine.game import Options, Setup
from engine.games.hearts.inference import Known, known_from
from engine.games.hearts.rule_sets import DIRECTIONS, RULE_SETS
from engine.games.hearts.state import NOBODY, PASSED, SEATS, State, receiver_of
from engine.games.hearts.view import passing
from engine.games.trick_games import (
    cards_in,
    completed_hands,
    deal_number,
    hand,
    taken_piles,
    unseen_cards,
)
from engine.shuffle import Shuffler
from engine.unseen import Place, deal_unseen
from engine.views import View, Zone


def sample_of(view: View, facts: Sequence[Fact], options: Options, rng: Random) -> State:
    """Deal the unseen cards at random to the places that the viewer's knowledge allows.

    Unknown passes are sampled too: they may be any cards of their receiver.
    """
    shift = _shift(view)
    leader = view.number("leader", NOBODY)
    known = known_from(facts, RULE_SETS[str(options["rules"])], shift)
    zones = [view.zones[hand(seat)] for seat in range(SEATS)]
    # Cards that were laid aside came from a hand, and nothing is known of those chosen by others.
    aside = [view.zones.get(passing(seat), Zone()) for seat in range(SEATS)]
    places = [_place(zone, seat, known) for seat, zone in enumerate(zones)]
    dealt = deal_unseen(
        unseen_cards(view, deck()), [*places, *(Place(zone.backs) for zone in aside)], rng
    )
    hands = completed_hands(zones, dealt[:SEATS])
    chosen = completed_hands(aside, dealt[SEATS:])
    return State(
        setup=Setup(SEATS, options, Shuffler(rng.randbytes(32), deal_number(view))),
        hands=hands,
        shift=shift,
        passed=_passed(hands, known, shift, rng) if shift and leader != NOBODY else chosen,
        leader=leader,
        trick=cards_in(view.zones["trick"]),
        taken=taken_piles(view, SEATS),
        broken=bool(view.values["broken"]),
    )


def _place(zone: Zone, seat: Seat, known: Known) -> Place:
    """The places for cards of a hand that a viewer does not see; none for their own hand."""
    if not zone.backs:
        return Place(0)
    return Place(zone.backs, barred=known.barred[seat], holds=tuple(sorted(known.holds[seat])))


def _passed(hands: Piles, known: Known, shift: int, rng: Random) -> Piles:
    """The cards each seat has passed: as the viewer knows, or any that the receiver has had."""
    passed = list(known.passes)
    for seat in range(SEATS):
        receiver = receiver_of(seat, shift)
        if not passed[seat]:
            had = sorted((*hands[receiver], *known.played[receiver]))
            passed[seat] = tuple(sorted(rng.sample(had, PASSED)))
    return tuple(passed)


def _shift(view: View) -> int:
    """How many seats to the left the cards go; 0 in rule sets without passing."""
    names = {name: shift for shift, name in DIRECTIONS.items()}
    return names[str(view.values.get("pass", "hold"))]
