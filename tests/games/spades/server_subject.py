"""Spades for the tests of servers and programs."""

from random import Random

from engine import View
from tests.games.server_subject import MATCH_VALUES, Opening, ServerSubject
from tests.games.spades.broken import KindOffers, LoudLook, OpenPartner, Peeker, TellingBid
from tests.games.spades.reference import Table
from tests.server.secrecy.knowledge import hands_in, in_turn


def opening(rng: Random, number: int) -> Opening:
    """Tables with all options; in half of the matches nil may be bid blind."""
    options = {
        "target": rng.choice((1, 100)),
        "floor": -1,
        "nil": rng.choice(("100", "50", "off")),
        "blind": ("always", "never")[number % 2],
        "bags": rng.random() < 0.5,
        "nil_tricks": rng.random() < 0.5,
        "breaking": rng.random() < 0.7,
    }
    attempts = ("look", "blind nil", *(f"bid {bid}" for bid in range(15)))
    return Opening("spades", 4, options, attempts, rare=("blind",))


def laid(view: View) -> Table:
    hands = [list(hand) for hand in hands_in(view)]
    # Of players who may bid nil blind the cards lie in the deck, in the order of seats.
    undealt = list(view.cards("deck"))
    unseen = [seat for seat in range(4) if not hands[seat]]
    for seat in unseen:
        hands[seat], undealt = undealt[:13], undealt[13:]
    nil = str(view.values["option/nil"])
    return Table(
        hands,
        view.number("dealer"),
        unseen=unseen,
        nil=None if nil == "off" else int(nil),
        breaking=bool(view.values["option/breaking"]),
    )


SERVER_SUBJECT = ServerSubject(
    opening=opening,
    knowledge=in_turn("deck", laid).knowledge,
    values=(
        *MATCH_VALUES,
        *("team", "team_total", "tricks", "bid", "blind", "bags", "broken", "trump", "dealer"),
        "sheet",
    ),
    verbs=("look", "blind", "bid", "play"),
    leaks=(OpenPartner, Peeker, TellingBid, LoudLook, KindOffers),
    short={"target": 50, "floor": -50},
)
