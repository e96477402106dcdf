"""Events in sentences: everything a person at the table would notice, and no more."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from client_cli.narrator import narrate
from client_cli.text import Look, Span
from engine.facts import Fact, Value
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
from protocol.message import NoticeKind
from protocol.to_client import ChatNotice, Error, Notice, Presence, StrengthInfo
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    ASCII,
    CODE,
    FREE,
    WIDE,
    bot,
    event,
    human,
    played,
    table,
    text_of,
)


def told(client_event: ClientEvent, look: Look = WIDE) -> str:
    return text_of(narrate(client_event, look)).strip()


def test_each_fact_is_a_sentence() -> None:
    """Each fact is one sentence, in order."""
    trick = Fact("trick_taken", {"seat": 0, "points": -12})
    assert told(event(table(), played(1, "QS"), trick)) == (
        "Blaise plays Q♠.\nYou take the trick (−12 points)."
    )


def test_why_a_player_who_is_away_has_no_seat_any_more_is_told() -> None:
    """A player who lost their seat by being away is told so, and not that they left."""
    before = table(phase="lobby", seats=(human("Ann"), human("Bob", away=True)))
    left = Fact("player_left", {"seat": 1, "name": "Bob"})
    lost = "Bob was away for too long and has lost their seat."
    after = table(phase="lobby", seats=(human("Ann"), FREE))
    assert told(event(after, left, before=before)) == lost


def test_whose_seat_a_bot_plays_is_told() -> None:
    """The bot that takes or gives up a seat is named."""
    bots = (StrengthInfo(strength=1, levels=("easy",)),)
    before = replace(table(seats=(human("Ann"), human("Bob"))), bots=bots)
    after = replace(table(seats=(human("Ann"), bot("Blaise", 1))), bots=bots)
    bob: dict[str, Value] = {"seat": 1, "name": "Bob"}
    for verb, does in (
        ("player_left", "Bob leaves the table."),
        ("player_kicked", "The host removed Bob from the table."),
    ):
        assert told(event(after, Fact(verb, bob), before=before)) == (
            f"{does} Blaise, an easy bot, plays for them."
        )
    unnamed = replace(after, bots=())
    left = event(unnamed, Fact("player_left", bob), before=before)
    assert told(left) == "Bob leaves the table. Blaise, a bot of strength 1, plays for them."
    sits = Fact("player_seated", {**bob, "program": "mine"})
    assert told(event(before, sits, before=after)) == "Bob (program: mine) takes Blaise's seat."
    own = replace(before, seat=1)
    assert told(event(own, sits, before=after)) == "You take Blaise's seat."
    free = table(seats=(human("Ann"), FREE))
    assert told(event(before, Fact("player_seated", bob), before=free)) == "Bob sits down."
    assert told(event(free, Fact("player_left", bob), before=before)) == "Bob leaves the table."


def test_a_player_reads_of_their_own_move_to_another_seat() -> None:
    """A player's own move to another seat is told with the seat they had."""
    seats = (human("Ann"), FREE, human("Bob"))
    moved = Fact("player_moved", {"seat": 1, "to": 2, "name": "Bob"})
    for seat, words in ((2, "You move to seat 3."), (0, "Bob moves to seat 3.")):
        after = table(seats=seats, seat=seat, phase="lobby")
        assert told(event(after, moved)) == words


def test_a_deal_is_not_told_again_when_moves_are_taken_back() -> None:
    """After an undo the deal is not told again: one sentence says what happened."""
    undone = Fact("undone", {"seat": 0, "moves": 1})
    again = Fact("deal_started", {"deal": 1})
    assert told(event(table(), undone, again, played(1, "QS"))) == (
        "You take back 1 move. The match is for practice now."
    )


def test_cards_have_their_colours() -> None:
    """Cards in sentences have their colours."""
    (sentence,) = narrate(event(table(), played(1, "QH")), WIDE)
    assert Span("Q♥", "red") in sentence


def test_sentences_without_symbols() -> None:
    """Without symbols sentences have tokens."""
    assert told(event(table(), played(1, "TH")), ASCII) == "Blaise plays TH."


def test_who_has_left_is_still_named() -> None:
    """A player who has left is still named in the sentence about it."""
    before = table(phase="lobby")
    after = table(seats=(*ANN_AND_BOTS[:2], FREE), phase="lobby")
    gone = Fact("bot_removed", {"seat": 2})
    assert told(event(after, gone, before=before)) == "The host removed Carl."


def test_namesakes_are_told_apart() -> None:
    """Two players with one name are told apart by their seats."""
    twins = table(seats=(human("Ann"), human("Bob"), human("Bob")))
    assert told(event(twins, played(2, "2C"))) == "Bob (3) plays 2♣."


def test_long_sentences_are_broken() -> None:
    """Long sentences are wrapped in a narrow terminal."""
    scored = Fact("deal_scored", {"deal": 1, "scores": (1, 2, 3), "totals": (4, 5, 6)})
    lines = narrate(event(table(), scored), Look(width=40))
    assert len(lines) > 1


def chat(text: str) -> Chatted:
    return Chatted(ChatNotice(table=CODE, seat=1, name="Bob", text=text))


def test_a_phrase_is_told_in_the_language_that_is_spoken() -> None:
    """A phrase is told in the current language, or as written if it is unknown."""
    luck = ChatNotice(table=CODE, seat=1, name="Bob", text="Viel Glück!", phrase="luck")
    assert told(Chatted(luck)) == "Bob: Good luck!"
    other = luck.model_copy(update={"phrase": "of_tomorrow"})
    assert told(Chatted(other)) == "Bob: Viel Glück!"


def test_chat_cannot_steer_the_terminal() -> None:
    """Chat is cleaned for the terminal."""
    assert told(chat("hello\x1b[2J\r\nall")) == "Bob: hello[2J all"


def test_no_player_can_speak_as_the_server() -> None:
    """An announcement of the server looks different from any player's chat."""
    apart = ChatNotice(table=CODE, seat=None, name="Zoe", text="well played", apart=True)
    assert told(Chatted(apart)) == "Zoe (spectator): well played"
    missed = apart.model_copy(update={"earlier": True})
    assert told(Chatted(missed)) == "Zoe (spectator), earlier: well played"
    said = ChatNotice(table=CODE, seat=None, name="Server", text="restart at noon")
    elsewhere = Notice(kind="announcement", reason="restart at noon")
    assert narrate(Chatted(said), WIDE) == narrate(Noticed(elsewhere), WIDE)
    assert told(Chatted(said)) == "The server says: restart at noon"
    player = ChatNotice(table=CODE, seat=1, name="Server", text="restart at noon")
    assert told(Chatted(player)) == "Server: restart at noon"


def test_others_come_and_go() -> None:
    """Presence of other players and of one's own connection have different sentences."""
    here = table(seats=(human("Ann"), human("Bob"), human("Cem")))
    assert told(PresenceChanged(here, Presence(table=CODE, seat=1, away=True))) == "Bob is away."
    assert told(PresenceChanged(here, Presence(table=CODE, seat=1, away=False))) == "Bob is back."
    assert told(PresenceChanged(here, Presence(table=CODE, seat=0, away=False))) == ""


@pytest.mark.parametrize(
    ("notice", "words"),
    [
        (Notice(kind="draining"), "The server is stopping."),
        (Notice(kind="replaced"), "You have connected from another program."),
        (Notice(kind="outage"), "The server cannot save moves just now. It goes on by itself."),
        (Notice(kind="outage_over"), "The server saves moves again."),
        (Notice(kind="lagging", table=CODE), "The connection is slow"),
        (Notice(kind="spectators", table=CODE, count=2), "Spectators at the table: 2."),
        (Notice(kind="announcement", reason="restart at noon"), "The server says: restart at noon"),
        (
            Notice(kind="latecomer", table=CODE, request=1, name="Bob", program="my bot"),
            "Bob (program: my bot) asks to join. Type admit Bob, or",
        ),
    ],
)
def test_notices_are_told(notice: Notice, words: str) -> None:
    """Each kind of notice has its own sentence."""
    assert told(Noticed(notice)).startswith(words)


def test_every_kind_of_notice_has_a_sentence() -> None:
    """Every known kind of notice has a sentence; an unknown kind is shown as its word."""

    def said(kind: str) -> str:
        notice = Notice(kind=kind, table=CODE, seats=(2,), strength=1, seconds=9)
        return told(Noticed(notice, table()))

    for kind in get_args(NoticeKind):
        assert said(kind)
        assert said(kind) != said("tea_break").replace("tea break", kind.replace("_", " "))


@pytest.mark.parametrize(
    ("seat", "host", "late", "told_so"),
    [
        (0, 0, 1, "Bob's time is up. Type auto 2 to let a bot play for them."),
        (2, 0, 1, "Bob's time is up."),
        (2, 3, 1, "Bob's time is up. Type auto 2 to let a bot play for them."),
        (2, 1, 1, "Bob's time is up. Type auto 2 to let a bot play for them."),
        (None, 1, 1, "Bob's time is up."),
        (1, 0, 1, "Your time is up. Until you move, the host may have a bot play for you."),
    ],
)
def test_whose_time_is_up(seat: int | None, host: int, late: int, told_so: str) -> None:
    """A player whose time is up is told with who may let a bot play."""
    seats = (human("Ann"), human("Bob"), human("Cid"), human("Dora", away=True))
    mirror = table(seats=seats, seat=seat, host=host)
    notice = Notice(kind="time_up", table=CODE, seats=(late,))
    assert told(Noticed(notice, mirror)) == told_so


def test_an_error_that_answers_nothing_is_told() -> None:
    """An error that answers no command is told."""
    code: ErrorCode = "rate_limited"
    error = Error(id=None, code=code, reason="too many messages")
    assert told(Noticed(error)) == "The server says: too many messages"


def test_a_lost_connection_says_so_and_comes_back() -> None:
    """A lost connection and its return are told."""
    assert told(Disconnected("it broke off")) == (
        "Connection lost: it broke off. Trying to reconnect."
    )
    assert told(Reconnected()) == "Connected again."


def test_a_lost_place_says_why() -> None:
    """A lost place is told with its reason, unless one has left."""
    assert told(TableClosed(table(), "left")) == "You have left the table."
    assert told(TableClosed(table(), "expired")) == ("The table is closed: nobody started a match.")


@pytest.mark.parametrize("reason", ["closed_by_administrator", "left"])
def test_why_a_table_is_closed_is_told_once(reason: str) -> None:
    """The reason for a closed table is told once, also to spectators."""
    closed = Fact("table_closed", {"reason": reason})
    after = table(seat=None, facts=(played(1, "QS"), closed))
    said = told(event(after, closed)) + told(TableClosed(after, reason))
    assert said.count("The table is closed:") == 1
    assert "You have left" not in said


def test_a_snapshot_is_a_picture_and_no_sentence() -> None:
    """A snapshot is drawn and has no sentence."""
    assert narrate(TableSnapshot(replace(table(), seq=1)), WIDE) == []


def warm_up(kind: str, **fields: Any) -> str:
    """The sentence of a notice about bots that are not ready, for strengths 1 and 2."""
    words = told(Noticed(Notice(kind=kind, table=CODE, **fields), table()))
    return " ".join(words.split())


def test_everybody_reads_who_plays_until_a_bot_is_ready() -> None:
    """Everybody is told which bot plays until another is ready, how long, and when it is over."""
    assert warm_up("warming", seats=(2,), strength=1, seconds=23) == (
        "Carl is warming up and plays like a bot of strength 1 meanwhile, for about 25 s."
    )
    assert warm_up("warming", seats=(1, 2), strength=0, seconds=3) == (
        "Blaise and Carl are warming up and play like a bot of strength 0 meanwhile, for about 3 s."
    )
    assert warm_up("warmed", seats=(2,), strength=3) == (
        "Carl is ready and plays like a bot of strength 3 from now on."
    )
    assert warm_up("not_warmed", seats=(2,), strength=1) == (
        "Carl cannot be prepared on this server and plays like a bot of strength 1."
    )


def test_a_plainer_relative_has_no_number_of_its_own() -> None:
    """The plain bot that stands in is described by how it plays, not by a number."""
    strength = table().info.seats[1].strength
    assert warm_up("warming", seats=(1,), strength=strength, seconds=1) == (
        "Blaise is warming up and plays by simple rules of thumb meanwhile, for about 1 s."
    )


def test_a_table_that_waits_for_its_bots_says_why() -> None:
    """A table that waits for its bots says why."""
    assert warm_up("warming", seats=(2,), seconds=30) == (
        "Carl is warming up, about 30 s. "
        "This table has a seed, so the match waits: it must be the same every time."
    )


@pytest.mark.parametrize(
    ("kind", "strength", "words"),
    [
        ("warming", 1, "warming up, about 20 s; a bot of strength 1 gives them meanwhile."),
        ("warming", None, "warming up, about 20 s. This table has a seed, so your hint waits"),
        ("warmed", 3, "ready: a bot of strength 3."),
        ("not_warmed", 1, "cannot be prepared on this server; a bot of strength 1 gives them."),
    ],
)
def test_who_asks_for_a_hint_reads_who_gives_it(
    kind: str, strength: int | None, words: str
) -> None:
    """Only the player who asked for a hint is told which bot gives it."""
    assert words in warm_up(kind, strength=strength, seconds=20)


def test_the_reason_for_which_the_program_ends_is_told_once() -> None:
    """The reason for the program's end is told once."""
    removed = Error(id=None, code="forbidden", reason="an administrator removed you")
    assert told(Noticed(removed)) == ""
    assert "too fast" in told(Noticed(Error(id=None, code="rate_limited", reason="too fast")))


def test_a_player_who_is_removed_reads_it_once() -> None:
    """A removed player is told once."""
    after = table(seats=(FREE, human("Bob")))
    kicked = event(after, Fact("player_kicked", {"seat": 0, "name": "Ann"}))
    told = [text_of(narrate(each, WIDE)) for each in (kicked, TableClosed(after, "kicked"))]
    assert told == ["\n\n", "\nThe host removed you from the table.\n"]
