"""Positions of Schnapsen for tests of bots: reached by random play, or dealt small endings."""

from random import Random

from bots import Position, position_of
from engine.facts import AddressedFact, seen_by
from engine.game import Setup, complete_options
from engine.games.schnapsen import EMPTY, PACK, Schnapsen, State
from engine.shuffle import Shuffler, seed_from_int

GAME = Schnapsen()


def random_setup(rng: Random, claim: str = "auto") -> Setup:
    """A setup of a deal with random options."""
    options = complete_options(
        GAME,
        2,
        {
            "min_talon": rng.choice((2, 2, 4, 6, 10)),
            "freeze": rng.random() < 0.6,
            "claim": claim,
        },
    )
    return Setup(2, options, Shuffler(seed_from_int(rng.getrandbits(32))))


def played_at_random(rng: Random, claim: str = "auto") -> tuple[State, tuple[AddressedFact, ...]]:
    """A state of a random deal, and all facts that led to it."""
    while True:
        step = GAME.start(random_setup(rng, claim))
        facts = step.facts
        for _ in range(rng.randrange(20)):
            if step.state.result is None:
                action = rng.choice(GAME.choices(step.state, step.state.turn).actions)
                step = GAME.apply(step.state, step.state.turn, action)
                facts += step.facts
        if step.state.result is None:
            return step.state, facts


def asked_at(state: State, facts: tuple[AddressedFact, ...]) -> Position:
    """What the seat to move knows and may do."""
    seat = state.turn
    return position_of(GAME, state, seat, state.setup.options, seen_by(facts, seat))


def small_ending(rng: Random) -> State:
    """An ending with two or three cards a hand and up to four in the talon."""
    cards = list(PACK)
    rng.shuffle(cards)
    held, drawn = rng.choice(((3, 0), (2, 0), (3, 2), (2, 2), (2, 4)))
    trump = rng.randrange(4)
    first, second, talon = cards[:held], cards[held : 2 * held], cards[2 * held : 2 * held + drawn]
    if talon and talon[-1] // 13 != trump:
        return small_ending(rng)
    rest = cards[2 * held + drawn :]
    won = 2 * rng.randrange(len(rest) // 2 + 1)
    return State(
        setup=random_setup(rng),
        hands=(tuple(first), tuple(second)),
        talon=tuple(talon[:-1]),
        turned=talon[-1] if talon else EMPTY,
        trump=trump,
        dealer=0,
        leader=rng.randrange(2),
        trick=(),
        taken=(tuple(rest[:won]), tuple(rest[won:])),
        marriages=rng.choice(((0, 0), (20, 0), (0, 20), (0, 40))),
    )


def decided(state: State) -> bool:
    """Whether a player had 66 before, so that the ending cannot come about."""
    return max(state.points(0), state.points(1)) >= 66
