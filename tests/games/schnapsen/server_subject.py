"""Schnapsen for the tests of servers and programs."""

from collections.abc import Collection
from random import Random

from engine import View
from engine.choices import Action
from tests.games.schnapsen.broken import Blusher, CloseWatcher, LoudTalon, Shouting
from tests.games.schnapsen.reference import Table
from tests.games.server_subject import MATCH_VALUES, Opening, ServerSubject, Shown
from tests.server.secrecy.knowledge import hands_in, in_turn


def opening(rng: Random, number: int) -> Opening:
    """Tables with all options, in which all kinds of moves are tried."""
    options = {
        "target": rng.choice((1, 3)),
        "min_talon": rng.choice((2, 6)),
        "freeze": rng.random() < 0.5,
        "claim": rng.choice(("auto", "auto", "manual")),
    }
    marriages = [f"marry {rank}{suit}" for rank in "QK" for suit in "CDSH"]
    attempts = ("exchange", "close", *marriages)
    return Opening("schnapsen", 2, options, attempts, rare=("exchange", "close", "marry"))


def laid(view: View) -> Table:
    return Table(
        hands_in(view),
        (*view.cards("talon"), *view.cards("turned")),
        view.number("leader"),
        min_talon=view.number("option/min_talon"),
        freeze=bool(view.values["option/freeze"]),
        manual=view.values["option/claim"] == "manual",
    )


def meant(action: Action, shown: Shown) -> Collection[str]:
    """The card that an exchange means: the jack of the upturned card's suit."""
    return ["J" + card[1] for card in shown["turned"]] if action == "exchange" else []


SERVER_SUBJECT = ServerSubject(
    opening=opening,
    knowledge=in_turn("talon", laid).knowledge,
    values=(*MATCH_VALUES, "points", "marriages", "trump", "dealer", "closed"),
    verbs=("play", "marry", "exchange", "close"),
    leaks=(LoudTalon, Blusher, CloseWatcher, Shouting),
    short={"target": 3},
    hides=True,
    meant=meant,
)
