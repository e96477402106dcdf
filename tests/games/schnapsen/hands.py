"""Deals of Schnapsen written as people write hands of cards.

    deal("KS QS AH", "JH TH AC", talon="JC QC | TS").play("marry QS", "AC").expect_turn(1)

The talon is written in the order it is drawn, the upturned trump behind the bar.
"""

from hypothesis import strategies as st

from engine import Setup, Shuffler, View, complete_options, seed_from_int
from engine.cards import SUITS, card_text, card_texts, parse_card, parse_cards, suit_of
from engine.game import OptionValue
from engine.games.schnapsen import EMPTY, Schnapsen, State
from tests.games.hands import TrickHands
from tests.games.schnapsen.reference import Table
from tests.games.schnapsen.subject import PACK

GAME = Schnapsen()


def deal(
    first: str,
    second: str,
    *,
    talon: str = "",
    trump: str = "",
    taken: tuple[str, str] = ("", ""),
    leader: int = 0,
    **options: OptionValue,
) -> "Hands":
    """A deal of the written cards; `trump` (C, D, S, H) is needed if no card is upturned."""
    below, _, above = talon.partition("|")
    turned = parse_card(above.strip()) if above.strip() else EMPTY
    state = State(
        setup=Setup(2, complete_options(GAME, 2, options), Shuffler(seed_from_int(0))),
        hands=(parse_cards(first), parse_cards(second)),
        talon=parse_cards(below),
        turned=turned,
        trump=SUITS.index(trump) if trump else suit_of(turned),
        dealer=1 - leader,
        leader=leader,
        trick=(),
        taken=(parse_cards(taken[0]), parse_cards(taken[1])),
    )
    return Hands(GAME.begin(state).state)


def table_of(state: State) -> Table:
    """The reference's table for a deal before its first card."""
    stock = [*card_texts(state.talon)]
    if state.turned != EMPTY:
        stock.append(card_text(state.turned))
    options = state.setup.options
    table = Table(
        [card_texts(hand) for hand in state.hands],
        stock,
        state.leader,
        trump=SUITS[state.trump],
        min_talon=int(options["min_talon"]),
        freeze=bool(options["freeze"]),
        manual=options["claim"] == "manual",
    )
    table.tricks = [list(card_texts(cards)) for cards in state.taken]
    return table


class Hands(TrickHands[State]):
    """A deal of Schnapsen in play."""

    game = GAME

    def expect_points(self, *points: int) -> "Hands":
        assert tuple(self.state.points(seat) for seat in (0, 1)) == points
        return self

    def expect_going_on(self) -> "Hands":
        assert GAME.outcome(self.state) is None
        return self

    def sees(self, viewer: int, zone: str) -> tuple[str, int]:
        """The cards of a zone that `viewer` sees, and the number of backs."""
        there = GAME.view(self.state, viewer).zones[zone]
        return " ".join(there.cards), there.backs

    def view(self, viewer: int) -> View:
        return GAME.view(self.state, viewer)


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Up to three cards each, a talon of none, two or four, and tricks taken before."""
    cards = draw(st.permutations(PACK))
    held = draw(st.integers(1, 3))
    below = draw(st.sampled_from((0, 1, 3)))
    before = [2 * draw(st.integers(0, 2)) for _ in range(2)]
    sizes = (held, held, below, 1, *before)
    piles = [" ".join(cards[sum(sizes[:at]) :][:size]) for at, size in enumerate(sizes)]
    first, second, talon, turned, *taken = piles
    return deal(
        first,
        second,
        talon=f"{talon} | {turned}" if below else "",
        trump=turned[1],
        taken=(taken[0], taken[1]),
        leader=draw(st.integers(0, 1)),
        min_talon=draw(st.sampled_from((2, 4))),
        freeze=draw(st.booleans()),
        claim=draw(st.sampled_from(("auto", "manual"))),
    ).state
