"""Whist for the tests of servers and programs."""

from random import Random

from engine import View
from tests.games.server_subject import MATCH_VALUES, Opening, ServerSubject
from tests.games.whist.broken import LooseTongue, Omen, SeenStock, WiseBids
from tests.games.whist.reference import Table
from tests.server.secrecy.knowledge import hands_in, in_turn


def opening(rng: Random, number: int) -> Opening:
    """Tables with any number of players and few cards, where bids of every size are tried."""
    options = {"cards": rng.randint(1, 4), "hook": rng.random() < 0.5}
    return Opening("whist", 3 + number % 5, options, [f"bid {bid}" for bid in range(12)])


def laid(view: View) -> Table:
    (turned,) = view.cards("turned")
    return Table(
        hands_in(view),
        turned,
        view.number("dealer"),
        left_over=len(view.cards("deck")),
        hook=bool(view.values["option/hook"]),
    )


SERVER_SUBJECT = ServerSubject(
    opening=opening,
    knowledge=in_turn("deck", laid).knowledge,
    values=(*MATCH_VALUES, "tricks", "bid", "trump", "dealer", "cards", "deals", "sheet"),
    verbs=("bid", "play"),
    leaks=(SeenStock, Omen, LooseTongue, WiseBids),
    short={"cards": 2},
)
