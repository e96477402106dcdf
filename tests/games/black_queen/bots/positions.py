"""Positions of Black Queen to try bots on: built card by card, or reached by random play."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from bots import Position
from engine.cards import Card, parse_cards, without
from engine.facts import Seat, Viewer
from engine.game import Setup, complete_options
from engine.games.black_queen import EMPTY, BlackQueen, State, pack
from engine.shuffle import Shuffler, seed_from_int

GAME = BlackQueen()


@dataclass(frozen=True, slots=True)
class Player:
    """A player's cards in text; `down` lies under the first of the `up` cards."""

    hand: str = ""
    up: str = ""
    down: str = ""


def laid_out(
    players: Sequence[Player], *, trick: str = "", leader: Seat = 0, rest_to: Seat = 0
) -> State:
    """A state with the given cards in play; player `rest_to` has taken all others of the pack."""
    seats = len(players)
    columns = max(len(player.up.split()) for player in players)
    hands = tuple(tuple(sorted(parse_cards(player.hand))) for player in players)
    up = tuple(_row(player.up, columns) for player in players)
    down = tuple(_row(player.down, columns) for player in players)
    rest = pack(seats)
    for pile in (*hands, *up, *down, parse_cards(trick)):
        for card in pile:
            if card != EMPTY:
                rest = without(rest, card)
    return State(
        setup=Setup(seats, {"columns": columns}, Shuffler(bytes(32))),
        hands=hands,
        up=up,
        down=down,
        leader=leader,
        trick=parse_cards(trick),
        taken=tuple(rest if seat == rest_to else () for seat in range(seats)),
    )


def position(state: State, viewer: Viewer | None = None) -> Position:
    """What the seat to move knows and may do; another `viewer` is used only to show a leak."""
    seat = state.turn
    return Position(
        game=GAME.info.id,
        seat=seat,
        view=GAME.view(state, seat if viewer is None else viewer),
        choices=GAME.choices(state, seat),
        options=state.setup.options,
    )


def played_at_random(seats: int, columns: int, seed: int, share: float) -> State:
    """A state reached by random play, `share` of the way into the deal and never at its end."""
    options = complete_options(GAME, seats, {"columns": columns})
    rng = Random(seed)
    state = GAME.start(Setup(seats, options, Shuffler(seed_from_int(seed)))).state
    for _ in range(int(share * (len(pack(seats)) - 1))):
        seat = state.turn
        state = GAME.apply(state, seat, rng.choice(GAME.choices(state, seat).actions)).state
    return state


@st.composite
def states(
    draw: st.DrawFn, *, least_seats: int = 2, most_seats: int = 8, hands: bool = True
) -> State:
    """Random states of deals of every size; without `hands`, of deals that are all columns."""
    seats = draw(st.integers(least_seats, most_seats))
    most = len(pack(seats)) // seats // 2
    columns = draw(st.integers(0, most)) if hands else most
    seed = draw(st.integers(0, 2**32))
    share = draw(st.floats(0, 1, exclude_max=True))
    return played_at_random(seats, columns, seed, share)


def _row(text: str, columns: int) -> tuple[Card, ...]:
    cards = parse_cards(text)
    return cards + (EMPTY,) * (columns - len(cards))
