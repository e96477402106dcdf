"""The table controller: what a player types, what they are told, and when it ends."""

from dataclasses import replace
from random import Random

import pytest

from client_cli.auto import AutoPlayer
from client_cli.effects import Effect, End, Remark, SendCommand, Show
from client_cli.table_controller import TableController
from engine.facts import Fact, Lay
from protocol.client_events import (
    Disconnected,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableSnapshot,
)
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.to_client import HintAnswer, Ok, Presence
from protocol.to_server import Act, Admit, Back, Hint, Leave, Ready, Sit, Start, Undo
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    ANNS_TURN,
    CODE,
    bot,
    event,
    human,
    played,
    table,
)

DEALT = Fact("deal_laid", {"leader": 1}, (Lay({"deck": 3}),))
ENDED = Fact("match_ended", {"totals": (1, 2, 3), "ranks": (3, 2, 1)})
OVER = table(phase="finished", facts=(ENDED,))


def auto() -> AutoPlayer:
    return AutoPlayer(Random(1))


def act(action: str, turn: int = 7) -> Effect:
    return SendCommand(Act, {"table": CODE, "turn": turn, "action": action})


@pytest.mark.parametrize("typed", ["play TC", "TC", "10♣", "♣T", " 3 ", "tc"])
def test_a_move_may_be_typed_in_many_ways(typed: str) -> None:
    """A move may be typed as its action, its card, or its number."""
    assert TableController(ANNS_TURN).typed(typed) == [act("play TC")]


def test_an_exact_move_goes_before_an_order() -> None:
    """An exact move goes before a command of its name."""
    controller = TableController(table(to_act=(0,), actions=("leave", "hint 2")))
    assert controller.typed("leave") == [act("leave")]


@pytest.mark.parametrize(
    ("controller", "typed", "words"),
    [
        (TableController(ANNS_TURN), "99", "you may: play 2♣"),
        (TableController(ANNS_TURN), "play clubs", "not possible now"),
        (TableController(ANNS_TURN), "hi there", "To chat: say hi there"),
        (TableController(table(to_act=(1,))), "QS", "It is not your turn."),
        (TableController(table(to_act=(1,))), "a good idea", "To chat: say a good idea"),
        (TableController(table(phase="lobby")), "QS", "No match is being played now."),
        (TableController(table(phase="lobby")), "sit 9", "sit 9: which seat? 1 to 3"),
        (TableController(table(phase="lobby")), "hint", "hint: not now"),
    ],
)
def test_what_cannot_be_is_answered_at_once(
    controller: TableController, typed: str, words: str
) -> None:
    """An impossible command is answered at once, and nothing is sent."""
    (remark,) = controller.typed(typed)
    assert isinstance(remark, Remark)
    assert remark.wrong
    assert words in remark.text


@pytest.mark.parametrize(
    ("typed", "action"), [("q♠", "play QS"), ("play 4d", "play 4D"), ("JC@2", "play JC@2")]
)
def test_a_move_that_is_not_offered_is_tried(typed: str, action: str) -> None:
    """A move that is not offered is sent, so that the server names the rule."""
    assert TableController(ANNS_TURN).typed(typed) == [act(action)]


def test_a_move_of_the_game_is_tried_at_any_time() -> None:
    """A move that the game has, though not now, is sent: the server says what it takes."""
    asked = table(to_act=(0,), actions=("play QH", "play JC"))
    schnapsen = replace(asked, info=asked.info.model_copy(update={"game": "schnapsen"}))
    assert TableController(schnapsen).typed("Exchange") == [act("exchange")]
    (remark,) = TableController(asked).typed("exchange")
    assert isinstance(remark, Remark)


def test_an_empty_line_is_nothing() -> None:
    """An empty line does nothing."""
    assert TableController(ANNS_TURN).typed("  ") == []


def test_the_table_is_drawn_when_ones_turn_comes() -> None:
    """The table is drawn on one's own turn only."""
    controller = TableController(table(to_act=(1,), turn=6))
    assert controller.happened(event(replace(ANNS_TURN, seq=21), before=controller.table)) == [
        Show("turn")
    ]
    later = table(to_act=(2,), turn=8)
    assert controller.happened(event(later, played(0, "2C"), before=ANNS_TURN)) == []


@pytest.mark.parametrize("verb", ["configured", "rematch_opened"])
def test_the_lobby_is_drawn_when_it_changes(verb: str) -> None:
    """The lobby is drawn when it changes."""
    controller = TableController(table(phase="lobby"))
    assert controller.happened(event(controller.table, Fact(verb))) == [Show("table")]


def test_a_new_deal_is_drawn_for_who_only_watches() -> None:
    """Spectators and automatic seats see each new deal once."""
    controller = TableController(table(seat=None))
    assert controller.happened(event(controller.table, DEALT)) == [Show("table")]


def test_a_snapshot_is_drawn() -> None:
    """A snapshot after a gap is drawn."""
    controller = TableController(table(seq=3))
    assert controller.happened(TableSnapshot(table(seq=30))) == [Show("table")]
    assert controller.table.seq == 30


def test_who_comes_and_goes_is_remembered() -> None:
    """Presence is shown in the picture."""
    controller = TableController(table())
    away = table(seats=(human("Ann"), human("Bob", away=True), human("Cem")))
    assert controller.happened(PresenceChanged(away, Presence(table=CODE, seat=1, away=True))) == []
    assert controller.table is away


def test_other_tables_are_none_of_its_business() -> None:
    """Events of other tables are ignored."""
    controller = TableController(table(seq=3))
    other = replace(OVER, table="OTHER")
    for client_event in (TableSnapshot(other), event(other, ENDED), TableClosed(other, "expired")):
        assert controller.happened(client_event) == []
    assert controller.table.seq == 3


def test_a_match_ends_with_the_result() -> None:
    """A match ends with its result, and ends the program unless one stays."""
    assert TableController(table()).happened(event(OVER, ENDED)) == [Show("final"), End()]


def test_who_stays_may_play_again() -> None:
    """A player who stays may play again, after the host's rematch."""
    for host, told in (
        (0, "Type rematch for another match here, or leave to go."),
        (1, "Type leave to go, or wait: the host can type rematch."),
    ):
        over = table(phase="finished", facts=(ENDED,), host=host)
        happened = TableController(table(), stay=True).happened(event(over, ENDED))
        assert happened == [Show("final"), Remark(told)]


def test_coming_back_to_a_finished_table_ends() -> None:
    """Returning to a finished table ends with its result."""
    assert TableController(table()).happened(TableSnapshot(OVER))[-1] == End()
    assert TableController(OVER).arrived(draw=True) == [Show("table"), End()]


@pytest.mark.parametrize(
    ("reason", "code"),
    [("left", Exit.DONE), ("finished", Exit.DONE), ("kicked", Exit.REFUSED)],
)
def test_a_lost_place_ends_the_desk(reason: str, code: Exit) -> None:
    """A lost place ends the program: leaving is a success, being removed is not."""
    assert TableController(table()).happened(TableClosed(table(), reason)) == [End(code)]


def test_a_refused_command_tells_why_and_what_to_do() -> None:
    """A refused command shows the server's reason and advice for its code."""
    refused = ProtocolError("seat_taken", "seat 1 is taken")
    command = SendCommand(Sit, {"table": CODE, "seat": 1}, typed="sit 2")
    (remark,) = TableController(table()).done(command, refused)
    assert remark == Remark("sit 2: seat 2 is taken. Choose another seat.", wrong=True)
    assert TableController(table()).done(SendCommand(Ready), Ok(id=1)) == []


def test_a_hint_that_comes_too_late_is_no_news() -> None:
    """A late hint's refusal is not shown; other refusals are."""
    command = SendCommand(Hint, {"table": CODE}, typed="hint")
    controller = TableController(ANNS_TURN)
    assert controller.done(command, ProtocolError("stale_turn", "turn 7 is over")) == []
    assert controller.done(command, ProtocolError("no_hints", "hints are off")) != []


def test_a_refused_move_is_not_repeated() -> None:
    """A refused move's reason names the legal cards."""
    controller = TableController(ANNS_TURN)
    (command,) = controller.typed("TC")
    assert isinstance(command, SendCommand)
    (remark,) = controller.done(command, ProtocolError("stale_turn", "turn 7 is over"))
    assert isinstance(remark, Remark)
    assert remark.text.startswith("turn 7 is over")


def test_when_the_input_ends_the_seat_goes_on_by_itself() -> None:
    """At the end of input the seat plays by itself, at once and to the end."""
    controller = TableController(ANNS_TURN, stay=True)
    remark, asked = controller.input_ended(final=True)
    assert remark == Remark("Your seat plays by itself now.")
    assert asked == SendCommand(Hint, {"table": CODE})
    assert controller.happened(event(OVER, ENDED)) == [Show("final"), End()]


def test_auto_ends_with_the_match_and_the_person_stays() -> None:
    """`--auto` ends with the match, and the next match is the person's."""
    controller = TableController(ANNS_TURN, stay=True, by_hand=True)
    controller.typed("auto")
    final, remark = controller.happened(event(OVER, ENDED))
    assert final == Show("final")
    assert isinstance(remark, Remark)
    assert "rematch" in remark.text
    (told,) = controller.typed("auto")
    assert told == Remark("No match is being played now.", wrong=True)
    again = table(phase="lobby", seats=(human("Ann", ready=False), human("Bob")))
    assert controller.happened(event(again, Fact("rematch_opened"))) == [Show("table")]
    assert TableController(OVER, stay=True).input_ended(final=False) == [End()]


def test_auto_ends_the_program_when_nobody_can_type_any_more() -> None:
    """After the end of input an automatic seat leaves after the match."""
    controller = TableController(ANNS_TURN, stay=True)
    controller.typed("auto")
    assert controller.input_ended(final=True) == []
    assert controller.happened(event(OVER, ENDED)) == [Show("final"), End()]


@pytest.mark.parametrize("typed", ["close", "draw stock", "Close"])
def test_a_move_of_earlier_is_not_taken_for_chat(typed: str) -> None:
    """A move of an earlier turn is answered as not possible now, not as chat."""
    before = table(to_act=(0,), actions=("close", "draw stock"))
    controller = TableController(before)
    controller.happened(event(ANNS_TURN, before=before))
    (told,) = controller.typed(typed)
    assert isinstance(told, Remark)
    assert f"'{typed}' is not possible now; you may: play 2" in told.text
    controller.happened(event(table(to_act=(1,))))
    assert controller.typed(typed) == [Remark("It is not your turn.", wrong=True)]


def test_a_move_of_another_player_is_not_taken_for_chat() -> None:
    """A move typed in turn of another player is not taken for chat."""
    taken = Fact("option_taken", {"seat": 1, "action": "go"})
    controller = TableController(table(to_act=(0,), actions=("play 2C",), facts=(taken,)))
    (told,) = controller.typed("go")
    assert isinstance(told, Remark)
    assert "'go' is not possible now" in told.text


def test_leaving_without_a_connection_is_answered_at_once() -> None:
    """Leaving without a connection is answered at once."""
    controller = TableController(ANNS_TURN, by_hand=True)
    controller.happened(Disconnected("it broke off"))
    controller.typed("leave")
    assert controller.asks
    command, told = controller.typed("yes")
    assert command == SendCommand(Leave, {"table": CODE})
    assert isinstance(told, Remark)
    assert "as soon as the connection is back" in told.text
    controller.happened(Reconnected())
    controller.typed("leave")
    assert controller.typed("yes") == [command]


def test_the_host_is_told_of_a_refusal() -> None:
    """A host who refuses a request is told, and the requester has the answer."""
    refuses = SendCommand(Admit, {"table": CODE, "request": 1, "admit": False}, "refuse Bob")
    ok = Ok(id=1, table=CODE)
    assert TableController(table()).done(refuses, ok) == [
        Remark("The player is told that you refuse.")
    ]
    admits = SendCommand(Admit, {"table": CODE, "request": 1}, "admit Bob")
    assert TableController(table()).done(admits, ok) == []


def test_a_seat_that_plays_by_itself_is_taken_back() -> None:
    """An automatic seat is taken back with `back`; until then only talk and views are allowed."""
    controller = TableController(ANNS_TURN, stay=True)
    remark, asked = controller.typed("auto")
    assert isinstance(remark, Remark)
    assert "Type back" in remark.text
    assert isinstance(asked, SendCommand)
    for typed in ("TC", "play TC", "hint"):
        (told,) = controller.typed(typed)
        assert isinstance(told, Remark)
        assert "Type back" in told.text
    assert controller.typed("table") == [Show("table")]
    assert controller.typed("back")[-1] == Show("table")
    # What was asked for the seat meanwhile is not the person's either.
    assert controller.done(asked, HintAnswer(id=1, table=CODE, turn=7, action="play TC")) == []
    assert controller.typed("TC") == [act("play TC")]
    assert controller.happened(event(OVER, ENDED))[-1] != End()


def test_ctrl_d_is_no_end_for_a_person_at_a_terminal() -> None:
    """After Ctrl-D the seat plays by itself, and the person can still type."""
    controller = TableController(ANNS_TURN)
    remark, _ = controller.input_ended(final=False)
    assert isinstance(remark, Remark)
    assert "Type back" in remark.text
    assert "Ctrl-C" in remark.text
    (again,) = controller.input_ended(final=False)
    assert isinstance(again, Remark)
    assert controller.input_ended(final=True) == []
    (watching,) = TableController(table(seat=None)).input_ended(final=False)
    assert watching == Remark("You are watching. Type quit to stop.")


@pytest.mark.parametrize(("answer", "done"), [("yes", True), ("undo", True), ("no", False)])
def test_what_taking_back_costs_is_told_before_the_first_time(answer: str, done: bool) -> None:
    """The first undo must be confirmed if it costs the match its result."""
    lone = replace(ANNS_TURN, info=table(seats=ANN_AND_BOTS).info)
    controller = TableController(lone, by_hand=True)
    (remark,) = controller.typed("undo")
    assert isinstance(remark, Remark)
    assert remark.text.endswith("it has no result. Type yes or no.")
    undo = SendCommand(Undo, {"table": CODE})
    assert controller.typed(answer) == [undo if done else Remark("The move stays.")]
    practice = replace(lone, info=lone.info.model_copy(update={"practice": True}))
    assert TableController(practice, by_hand=True).typed("undo") == [undo]
    assert TableController(lone).typed("undo") == [undo]


def test_a_rematch_with_bots_alone_starts_at_once() -> None:
    """A rematch with bots alone starts at once."""
    opened = Fact("rematch_opened")
    for seats, more in (
        (ANN_AND_BOTS, [SendCommand(Start, {"table": CODE})]),
        ((human("Ann"), human("Bob"), bot("Carl")), []),
    ):
        controller = TableController(table(phase="finished", seats=seats), stay=True)
        controller.typed("rematch")
        again = table(phase="lobby", seats=seats)
        assert controller.happened(event(again, opened)) == [Show("table"), *more]
        assert controller.happened(event(again, opened)) == [Show("table")]


@pytest.mark.parametrize(("answer", "left"), [("yes", True), ("leave", True), ("no", False)])
def test_leaving_a_match_is_confirmed_once(answer: str, left: bool) -> None:
    """Leaving a match must be confirmed once, and nothing is sent before."""
    controller = TableController(ANNS_TURN, by_hand=True)
    (remark,) = controller.typed("leave")
    assert isinstance(remark, Remark)
    assert remark.text == "Leave the match? It ends then. Type yes or no."
    effects = controller.typed(answer)
    stays = Remark("You stay at the table.")
    assert effects == ([SendCommand(Leave, {"table": CODE})] if left else [stays])


@pytest.mark.parametrize(
    ("answer", "over"), [("y", True), ("quit", True), ("EXIT", True), ("q", True), ("no", False)]
)
def test_closing_the_program_is_confirmed_where_nothing_is_kept(answer: str, over: bool) -> None:
    """Closing the program must be confirmed if the match is not kept."""
    controller = TableController(ANNS_TURN, by_hand=True, kept=False)
    asked = "Close the program? The match is not kept. Type yes or no."
    assert controller.typed("quit") == [Remark(asked)]
    ends = End(early=True)
    assert controller.typed(answer) == [ends if over else Remark("You stay at the table.")]
    assert TableController(ANNS_TURN, by_hand=True).typed("quit") == [ends]
    assert TableController(ANNS_TURN, kept=False).typed("quit now") == [ends]


def test_quit_closes_the_program_at_a_question() -> None:
    """`quit` at a question closes the program."""
    controller = TableController(ANNS_TURN, by_hand=True, kept=False)
    controller.typed("leave")
    assert controller.typed("quit") == [End(early=True)]


def test_ctrl_c_asks_once_where_nothing_is_kept() -> None:
    """Ctrl-C asks once if nothing is kept, and the second one closes the program."""
    ends = End(Exit.INTERRUPTED, early=True)
    asked = "Close the program? The match is not kept. Type yes or no, or Ctrl-C again."
    controller = TableController(ANNS_TURN, by_hand=True, kept=False)
    assert controller.interrupted() == [Remark(asked)]
    assert controller.typed("no") == [Remark("You stay at the table.")]
    assert controller.interrupted() == [Remark(asked)]
    assert controller.interrupted() == [ends]
    assert TableController(ANNS_TURN, by_hand=True).interrupted() == [ends]


def test_q_is_never_a_move() -> None:
    """`q` is never a move, even if a move has that name."""
    for actions in (("play QS", "play 2C"), ("q", "r")):
        controller = TableController(table(to_act=(0,), actions=actions), by_hand=True)
        assert controller.typed("q") == [End(early=True)]


def test_another_line_is_no_answer() -> None:
    """Another line at a question is carried out, and the question is dropped."""
    controller = TableController(ANNS_TURN, by_hand=True)
    controller.typed("leave")
    assert controller.typed("TC") == [Remark("You stay at the table."), act("play TC")]
    (remark,) = controller.typed("yes")
    assert isinstance(remark, Remark)
    others = TableController(table(seats=(human("Ann"), human("Bob"), human("Cem"))), by_hand=True)
    (told,) = others.typed("leave")
    assert isinstance(told, Remark)
    assert "A bot plays your seat" in told.text


@pytest.mark.parametrize(
    "controller",
    [
        TableController(ANNS_TURN),
        TableController(table(phase="lobby"), by_hand=True),
        TableController(table(seat=None), by_hand=True),
    ],
)
def test_leaving_without_a_loss_is_not_asked(controller: TableController) -> None:
    """Leaving without a loss is not asked about."""
    assert controller.typed("leave") == [SendCommand(Leave, {"table": CODE})]


def test_back_stops_both_bots() -> None:
    """`back` stops both the table's stand-in bot and the program's own."""
    seats = (human("Ann", stand_in=True), human("Bob"))
    controller = TableController(table(seats=seats, to_act=(0,)), auto=auto())
    assert controller.typed("back") == [SendCommand(Back, {"table": CODE})]
    assert controller.auto is None


def test_back_without_a_match() -> None:
    """`back` without a match says nothing about a bot."""
    lobby = TableController(table(phase="lobby"))
    assert lobby.typed("back") == [Remark("No match is being played now.")]
    assert TableController(table()).typed("back") == [Remark("You already play for yourself.")]


def test_a_spectator_goes_on_watching_when_the_input_ends() -> None:
    """A spectator goes on watching when the input ends."""
    assert TableController(table(seat=None)).input_ended(final=True) == []


def test_a_seat_that_plays_by_itself_draws_no_table_at_each_turn() -> None:
    """An automatic seat draws no table at each turn."""
    controller = TableController(table(), auto=auto())
    assert controller.happened(event(ANNS_TURN)) == [SendCommand(Hint, {"table": CODE})]


def test_a_lost_connection_is_waited_out() -> None:
    """After a lost connection an unanswered question is considered again."""
    controller = TableController(ANNS_TURN, auto=auto())
    (asked,) = controller.arrived(draw=False)
    assert controller.happened(Disconnected("it broke off")) == []
    assert isinstance(asked, SendCommand)
    assert controller.done(asked, ProtocolError("draining", "the server restarts")) == []
    assert controller.happened(Reconnected()) == [asked]


def test_answers_to_what_the_seat_does_by_itself_are_its_own_affair() -> None:
    """Answers to automatic commands cause no remarks."""
    controller = TableController(ANNS_TURN, auto=auto())
    too_late = ProtocolError("wrong_phase", "already playing")
    for kind in (Act, Start, Ready):
        assert controller.done(SendCommand(kind), too_late) == []
    (move,) = controller.done(SendCommand(Hint), ProtocolError("no_hints", "no hints here"))
    assert isinstance(move, SendCommand)
    assert move.kind is Act
