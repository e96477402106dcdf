"""Worlds drawn as they are likely after all that the others did, by walking from world to world.

What a seat did depends on its own hand and on what everybody has seen. So a world is as likely as
the product of what each hand makes likely, and where two cards change places only two factors do.
A walker tries such a swap and keeps it by the rule of Metropolis, so in the long run it is in each
world as often as that is likely. Some walkers take turns, that worlds near each other in the row
differ; they start in worlds picked from many dealt evenly. However sharp the evidence, no world is
dealt in vain.
"""

from math import exp
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.search.compiled import kernel
from bots.search.draws import Draws, below, unit
from bots.search.worlds import Plan, deal_world
from bots.whist.beliefs import pick_worlds
from bots.whist.bits import ALL, SUIT
from bots.whist.kernel import Deal, Floats, Ints
from bots.whist.reading import Model, Record, read_hand, record_of
from bots.whist.worlds import Worlds

Flags: TypeAlias = NDArray[np.bool_]
Table: TypeAlias = NDArray[np.float64]

_WALKERS = 64
_POOL = 8
"""Worlds dealt for each walker to start in one of."""
_SETTLING = 40
"""Swaps tried before a walker's first world counts."""
_STEPS = 6
"""Swaps tried between a walker's worlds."""


class Crowd(NamedTuple):
    """Where each walker is: the unseen cards by place, and for each seat the set of its cards, the
    log of how likely these make what it did, and how likely it is a player by plain rules.

    A place is `owner`'s and takes cards of `fitting[owner]`, the stock counting as one seat more;
    the first `held` places are in hands.
    """

    worlds: Ints
    hands: Ints
    logs: Table
    plain: Table
    owner: Ints
    fitting: Ints
    held: int


class Walkers:
    """Worlds for one decision, and who plays by plain rules in each."""

    def __init__(self, worlds: Worlds, model: Model, *, bids: bool, plays: bool) -> None:
        self.worlds = worlds
        self._model = model
        known = worlds.known
        self._record = record_of(known, worlds.deal, worlds.work, bids=bids, plays=plays)
        others = [seat for seat in range(known.seats) if seat != known.seat]
        said = bids and any(self._record.bids[others] >= 0)
        self._informed = bool(said or self._record.played[others].any())
        self._next = 0
        if self._informed:
            self._crowd = self._started()
            self._walk(_WALKERS, _SETTLING)

    def draw(self, number: int) -> tuple[Ints, Flags]:
        """So many rows of sets of cards by seat, and of who is a player by plain rules."""
        if self._informed:
            return self._walk(number, _STEPS)
        hands = self.worlds.hands(number)
        plain = np.zeros(hands.shape, dtype=np.bool_)
        me = self.worlds.known.seat
        draw_plain(self._model.rustic, me, self.worlds.draws, plain)
        return hands, plain

    def _started(self) -> Crowd:
        """Walkers in worlds picked by how likely they are."""
        known, draws = self.worlds.known, self.worlds.draws
        places = known.places()
        owner = np.array([of for of, place in enumerate(places) for _ in range(place.size)])
        fitting = np.array(
            [ALL & ~sum(SUIT << 13 * suit for suit in place.without) for place in places]
        )
        pool = Crowd(
            worlds=np.zeros((_WALKERS * _POOL, owner.size), dtype=np.int64),
            hands=np.zeros((_WALKERS * _POOL, known.seats), dtype=np.int64),
            logs=np.zeros((_WALKERS * _POOL, known.seats)),
            plain=np.zeros((_WALKERS * _POOL, known.seats)),
            owner=owner,
            fitting=fitting,
            held=sum(known.hidden),
        )
        fill(pool, self.worlds.plan, self.worlds.deal, self._record, self._model, known.seat, draws)
        picked = np.empty(_WALKERS, dtype=np.int64)
        pick_worlds(pool.logs.sum(axis=1), draws, picked)
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
            self._crowd,
            self._next,
            steps,
            self.worlds.deal,
            self._record,
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
    """Draw for each row which of the others are players by plain rules, knowing nothing of them."""
    for row in range(plain.shape[0]):
        for seat in range(plain.shape[1]):
            plain[row, seat] = seat != me and unit(draws) < rustic


@kernel
def fill(
    crowd: Crowd, plan: Plan, deal: Deal, record: Record, model: Model, me: int, draws: Draws
) -> None:
    """Deal each walker a world, evenly over all that are possible, and read its hands."""
    for walker in range(crowd.worlds.shape[0]):
        deal_world(plan, draws, crowd.worlds[walker])
        for place in range(crowd.owner.size):
            seat = crowd.owner[place]
            if seat < deal.seats:
                crowd.hands[walker, seat] |= 1 << crowd.worlds[walker, place]
        for seat in range(deal.seats):
            if seat != me:
                hidden = crowd.hands[walker, seat]
                crowd.logs[walker, seat] = read_hand(
                    deal, record, model, seat, hidden, crowd.plain[walker]
                )


@kernel
def walk(
    crowd: Crowd,
    first: int,
    steps: int,
    deal: Deal,
    record: Record,
    model: Model,
    me: int,
    draws: Draws,
    hands: Ints,
    plain: Flags,
) -> None:
    """Fill the rows of `hands` and `plain`, each by the next walker after so many steps."""
    trial = np.zeros(deal.seats)
    for row in range(hands.shape[0]):
        walker = (first + row) % crowd.worlds.shape[0]
        for _ in range(steps):
            _step(crowd, walker, deal, record, model, trial, draws)
        for seat in range(deal.seats):
            if seat != me:
                hands[row, seat] = crowd.hands[walker, seat]
                plain[row, seat] = unit(draws) < crowd.plain[walker, seat]


@kernel
def _step(
    crowd: Crowd,
    walker: int,
    deal: Deal,
    record: Record,
    model: Model,
    trial: Floats,
    draws: Draws,
) -> None:
    """Let two cards change places, if what was seen allows it, as often as the change deserves.

    One of them is in a hand: an exchange within the stock would be none.
    """
    world = crowd.worlds[walker]
    places = below(draws, crowd.held), below(draws, world.size)
    owners = crowd.owner[places[0]], crowd.owner[places[1]]
    cards = 1 << world[places[0]], 1 << world[places[1]]
    if owners[0] == owners[1]:
        return
    if crowd.fitting[owners[0]] & cards[1] == 0 or crowd.fitting[owners[1]] & cards[0] == 0:
        return
    logs = np.zeros(2)
    gain = 0.0
    for at in range(2):
        seat = owners[at]
        if seat < deal.seats:
            hidden = crowd.hands[walker, seat] ^ cards[0] ^ cards[1]
            logs[at] = read_hand(deal, record, model, seat, hidden, trial)
            gain += logs[at] - crowd.logs[walker, seat]
    if gain < 0.0 and unit(draws) >= exp(gain):
        return
    world[places[0]], world[places[1]] = world[places[1]], world[places[0]]
    for at in range(2):
        seat = owners[at]
        if seat < deal.seats:
            crowd.hands[walker, seat] ^= cards[0] ^ cards[1]
            crowd.logs[walker, seat] = logs[at]
            crowd.plain[walker, seat] = trial[seat]
