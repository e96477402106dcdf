"""Black Queen for the tests of servers and programs."""

from random import Random

from engine.cards import TOKENS
from tests.games.black_queen.knowledge import BlackQueenKnowledge
from tests.games.black_queen.leaky import (
    Borrower,
    CountingFact,
    HelpfulChoices,
    LoudDealer,
    OpenHand,
    OpenStands,
    Peeker,
    Prophet,
)
from tests.games.server_subject import MATCH_VALUES, Opening, ServerSubject

MOST_COLUMNS = {2: 13, 3: 8, 4: 13, 5: 10, 6: 13, 7: 11, 8: 13}


def opening(rng: Random, number: int) -> Opening:
    """Tables with every number of seats in turn; one match in 25 has two deals."""
    seats = 2 + number % 7
    deals = 2 if number % 25 == 0 else 1
    options = {"deals": deals, "columns": rng.randint(0, MOST_COLUMNS[seats])}
    return Opening("black_queen", seats, options, [f"play {token}@1" for token in TOKENS])


SERVER_SUBJECT = ServerSubject(
    opening=opening,
    knowledge=BlackQueenKnowledge.at_deal,
    values=(*MATCH_VALUES, "points"),
    verbs=("play",),
    leaks=(
        *(OpenHand, LoudDealer, Peeker, CountingFact, Prophet),
        *(OpenStands, HelpfulChoices, Borrower),
    ),
    short={"deals": 1},
    matches=100,
)
