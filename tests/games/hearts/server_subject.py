"""Hearts for the tests of servers and programs."""

from random import Random

from engine import View
from engine.cards import TOKENS
from tests.games.hearts.broken import Impatient, LoudExchange, OpenPasses, ShownHand, Whisper
from tests.games.hearts.reference import Table
from tests.games.server_subject import MATCH_VALUES, Opening, ServerSubject
from tests.server.secrecy.knowledge import Reference, hands_in


def opening(rng: Random, number: int) -> Opening:
    """Tables of both rule sets with one deal or several, for several directions of passing."""
    rules = "recycle" if number % 4 == 0 else "standard"
    passes = [f"pass {' '.join(TOKENS[at : at + 3])}" for at in range(50)]
    return Opening("hearts", 4, {"rules": rules, "target": rng.choice((1, 1, 30))}, passes)


def laid(view: View) -> Table:
    shift = {"left": 1, "across": 2, "right": 3}.get(str(view.values.get("pass")), 0)
    return Table(hands_in(view), shift=shift, standard=view.values["option/rules"] == "standard")


SERVER_SUBJECT = ServerSubject(
    opening=opening,
    knowledge=Reference("deck", laid, Table.play, Table.moves).knowledge,
    values=(*MATCH_VALUES, "points", "broken", "pass"),
    verbs=("pass", "play"),
    leaks=(OpenPasses, Whisper, LoudExchange, Impatient, ShownHand),
    short={"target": 15},
    hides=True,
)
