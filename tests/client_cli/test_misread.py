"""The answer to typed words that are no move."""

import pytest

from client_cli.typed_problem import problem_text
from engine.choices import Pick
from protocol.mirror import TableMirror
from protocol.texts import speaking
from protocol.typed import TypedError, resolve
from tests.client_cli.tables import table

HAND = table(to_act=(0,), actions=("play QS", "play QH", "pass"))
WORDED = table(
    to_act=(0,), actions=("ask 1 A", "ask 2 A"), texts=("ask {seat 1} for aces", "ask {seat 2}")
)
PASSING = table(to_act=(0,), picks=(Pick("pass", ("QS", "KH", "KD"), 2, 2),))
MANY = table(to_act=(0,), actions=tuple(f"play {rank}S" for rank in "23456789T"))


@pytest.mark.parametrize(
    ("here", "typed", "english", "german"),
    [
        (HAND, "frob", "is not possible now; you may: play Q♠, play Q♥, pass", "geht jetzt nicht"),
        (HAND, "play", "could be play Q♠, play Q♥", "könnte mehreres sein: play Q♠, play Q♥"),
        (HAND, "q", "could be play Q♠, play Q♥; type it in full", "schreib es aus"),
        (WORDED, "frob", "you may: ask Blaise for aces, ask Carl", "du darfst: ask Blaise"),
        (PASSING, "as", "is none of the cards; pass 2 of Q♠ K♥ K♦", "pass: 2 von Q♠ K♥ K♦"),
        (PASSING, "qs k", "'k' could be K♥ or K♦; pass 2", "„k“ könnte K♥ oder K♦ sein"),
        (PASSING, "qs qs", "the same card is named twice", "dieselbe Karte steht zweimal da"),
        (PASSING, "qs", "1 card is named", "1 Karte ist genannt"),
        (table(), "qs", "It is not your turn.", "Du bist nicht am Zug."),
        (MANY, "frob", "play 9♠ and 1 more", "play 9♠ und 1 weitere"),
    ],
)
def test_slips_are_explained_in_the_language(
    here: TableMirror, typed: str, english: str, german: str
) -> None:
    """The answer is in the current language, with moves in the game's words."""
    with pytest.raises(TypedError) as caught:
        resolve(typed, here.choices, here.legend)
    assert english in problem_text(caught.value.why, here)
    with speaking("de"):
        assert german in problem_text(caught.value.why, here)
