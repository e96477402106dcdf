"""Deals of Hearts written as people write hands of cards.

    deal("2C AS", "3C KS", "4C QS", "5C 2S").play("2C", "3C", "4C", "5C").expect_taker(3)

Nobody passes unless it is said otherwise, and the rules are the standard ones.
"""

from hypothesis import strategies as st

from engine import Setup, Shuffler, seed_from_int
from engine.cards import TOKENS, card_text, parse_cards
from engine.facts import Viewer, seen_by
from engine.games.hearts import NOBODY, Hearts, Known, State, known_from
from tests.games.hands import TrickHands
from tests.games.hearts.reference import Table

GAME = Hearts()


def deal(*players: str, shift: int = 0, rules: str = "standard", moon: str = "others") -> "Hands":
    """A deal of the written cards; without passing the two of clubs, or seat 0, leads."""
    hands = tuple(tuple(sorted(parse_cards(player))) for player in players)
    assert len({len(hand) for hand in hands}) == 1, "not all have equally many cards"
    assert len(set().union(*hands)) == sum(map(len, hands)), "a card is there twice"
    leader = NOBODY if shift else 0
    if rules == "standard" and not shift:
        (leader,) = (seat for seat, hand in enumerate(hands) if 0 in hand)
    state = State(
        setup=Setup(4, {"rules": rules, "moon": moon, "target": 100}, Shuffler(seed_from_int(0))),
        hands=hands,
        shift=shift,
        passed=((),) * 4,
        leader=leader,
        trick=(),
        taken=((),) * 4,
        broken=False,
    )
    step = GAME.begin(state)
    return Hands(step.state, step.facts)


@st.composite
def tiny_deals(draw: st.DrawFn) -> State:
    """Three to five cards each, the two of clubs and the queen of spades always among them."""
    rules = draw(st.sampled_from(("standard", "standard", "recycle")))
    held = draw(st.integers(3, 5))
    rest = draw(st.permutations([token for token in TOKENS[1::2] if token != "QS"]))
    pack = draw(st.permutations(["2C", "QS", *rest[: 4 * held - 2]]))
    players = [" ".join(pack[seat * held : (seat + 1) * held]) for seat in range(4)]
    shift = draw(st.integers(0, 3)) if rules == "standard" else 0
    moon = draw(st.sampled_from(("others", "shooter")))
    return deal(*players, shift=shift, rules=rules, moon=moon).state


def table_of(state: State) -> Table:
    """The reference's table for a deal before its first move."""
    options = state.setup.options
    return Table(
        [[card_text(card) for card in hand] for hand in state.hands],
        shift=state.shift,
        standard=options["rules"] == "standard",
        shooter_scores=options["rules"] == "recycle" or options["moon"] == "shooter",
    )


class Hands(TrickHands[State]):
    """A deal of Hearts in play."""

    game = GAME

    def passing(self, *cards: str) -> "Hands":
        """Pass the cards of seats 0, 1, 2 and 3 in turn."""
        hands = self
        for seat, three in enumerate(cards):
            hands = hands.act_as(seat, f"pass {three}")
        return hands

    def known(self, viewer: Viewer) -> Known:
        """What a viewer knows for certain about unseen cards."""
        facts = seen_by(self.all_facts, viewer)
        return known_from(facts, self.state.rules, self.state.shift)
