"""Our described games as subjects of the suite."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.described import described
from tests.conformance.described_games import SIGHTS
from tests.conformance.subject import Subject


def ours(name: str, announced: Sequence[str] = (), lots_are_seen: bool = False) -> Subject[Any]:
    """The subject of one of our games, with its table of who may see which pile."""
    sights = SIGHTS[name.rstrip("0123456789")]
    return described(name, sights, None, announced, lots_are_seen)


# Subjects of one kind of state stand beside others in what the checks take.
SUBJECTS: tuple[Subject[Any], ...] = (
    ours("Hearts4"),
    ours("Agram3"),
    ours("Whist4"),
    ours("Klaverjassen4"),
    ours("NinetyEight2"),
    ours("BlindMan4"),
    ours("Golf4"),
    ours("Goofspiel3"),
)
# A sample heeds where cards were seen to go and which cards a move rules out. Of some games more
# can be learnt, so that not all its moves could have been made with the cards it has dealt. There
# a sample is only held against what is seen.
WITHOUT_HISTORY: tuple[Subject[Any], ...] = (
    # Two packs: which of two equal cards was played.
    ours("BlackQueen4"),
    ours("Bouquet3"),
    # A player who drew a card could not play one.
    ours("CrazyEights4"),
    # What was laid into the crib came from the hand that was dealt.
    ours("Cribbage2"),
    # A player who asked for a rank had it, and the answer showed whether the other did.
    ours("GoFish3"),
    # Cards of which some were seen are shuffled and drawn again.
    ours("Rummy2"),
    # A player who announced a marriage held both its cards.
    ours("SixtySix2", announced=("marriages",)),
    # The player with the lowest card began; if several had it, one was drawn by lot.
    ours("Pairs3", lots_are_seen=True),
)
