"""The title and the bell of a terminal."""

from dataclasses import replace

from client_cli.attention import BELL, Attention, title_of
from tests.client_cli.tables import ANNS_TURN, human, table


def test_the_title_says_whose_turn_it_is() -> None:
    """The title has the table and whose turn it is, or only the table before a match."""
    assert title_of(ANNS_TURN) == "Your turn - Black Queen K7Q2X"
    assert title_of(table(to_act=(1, 2))) == "Blaise, Carl to move - Black Queen K7Q2X"
    assert title_of(table(phase="lobby", to_act=(1,))) == "Black Queen K7Q2X"


def test_a_title_cannot_steer_the_terminal() -> None:
    """Names in the title are cleaned of control characters."""
    evil = table(seats=(human("Ann"), human("B\a\x1b[2Job")), to_act=(1,))
    assert title_of(evil) == "B[2Job to move - Black Queen K7Q2X"


def test_the_title_is_written_when_it_changes_and_given_back() -> None:
    """The title is written when it changes, and the terminal's own is restored at the end."""
    written: list[str] = []
    attention = Attention(written.append, title=True, bell=False)
    for each in (table(to_act=(1,)), table(to_act=(1,), turn=8), ANNS_TURN):
        attention.follow(each)
    attention.end()
    attention.end()
    assert written == [
        "\x1b[22;2t\x1b]2;Blaise to move - Black Queen K7Q2X\a",
        "\x1b]2;Your turn - Black Queen K7Q2X\a",
        "\x1b]2;\a\x1b[23;2t",
    ]


def test_the_bell_rings_once_at_each_turn() -> None:
    """The bell rings once at each of one's turns, and not for others' turns."""
    written: list[str] = []
    attention = Attention(written.append, title=False, bell=True)
    later = replace(ANNS_TURN, question=ANNS_TURN.question.model_copy(update={"turn": 9}))
    for each in (table(to_act=(1,)), ANNS_TURN, ANNS_TURN, table(to_act=(1,), turn=8), later):
        attention.follow(each)
    attention.end()
    assert written == [BELL, BELL]
