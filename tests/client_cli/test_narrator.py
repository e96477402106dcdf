"""What happened, in sentences: everything a person at the table would notice, and no more."""

from dataclasses import replace

import pytest

from client_cli.narrator import narrate
from client_cli.text import Look, Span
from engine.facts import Fact
from protocol.client_events import (
    Chatted,
    ClientEvent,
    Disconnected,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableSnapshot,
)
from protocol.errors import ErrorCode
from protocol.to_client import ChatNotice, Error, Notice, Presence
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    ASCII,
    CODE,
    FREE,
    WIDE,
    event,
    human,
    played,
    table,
    text_of,
)


def told(client_event: ClientEvent, look: Look = WIDE) -> str:
    return text_of(narrate(client_event, look)).strip()


def test_each_fact_is_a_sentence() -> None:
    """One line for each thing that happened, in order."""
    trick = Fact("trick_taken", {"seat": 0, "points": -12})
    assert told(event(table(), played(1, "QS"), trick)) == (
        "Blaise plays Q♠.\nYou take the trick (-12 points)."
    )


def test_cards_have_their_colours() -> None:
    """In a sentence as on the table."""
    (sentence,) = narrate(event(table(), played(1, "QH")), WIDE)
    assert Span("Q♥", "red") in sentence


def test_sentences_without_symbols() -> None:
    """ASCII terminals read tokens."""
    assert told(event(table(), played(1, "TH")), ASCII) == "Blaise plays TH."


def test_who_has_left_is_still_named() -> None:
    """The seat is empty now, but the sentence names the player who sat there."""
    before = table(phase="lobby")
    after = table(seats=(*ANN_AND_BOTS[:2], FREE), phase="lobby")
    gone = Fact("bot_removed", {"seat": 2})
    assert told(event(after, gone, before=before)) == "The host removes Carl."


def test_namesakes_are_told_apart() -> None:
    """Two players with the same name are distinguished by their seats."""
    twins = table(seats=(human("Ann"), human("Bob"), human("Bob")))
    assert told(event(twins, played(2, "2C"))) == "Bob (3) plays 2♣."


def test_long_sentences_are_broken() -> None:
    """A narrow terminal gets them in several lines."""
    scored = Fact("deal_scored", {"deal": 1, "scores": (1, 2, 3), "totals": (4, 5, 6)})
    lines = narrate(event(table(), scored), Look(width=40))
    assert len(lines) > 1


def chat(text: str) -> Chatted:
    return Chatted(ChatNotice(table=CODE, seat=1, name="Bob", text=text))


def test_chat_cannot_steer_the_terminal() -> None:
    """What others say is shown, less what would move the cursor."""
    assert told(chat("hello\x1b[2J\r\nall")) == "Bob: hello[2J all"


def test_others_come_and_go() -> None:
    """Other sentences report the player's own connection."""
    here = table(seats=(human("Ann"), human("Bob"), human("Cem")))
    assert told(PresenceChanged(here, Presence(table=CODE, seat=1, away=True))) == "Bob is away."
    assert told(PresenceChanged(here, Presence(table=CODE, seat=1, away=False))) == "Bob is back."
    assert told(PresenceChanged(here, Presence(table=CODE, seat=0, away=False))) == ""


@pytest.mark.parametrize(
    ("notice", "words"),
    [
        (Notice(kind="draining"), "The server is being restarted."),
        (Notice(kind="replaced"), "You are connected from another window now."),
        (Notice(kind="lagging", table=CODE), "The connection is slow"),
        (Notice(kind="spectators", table=CODE, count=2), "Spectators at the table: 2."),
    ],
)
def test_notices_are_told(notice: Notice, words: str) -> None:
    """Each kind of notice in words of its own."""
    assert told(Noticed(notice)).startswith(words)


def test_an_error_that_answers_nothing_is_told() -> None:
    """It may be the server's last word."""
    code: ErrorCode = "rate_limited"
    error = Error(id=None, code=code, reason="too many messages")
    assert told(Noticed(error)) == "The server says: too many messages"


def test_a_lost_connection_says_so_and_comes_back() -> None:
    """Both are reported."""
    assert told(Disconnected("it broke off")) == (
        "Connection lost: it broke off. Trying to come back."
    )
    assert told(Reconnected()) == "Connected again."


def test_a_lost_place_says_why() -> None:
    """Leaving is not losing."""
    assert told(TableClosed(table(), "left")) == "You have left the table."
    assert told(TableClosed(table(), "expired")) == (
        "You have no place at the table any more: nobody started a match."
    )


def test_a_snapshot_is_a_picture_and_no_sentence() -> None:
    """It is drawn, not told."""
    assert narrate(TableSnapshot(replace(table(), seq=1)), WIDE) == []
