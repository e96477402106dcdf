"""Worlds drawn as often as they are likely after what the others did: Markov chain Monte Carlo.

What a seat did depends on its own hand and on what everybody has seen. So the likelihood of a world
is a product with a factor for each hand, and when two cards change places only two factors change.
A walker tries such a swap and keeps it by the rule of Metropolis, so in the long run it is in each
world as often as that is likely. Several walkers take turns, so that worlds drawn one after the
other differ; they start in worlds resampled from many dealt evenly. However sharp the evidence, no
world is dealt in vain.
"""

from math import exp
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.search.draws import Draws, below, unit
from bots.search.worlds import Plan, deal_world
from bots.whist.bits import ALL, SUIT
from bots.whist.likelihoods import resample
from bots.whist.open_deal import Deal, Floats, Ints
from bots.whist.opponent_model import Observations, OpponentModel, hand_likelihood, observations_of
from bots.whist.worlds import Worlds

Flags: TypeAlias = NDArray[np.bool_]

_WALKERS = 64
_POOL = 8
"""Worlds dealt for each walker to start in one of."""
_SETTLING = 40
"""Swaps tried before a walker's first world counts."""
_STEPS = 6
"""Swaps tried between a walker's worlds."""


class WalkerStates(NamedTuple):
    """The world that each walker is in.

    `worlds[walker]` are the unseen cards by place. By walker and seat, `hands` are sets of cards,
    `logs` the log of how likely these make what the seat did, and `plain` the chance that the seat
    is a player by plain rules.

    A place is `owner`'s and takes cards of `fitting[owner]`, the stock counting as one seat more;
    the first `held` places are in hands.
    """

    worlds: Ints
    hands: Ints
    logs: Floats
    plain: Floats
    owner: Ints
    fitting: Ints
    held: int


class Walkers:
    """Worlds for one decision, and who plays by plain rules in each."""

    def __init__(self, worlds: Worlds, model: OpponentModel, *, bids: bool, plays: bool) -> None:
        self.worlds = worlds
        self._model = model
        known = worlds.known
        self._observed = observations_of(known, worlds.deal, worlds.work, bids=bids, plays=plays)
        others = [seat for seat in range(known.seats) if seat != known.seat]
        said = bids and any(self._observed.bids[others] >= 0)
        # Where the hands lie open, nothing is to be concluded from moves.
        hidden = not any(known.shown)
        self._informed = hidden and bool(said or self._observed.played[others].any())
        self._next = 0
        if self._informed:
            self._states = self._started()
            self._walk(_WALKERS, _SETTLING)

    def draw(self, number: int) -> tuple[Ints, Flags]:
        """`number` worlds: sets of cards by seat, and flags for the players by plain rules."""
        if self._informed:
            return self._walk(number, _STEPS)
        hands = self.worlds.hands(number)
        plain = np.zeros(hands.shape, dtype=np.bool_)
        me = self.worlds.known.seat
        draw_plain(self._model.rustic, me, self.worlds.draws, plain)
        return hands, plain

    def _started(self) -> WalkerStates:
        """Walkers in worlds picked by their likelihood."""
        known, draws = self.worlds.known, self.worlds.draws
        places = known.places()
        owner = np.array([of for of, place in enumerate(places) for _ in range(place.size)])
        fitting = np.array(
            [ALL & ~sum(SUIT << 13 * suit for suit in place.without) for place in places]
        )
        pool = WalkerStates(
            worlds=np.zeros((_WALKERS * _POOL, owner.size), dtype=np.int64),
            hands=np.zeros((_WALKERS * _POOL, known.seats), dtype=np.int64),
            logs=np.zeros((_WALKERS * _POOL, known.seats)),
            plain=np.zeros((_WALKERS * _POOL, known.seats)),
            owner=owner,
            fitting=fitting,
            held=sum(known.hidden),
        )
        fill(
            pool, self.worlds.plan, self.worlds.deal, self._observed, self._model, known.seat, draws
        )
        picked = np.empty(_WALKERS, dtype=np.int64)
        resample(pool.logs.sum(axis=1), draws, picked)
        return pool._replace(
            worlds=pool.worlds[picked],
            hands=pool.hands[picked],
            logs=pool.logs[picked],
            plain=pool.plain[picked],
        )

    def _walk(self, number: int, steps: int) -> tuple[Ints, Flags]:
        known = self.worlds.known
        hands = np.zeros((number, known.seats), dtype=np.int64)
        hands[:, known.seat] = known.hand
        plain = np.zeros(hands.shape, dtype=np.bool_)
        walk(
            self._states,
            self._next,
            steps,
            self.worlds.deal,
            self._observed,
            self._model,
            known.seat,
            self.worlds.draws,
            hands,
            plain,
        )
        self._next = (self._next + number) % _WALKERS
        return hands, plain


@kernel
def draw_plain(rustic: float, me: int, draws: Draws, plain: Flags) -> None:
    """Draw for each row which other seats play by plain rules, each with chance `rustic`."""
    for row in range(plain.shape[0]):
        for seat in range(plain.shape[1]):
            plain[row, seat] = seat != me and unit(draws) < rustic


@kernel
def fill(
    states: WalkerStates,
    plan: Plan,
    deal: Deal,
    observed: Observations,
    model: OpponentModel,
    me: int,
    draws: Draws,
) -> None:
    """Deal each walker a world, evenly over all that are possible, and read its hands."""
    for walker in range(states.worlds.shape[0]):
        deal_world(plan, draws, states.worlds[walker])
        for place in range(states.owner.size):
            seat = states.owner[place]
            if seat < deal.seats:
                states.hands[walker, seat] |= 1 << states.worlds[walker, place]
        for seat in range(deal.seats):
            if seat != me:
                hidden = states.hands[walker, seat]
                states.logs[walker, seat] = hand_likelihood(
                    deal, observed, model, seat, hidden, states.plain[walker]
                )


@kernel
def walk(
    states: WalkerStates,
    first: int,
    steps: int,
    deal: Deal,
    observed: Observations,
    model: OpponentModel,
    me: int,
    draws: Draws,
    hands: Ints,
    plain: Flags,
) -> None:
    """Fill the rows of `hands` and `plain`, each by the next walker after so many steps."""
    trial = np.zeros(deal.seats)
    for row in range(hands.shape[0]):
        walker = (first + row) % states.worlds.shape[0]
        for _ in range(steps):
            _step(states, walker, deal, observed, model, trial, draws)
        for seat in range(deal.seats):
            if seat != me:
                hands[row, seat] = states.hands[walker, seat]
                plain[row, seat] = unit(draws) < states.plain[walker, seat]


@kernel
def _step(
    states: WalkerStates,
    walker: int,
    deal: Deal,
    observed: Observations,
    model: OpponentModel,
    trial: Floats,
    draws: Draws,
) -> None:
    """Exchange two cards, if what was seen allows it, with the Metropolis probability.

    One of them is in a hand, as an exchange within the stock would change nothing.
    """
    world = states.worlds[walker]
    places = below(draws, states.held), below(draws, world.size)
    owners = states.owner[places[0]], states.owner[places[1]]
    cards = 1 << world[places[0]], 1 << world[places[1]]
    if owners[0] == owners[1]:
        return
    if states.fitting[owners[0]] & cards[1] == 0 or states.fitting[owners[1]] & cards[0] == 0:
        return
    logs = np.zeros(2)
    gain = 0.0
    for at in range(2):
        seat = owners[at]
        if seat < deal.seats:
            hidden = states.hands[walker, seat] ^ cards[0] ^ cards[1]
            logs[at] = hand_likelihood(deal, observed, model, seat, hidden, trial)
            gain += logs[at] - states.logs[walker, seat]
    if gain < 0.0 and unit(draws) >= exp(gain):
        return
    world[places[0]], world[places[1]] = world[places[1]], world[places[0]]
    for at in range(2):
        seat = owners[at]
        if seat < deal.seats:
            states.hands[walker, seat] ^= cards[0] ^ cards[1]
            states.logs[walker, seat] = logs[at]
            states.plain[walker, seat] = trial[seat]
