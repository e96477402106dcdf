"""The output of a client: sentences for people, JSON lines for scripts."""

import json
from typing import Any

import pytest

from client_cli.effects import Remark, SendCommand, Show
from client_cli.output import JsonOutput, LineOutput, NoPager
from client_cli.text import Look
from engine.facts import Fact
from protocol.client_events import Noticed, Reconnected
from protocol.errors import ProtocolError
from protocol.to_client import GameCard, GameList, HintAnswer, Notice
from protocol.to_server import Act, Games, Hint
from tests.client_cli.tables import ANNS_TURN, CODE, WIDE, event, played, table

OVER = table(
    phase="finished",
    facts=(Fact("match_ended", {"totals": (1, 2, 3), "ranks": (3, 2, 1)}),),
)
RULES = GameList(
    id=1,
    games=(
        GameCard(
            id="black_queen",
            version=1,
            title="Black Queen",
            seats=(4,),
            usual_seats=4,
            options=(),
            strengths=(0,),
            rules="# Rules\nAvoid hearts.",
        ),
    ),
)


class Lines:
    """The lines that a person sees."""

    def __init__(self, look: Look = WIDE) -> None:
        self.text = ""
        self.output = LineOutput(lambda: look, self._write)

    def _write(self, text: str) -> None:
        self.text += text


class Records:
    """The records that a script reads."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.output = JsonOutput(self.lines.append)

    def read(self) -> list[dict[str, Any]]:
        assert all(line.endswith("\n") and line.count("\n") == 1 for line in self.lines)
        return [json.loads(line) for line in self.lines]


def test_people_get_sentences() -> None:
    """People get one sentence a line, and nothing for what needs none."""
    screen = Lines()
    screen.output.happened(event(table(), played(1, "QS")))
    screen.output.happened(event(table()))
    assert screen.text == "Blaise plays Q♠.\n"


def test_people_get_pictures() -> None:
    """People get the table with whose turn it is, or the seats in the lobby."""
    screen = Lines()
    screen.output.show(Show("table"), ANNS_TURN)
    assert "trick    Blaise 4♣  Carl K♣" in screen.text
    assert screen.text.endswith("Your turn.\n")
    lobby = Lines()
    lobby.output.show(Show("table"), table(phase="lobby"))
    assert "options  deals=4" in lobby.text


def test_people_get_their_hand() -> None:
    """People get their hand with the numbers of the moves."""
    screen = Lines()
    screen.output.show(Show("hand"), ANNS_TURN)
    assert screen.text.startswith("hand      1)2♣   2)9♣")
    assert "4)J♣@1" in screen.text
    empty = Lines()
    empty.output.show(Show("hand"), table())
    assert empty.text == "You have no cards in your hand.\n"


def test_people_get_answers_to_what_they_asked() -> None:
    """People get hints with reasons and rules as a page, but nothing for a plain ok."""
    screen = Lines()
    hint = HintAnswer(id=1, table=CODE, turn=7, action="play 2C")
    screen.output.answered(SendCommand(Hint), hint, ANNS_TURN)
    screen.output.answered(SendCommand(Games), RULES, ANNS_TURN)
    screen.output.answered(SendCommand(Act), ProtocolError("stale_turn", "too late"), ANNS_TURN)
    assert screen.text == "Hint: play 2♣\nRules\nAvoid hearts.\n"


PLAIN = HintAnswer(id=1, table=CODE, turn=7, action="play 2C", weaker=True, seconds=14)
"""A hint of a plain bot, while the strong one is being prepared."""


def test_that_a_stronger_hint_will_follow_is_said_once() -> None:
    """The first hint says that a stronger one will follow, and so after each warm-up."""
    screen = Lines()
    strong = PLAIN.model_copy(update={"weaker": False, "seconds": None})
    for hint in (PLAIN, PLAIN, strong, PLAIN):
        screen.output.answered(SendCommand(Hint, full=hint is PLAIN), hint, ANNS_TURN)
    promised = "Hint of a plain bot: play 2♣ (a stronger hint is being prepared, about 15 s)."
    assert " ".join(screen.text.split()) == (
        f"{promised} Hint of a plain bot: play 2♣ Hint: play 2♣ {promised}"
    )


@pytest.mark.parametrize("kind", ["warming", "not_warmed"])
def test_a_hint_does_not_repeat_the_notice_before_it(kind: str) -> None:
    """A hint does not repeat the notice about the bot before it."""
    screen = Lines()
    notice = Notice(kind=kind, table=CODE, strength=0, seconds=14)
    screen.output.happened(Noticed(notice, ANNS_TURN))
    screen.text = ""
    screen.output.answered(SendCommand(Hint), PLAIN, ANNS_TURN)
    assert screen.text == "Hint of a plain bot: play 2♣\n"
    screen.output.happened(Noticed(notice.model_copy(update={"kind": "warmed"}), ANNS_TURN))
    screen.output.answered(SendCommand(Hint), PLAIN, ANNS_TURN)
    assert "being prepared" in screen.text


def test_a_late_hint_is_dropped() -> None:
    """A hint that comes too late is dropped."""
    screen = Lines()
    late = HintAnswer(id=1, table=CODE, turn=6, action="play 2C")
    screen.output.answered(SendCommand(Hint), late, ANNS_TURN)
    assert screen.text == ""


def test_long_texts_go_to_the_pager() -> None:
    """Long texts go to the pager if there is one, and are written otherwise."""
    paged: list[str] = []

    class Pager(NoPager):
        def show(self, text: str) -> bool:
            paged.append(text)
            return len(paged) == 1

        def close(self) -> None:
            paged.append("closed")

    written: list[str] = []
    output = LineOutput(lambda: WIDE, written.append, pager=Pager())
    output.answered(SendCommand(Games), RULES, ANNS_TURN)
    assert (paged, written) == (["Rules\nAvoid hearts.\n"], [])
    output.show(Show("history"), ANNS_TURN)
    assert written == paged[1:] != []
    output.interrupted()
    assert paged[-1] == "closed"


def test_remarks_fit_the_terminal() -> None:
    """Long remarks are wrapped."""
    screen = Lines(Look(width=20))
    screen.output.remark(Remark("It goes on alone. Ctrl-C ends the program."))
    assert screen.text == "It goes on alone.\n  Ctrl-C ends the\n  program.\n"


def test_a_command_to_be_copied_is_never_broken() -> None:
    """A command to be copied is never wrapped."""
    command = "blackqueen join ws://cards.example K7Q2X"
    wide, narrow = Lines(), Lines(Look(width=20))
    for screen in (wide, narrow):
        screen.output.remark(Remark("Friends join with:", command=command))
    assert wide.text == f"Friends join with: {command}\n"
    assert narrow.text == f"Friends join with:\n{command}\n"


def test_tables_are_listed_for_both() -> None:
    """Tables are listed as a picture for people, and as one record each for scripts."""
    screen, script = Lines(), Records()
    for output in (screen.output, script.output):
        output.tables([table().info])
    assert "1  K7Q2X  Black Queen" in screen.text
    assert script.read()[0]["table"] == CODE


def test_scripts_get_every_happening() -> None:
    """Scripts get every client event as one JSON object a line, in ASCII."""
    script = Records()
    script.output.happened(event(table(), played(1, "QS")))
    script.output.happened(Reconnected())
    told, back = script.read()
    assert (told["type"], told["facts"][0]["verb"]) == ("event", "card_played")
    assert back == {"type": "reconnected"}
    assert all(line.isascii() for line in script.lines)


def test_scripts_get_the_result_once() -> None:
    """Scripts get the result once, as a record."""
    script = Records()
    for what in ("table", "score", "help"):
        script.output.show(Show(what), OVER)
    script.output.show(Show("final"), OVER)
    script.output.show(Show("final"), table())
    assert script.read() == [
        {
            "type": "finished",
            "table": CODE,
            "totals": [1, 2, 3],
            "ranks": [3, 2, 1],
            "names": ["Ann", "Blaise", "Carl"],
        }
    ]


def test_scripts_learn_what_was_not_understood() -> None:
    """Scripts get remarks only about what they typed."""
    script = Records()
    script.output.remark(Remark("It goes on alone."))
    script.output.answered(SendCommand(Games), RULES, ANNS_TURN)
    script.output.remark(Remark("'XX' is not possible now; you may: play 2C", wrong=True))
    assert script.read() == [
        {
            "type": "error",
            "code": "not_understood",
            "reason": "'XX' is not possible now; you may: play 2C",
        }
    ]
