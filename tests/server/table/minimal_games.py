"""The smallest game in which all seats choose at once, and variants whose rules fail.

Nobody sees what the others chose until all have chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from engine import (
    NO_CHOICES,
    OPEN,
    Choices,
    Fact,
    GameInfo,
    Option,
    Outcome,
    Setup,
    Shuffler,
    Step,
    View,
)
from engine.errors import BadAction, IllegalAction, NotYourTurn
from engine.facts import (
    AddressedFact,
    Lay,
    Move,
    Seat,
    Viewer,
    addressed,
    all_but,
    only,
    private,
    public,
    to_others,
)
from engine.game import ranked
from engine.views import Zone

CARDS = ("2C", "3C", "4C", "5C")

STOPPED = public(
    "game_stopped", {"reason": "there is nothing to choose from", "line": 3, "column": 7}
)
"""What a game tells that cannot go on."""


@dataclass(frozen=True, slots=True)
class State:
    """The state: `laid` is the hidden card each seat has laid in this round."""

    setup: Setup
    hands: tuple[tuple[str, ...], ...]
    piles: tuple[tuple[str, ...], ...]
    laid: tuple[str | None, ...]

    @property
    def rounds(self) -> int:
        return len(self.piles[0])

    @property
    def over(self) -> bool:
        return self.rounds == self.setup.options["rounds"]


class BothAtOnce:
    """A game in which everybody lays one card hidden, then all are turned up; high cards win.

    While a round lasts the others do not even learn who has laid, so that the event of a choice is
    empty for them.
    """

    info = GameInfo("both_at_once", 1, "Both at once", seats=(2, 3), usual_seats=2)

    def options(self, seats: int) -> tuple[Option, ...]:
        return (
            Option("rounds", "rounds to be played", 2, low=1, high=len(CARDS)),
            Option("speed", "how fast", "slow", words=("slow", "quick")),
        )

    def start(self, setup: Setup) -> Step[State]:
        seats = range(setup.seats)
        hands = tuple(tuple(sorted(setup.shuffler.shuffled(f"{s}", CARDS)[:4])) for s in seats)
        state = State(setup, hands, ((),) * setup.seats, (None,) * setup.seats)
        zones = {f"{kind}/{seat}": 0 for kind in ("hand", "pile") for seat in seats}
        zones["deck"] = sum(map(len, hands))
        facts = [public("deal_started", {"deal": 1}, (Lay(zones),))]
        for seat, hand in enumerate(hands):
            own, others = (Move("deck", f"hand/{seat}", cards) for cards in (hand, len(hand)))
            facts.append(private(seat, "hand_dealt", {"seat": seat}, (own,)))
            facts.append(to_others(seat, "hand_dealt", {"seat": seat}, (others,)))
        return Step(state, tuple(facts))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if state.over:
            return ()
        return tuple(seat for seat, card in enumerate(state.laid) if card is None)

    def choices(self, state: State, seat: Seat) -> Choices:
        if seat not in self.to_act(state):
            return NO_CHOICES
        return Choices(tuple(f"lay {card}" for card in state.hands[seat]))

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        if seat not in self.to_act(state):
            raise NotYourTurn(f"seat {seat} is not asked")
        verb, _, card = action.partition(" ")
        if verb != "lay":
            raise BadAction(f"{action!r} is no move")
        if card not in state.hands[seat]:
            raise IllegalAction(f"{action!r}: there is no such card")
        laid = (*state.laid[:seat], card, *state.laid[seat + 1 :])
        told = _laid(seat, card, only(seat))
        if None in laid:
            return Step(replace(state, laid=laid), (told,))
        cards = [card for card in laid if card is not None]
        after = State(
            state.setup,
            tuple(
                tuple(held for held in hand if held != gone)
                for hand, gone in zip(state.hands, cards, strict=True)
            ),
            tuple((*pile, card) for pile, card in zip(state.piles, cards, strict=True)),
            (None,) * len(cards),
        )
        shown = (_laid(seat, card, all_but(seat)) for seat, card in enumerate(cards))
        return Step(after, (told, *shown))

    def view(self, state: State, viewer: Viewer) -> View:
        zones = {"deck": Zone()}
        for seat, laid in enumerate(state.laid):
            hand, pile = state.hands[seat], state.piles[seat]
            if viewer not in (seat, OPEN):
                zones[f"hand/{seat}"] = Zone(backs=len(hand))
            elif laid is None:
                zones[f"hand/{seat}"] = Zone(hand)
            else:
                zones[f"hand/{seat}"] = Zone(tuple(card for card in hand if card != laid))
                pile = (*pile, laid)
            zones[f"pile/{seat}"] = Zone(pile)
        return View(zones)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        raise AssertionError("no bot that samples plays this game")

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        return ranked([sum(map(CARDS.index, pile)) for pile in state.piles], "high")


class SmallGame(BothAtOnce):
    """The game, in a form that bots can sample."""

    info = replace(BothAtOnce.info, id="small", title="Small")

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A sample with what the seats hold, as if nobody had laid a card in this round yet."""
        seats = sum(name.startswith("hand/") for name in view.zones)
        piles = tuple(_cards(view, f"pile/{seat}") for seat in range(seats))
        hands = tuple(tuple(card for card in CARDS if card not in pile) for pile in piles)
        setup = Setup(seats, {"rounds": 2, "speed": "slow"}, Shuffler(bytes(32)))
        return State(setup, hands, piles, (None,) * seats)


class Stops(BothAtOnce):
    """Fault: the game stops after the first round, and would score it anyway."""

    info = replace(BothAtOnce.info, id="stops")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        step = super().apply(state, seat, action)
        return Step(step.state, (*step.facts, STOPPED)) if step.state.rounds else step


class StopsAtOnce(BothAtOnce):
    """Fault: the game stops when it has dealt."""

    info = replace(BothAtOnce.info, id="stops_at_once")

    def start(self, setup: Setup) -> Step[State]:
        step = super().start(setup)
        return Step(step.state, (*step.facts, STOPPED))


class RefusesAll(BothAtOnce):
    """Fault: the game offers moves that it then calls illegal."""

    info = replace(BothAtOnce.info, id="refuses_all")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        raise IllegalAction(f"{action!r} is not allowed")


class CannotAsk(BothAtOnce):
    """Fault: the game cannot say who is asked once a card has been laid."""

    info = replace(BothAtOnce.info, id="cannot_ask")

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if any(state.laid):
            raise RecursionError("QS asks 2C asks QS")
        return super().to_act(state)


class CannotDealQuickly(BothAtOnce):
    """Fault: dealing fails with one of the options."""

    info = replace(BothAtOnce.info, id="cannot_deal_quickly")

    def start(self, setup: Setup) -> Step[State]:
        if setup.options["speed"] == "quick":
            raise MemoryError
        return super().start(setup)


class NeverScores(BothAtOnce):
    """Fault: at its end the game asks nobody and has no outcome."""

    info = replace(BothAtOnce.info, id="never_scores")

    def outcome(self, state: State) -> Outcome | None:
        return None


class Breaks(BothAtOnce):
    """Fault: the game offers a move that it cannot make."""

    info = replace(BothAtOnce.info, id="breaks")

    def apply(self, state: State, seat: Seat, action: str) -> Step[State]:
        raise ZeroDivisionError("no such card as QS")


class WonByDealing(BothAtOnce):
    """A game that is over as soon as it has dealt, as a described game may be."""

    info = replace(BothAtOnce.info, id="won_by_dealing")

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return ()

    def choices(self, state: State, seat: Seat) -> Choices:
        return Choices()

    def outcome(self, state: State) -> Outcome | None:
        return Outcome((1, 0), (1, 2))


FAULTY = (
    Stops(),
    StopsAtOnce(),
    NeverScores(),
    Breaks(),
    RefusesAll(),
    CannotAsk(),
    CannotDealQuickly(),
    WonByDealing(),
)


def _laid(seat: Seat, card: str, audience: int) -> AddressedFact:
    changes = (Move(f"hand/{seat}", f"pile/{seat}", (card,)),)
    return addressed(audience, "card_laid", {"seat": seat, "card": card}, changes)


def _cards(view: View, zone: str) -> tuple[str, ...]:
    return tuple(str(card) for card in view.zones[zone].cards)
