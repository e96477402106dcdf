"""A game of one hidden bid each, lowest total best: unlike Black Queen in every way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from bots import Budget, Decision, Position
from engine.choices import NO_CHOICES, Action, Choices
from engine.facts import Fact, Seat, Set, Value, Viewer, private, public
from engine.game import GameInfo, Option, Options, Outcome, Setup, Step, ranked
from engine.views import View


@dataclass(frozen=True, slots=True)
class Bids:
    setup: Setup
    made: Mapping[Seat, int]


class BidLow:
    """A game in which all seats bid at once and hidden; a bid is a score."""

    info = GameInfo(id="bid_low", version=1, title="Bid", seats=(2, 3), usual_seats=2, aim="low")

    def options(self, seats: int) -> tuple[Option, ...]:
        return ()

    def start(self, setup: Setup) -> Step[Bids]:
        return Step(Bids(setup, {}), (public("bidding", {}, (Set("bids", 0),)),))

    def to_act(self, state: Bids) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(state.setup.seats) if seat not in state.made)

    def choices(self, state: Bids, seat: Seat) -> Choices:
        if seat not in self.to_act(state):
            return NO_CHOICES
        return Choices(tuple(f"bid {number}" for number in range(10)))

    def apply(self, state: Bids, seat: Seat, action: Action) -> Step[Bids]:
        bid = int(action.removeprefix("bid "))
        made = private(seat, "bid_made", {"seat": seat}, (Set(f"bid/{seat}", bid),))
        return Step(replace(state, made={**state.made, seat: bid}), (made,))

    def view(self, state: Bids, viewer: Viewer) -> View:
        values: dict[str, Value] = {f"bid/{viewer}": state.made.get(viewer)}
        return View({}, values)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Bids:
        raise AssertionError("no bot of these tests samples")

    def outcome(self, state: Bids) -> Outcome | None:
        if self.to_act(state):
            return None
        return ranked([state.made[seat] for seat in range(state.setup.seats)], self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        return deals == 2


class Bidder:
    """A bot that always makes one bid, and records what it was told."""

    in_place = True

    def __init__(self, bid: int = 3, *, needs_facts: bool = False) -> None:
        if bid not in range(10):
            raise ValueError("a bid is 0 to 9")
        self.needs_facts = needs_facts
        self.asked: list[Position] = []
        self.budgets: list[Budget] = []
        self.bid = bid

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        self.asked.append(position)
        self.budgets.append(budget)
        return Decision(f"bid {self.bid}")
