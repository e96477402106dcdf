"""Typed words that are no moves."""

from dataclasses import replace
from typing import Any

import pytest

from client_cli.effects import End, PlayBy, SendCommand, Show
from client_cli.typed_commands import available_commands, effect_of, unknown_command
from client_cli.typed_values import NotUnderstood, option_value
from protocol.message import Phase
from protocol.mirror import TableMirror
from protocol.to_server import (
    TO_SERVER,
    AddBot,
    Back,
    ChangedSettings,
    Chat,
    Configure,
    Games,
    Hint,
    Kick,
    Leave,
    MakeHost,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    StandIn,
    Start,
    ToServer,
    Undo,
)
from tests.client_cli.tables import ANN_AND_BOTS, CODE, FREE, bot, human, table

LOBBY, PLAYING, FINISHED = (table(phase=phase) for phase in ("lobby", "playing", "finished"))
FRIENDS = table(phase="lobby", seats=(human("Ann"), human("Bob"), human("Cem"), human("Bobby")))
PLAYED_FOR = table(seats=(human("Ann", stand_in=True), human("Bea")))


def changed(**changes: Any) -> ChangedSettings:
    """The settings of `LOBBY`, as told in numbers, with these changes."""
    return ChangedSettings(turn_seconds=0, **changes)


@pytest.mark.parametrize(
    ("at", "typed", "kind", "fields"),
    [
        (PLAYING, "hint", Hint, {}),
        (PLAYING, "undo", Undo, {}),
        (PLAYING, "leave", Leave, {}),
        (PLAYING, "say  good luck ", Chat, {"text": "good luck"}),
        (PLAYING, "chat hello", Chat, {"text": "hello"}),
        (LOBBY, "ready", Ready, {"ready": True}),
        (LOBBY, "ready no", Ready, {"ready": False}),
        (LOBBY, "sit 3", Sit, {"seat": 2}),
        (LOBBY, "SIT 3", Sit, {"seat": 2}),
        (LOBBY, "add 2", AddBot, {"strength": 2}),
        (LOBBY, "add 1 3", AddBot, {"strength": 1, "seat": 2}),
        (LOBBY, "remove 2", RemoveBot, {"seat": 1}),
        (LOBBY, "kick 2", Kick, {"seat": 1}),
        (FRIENDS, "kick bob", Kick, {"seat": 1}),
        (FRIENDS, "kick C", Kick, {"seat": 2}),
        (FRIENDS, "host bob", MakeHost, {"seat": 1}),
        (FINISHED, "host 2", MakeHost, {"seat": 1}),
        (PLAYING, "auto 2", StandIn, {"seat": 1}),
        (PLAYED_FOR, "back", Back, {}),
        (LOBBY, "start", Start, {}),
        (LOBBY, "start 1", Start, {"fill": 1}),
        (LOBBY, "set deals=2", Configure, {"options": {"deals": 2, "columns": 2}}),
        (LOBBY, "set deals = 2", Configure, {"options": {"deals": 2, "columns": 2}}),
        (LOBBY, "set deals=1 columns=3", Configure, {"options": {"deals": 1, "columns": 3}}),
        (
            LOBBY,
            "set deals =1 private= yes turn_seconds=30",
            Configure,
            {
                "options": {"deals": 1, "columns": 2},
                "settings": ChangedSettings(private=True, turn_seconds=30),
            },
        ),
        (LOBBY, "set private=yes", Configure, {"settings": changed(private=True)}),
        (LOBBY, "set bot_delay=1.5", Configure, {"settings": changed(bot_delay=1.5)}),
        (LOBBY, "set bot_delay=default", Configure, {"settings": changed()}),
        (
            LOBBY,
            "set turn_seconds=default",
            Configure,
            {"settings": ChangedSettings(turn_seconds=None)},
        ),
        (FINISHED, "rematch", Rematch, {}),
    ],
)
def test_an_order_is_a_command(
    at: TableMirror, typed: str, kind: type[ToServer], fields: dict[str, Any]
) -> None:
    """Each typed command becomes one protocol command, with seats counted from 1."""
    asked = effect_of(typed, at)
    assert asked == SendCommand(kind, {"table": CODE, **fields})
    named = {"type": kind.model_fields["type"].default, "id": 1, **asked.fields}
    assert isinstance(TO_SERVER.validate_python(named, strict=True), kind)


def test_the_rules_are_those_of_the_tables_game() -> None:
    """The rules are requested for the table's game."""
    assert effect_of("rules", PLAYING) == SendCommand(Games, {"game": "black_queen"})


@pytest.mark.parametrize(
    ("typed", "effect"),
    [
        ("table", Show("table")),
        ("seats", Show("table")),
        ("score", Show("score")),
        ("?", Show("help")),
        ("history", Show("history")),
        ("quit", End(early=True)),
    ],
)
def test_some_orders_need_no_server(typed: str, effect: object) -> None:
    """Some commands work at every table without the server."""
    assert effect_of(typed, table(phase="closed", seat=None)) == effect


@pytest.mark.parametrize(("typed", "itself"), [("auto", True), ("back", False)])
def test_a_seat_is_given_to_the_program_and_taken_back(typed: str, itself: bool) -> None:
    """A player can give the seat to the program and take it back; a spectator cannot."""
    assert effect_of(typed, PLAYING) == PlayBy(itself)
    with pytest.raises(NotUnderstood, match="only players"):
        effect_of(typed, table(seat=None))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("hnit", "Unknown command. Did you mean hint? Type ? for the commands."),
        ("Scroes", "Unknown command. Did you mean scores? Type ? for the commands."),
        ("asy hello", "Unknown command. Did you mean say? Type ? for the commands."),
        ("see you", "Unknown command. Type ? for the commands. To chat: say see you"),
        ("hi there", "Unknown command. Type ? for the commands. To chat: say hi there"),
        ("what now", "Unknown command. Type ? for the commands. To chat: say what now"),
        ("x " * 40, f"Unknown command. Type ? for the commands. To chat: say {'x ' * 19}x…"),
    ],
)
def test_unknown_words_get_a_suggestion(typed: str, told: str) -> None:
    """Unknown words get a suggestion, or are taken for chat without its command."""
    assert unknown_command(typed, PLAYING) == told
    watching = unknown_command(typed, table(seat=None))
    assert watching == (told if "mean" in told else "Unknown command. Type ? for the commands.")


def test_the_figures_of_a_hint_are_asked_for() -> None:
    """`hint` asks for the sentence, and with a word for the figures."""
    for typed, full in (("hint", False), ("hint full", True), ("hints FULL", True)):
        command = effect_of(typed, PLAYING)
        assert isinstance(command, SendCommand)
        assert command.full is full
    with pytest.raises(NotUnderstood, match="hint full for the figures"):
        effect_of("hint me", PLAYING)


def test_a_move_is_no_order() -> None:
    """Words that do not begin with a command are left to be read as a move."""
    assert effect_of("QS", PLAYING) is None
    assert effect_of("7", PLAYING) is None


@pytest.mark.parametrize(
    ("typed", "kind", "fields"),
    [
        ("add easy", AddBot, {"strength": "easy"}),
        ("add Strong 3", AddBot, {"strength": "strong", "seat": 2}),
        ("start medium", Start, {"fill": "medium"}),
    ],
)
def test_a_strength_may_be_a_word(typed: str, kind: type[ToServer], fields: dict[str, Any]) -> None:
    """A strength given as a word stays one until the game's card is known."""
    assert effect_of(typed, LOBBY) == SendCommand(kind, {"table": CODE, **fields})


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("sit", "1 to 3"),
        ("sit 0", "1 to 3"),
        ("sit 4", "1 to 3"),
        ("sit ²", "1 to 3"),
        ("kick Ann", "which seat"),
        ("add", "how strong"),
        ("add 22", "how strong"),
        ("add best", "how strong"),
        ("add meduim", "how strong[?] Did you mean add medium[?]"),
        ("add 1 9", "1 to 3"),
        ("start now", "how strong"),
        ("set", "set deals=2"),
        ("set deals", "set deals=2"),
        ("set deals=", "set deals=2"),
        ("set deals 1 columns=2", "set deals=2"),
        ("set turn_seconds=soon", "cannot be soon"),
        ("set bot_delay=slow", "cannot be slow"),
        ("hint me", "not now"),
        ("undo", "not now"),
        ("last", "not now"),
        ("say", "what do you want to say"),
        ("rematch", "not now"),
        ("hint", "not now"),
    ],
)
def test_a_wrong_order_says_what_would_be_right(typed: str, words: str) -> None:
    """A wrong command is answered locally with what would be right."""
    with pytest.raises(NotUnderstood, match=words):
        effect_of(typed, LOBBY)


def test_a_host_is_told_what_helps_in_a_match() -> None:
    """A host who tries to remove a player in a match is told what helps instead."""
    with pytest.raises(NotUnderstood, match=r"not now; .*before the next match.* auto 3 lets"):
        effect_of("kick 2", PLAYING)
    with pytest.raises(NotUnderstood, match=r"not now; the table is done with its match$"):
        effect_of("kick 2", FINISHED)


@pytest.mark.parametrize(
    ("free", "words"),
    [(1, "1 seat is free; start medium fills it"), (2, "2 seats are free; start medium fills")],
)
def test_a_start_with_free_seats_says_how_to_fill_them(free: int, words: str) -> None:
    """Starting with free seats tells the host how to fill them."""
    seats = (human("Ann"), human("Bob"), *[FREE] * free)
    with pytest.raises(NotUnderstood, match=words):
        effect_of("start", table(phase="lobby", seats=seats))
    guest = table(phase="lobby", seats=seats, seat=1)
    assert effect_of("start", guest) == SendCommand(Start, {"table": CODE})


def test_a_spectator_gives_no_orders_to_the_table() -> None:
    """A spectator cannot give commands that need a seat."""
    with pytest.raises(NotUnderstood, match="only players at the table"):
        effect_of("ready", table(phase="lobby", seat=None))


def test_spectators_chat_where_the_table_lets_them() -> None:
    """Spectators may chat if the table allows it, which the help says."""
    quiet = table(seat=None)
    settings = quiet.info.settings.model_copy(update={"spectator_chat": True})
    open = replace(quiet, info=quiet.info.model_copy(update={"settings": settings}))
    say = SendCommand(Chat, {"table": CODE, "text": "nice"}, "say nice")
    assert effect_of("say nice", open) == say
    assert "chat with the other spectators" in [
        each.help_at(open) for each in available_commands(open)
    ]
    assert (
        unknown_command("what a trick", open)
        == "Unknown command. Type ? for the commands. To chat: say what a trick"
    )
    assert "say" not in [each.name for each in available_commands(quiet)]
    with pytest.raises(NotUnderstood, match="only players at the table"):
        effect_of("say nice", quiet)


@pytest.mark.parametrize("phase", ["lobby", "playing", "paused", "finished", "closed"])
def test_orders_on_offer_are_orders_that_work(phase: Phase) -> None:
    """Every command that the help lists is understood then."""
    here = table(phase=phase)
    for order in available_commands(here):
        assert effect_of(order.usage, here) is not None


def test_moves_are_taken_back_one_at_a_time() -> None:
    """`undo` takes one move back and accepts no further words."""
    with pytest.raises(NotUnderstood, match="type it again to go back further"):
        effect_of("undo 2", PLAYING)


def test_taking_back_is_offered_to_a_person_alone() -> None:
    """Undo is listed only for a person alone, and explained to others."""
    others = table(phase="playing", seats=(human("Ann"), human("Bea"), bot("Carl")))
    assert "undo" in [command.usage for command in available_commands(PLAYING)]
    assert "undo" not in [command.usage for command in available_commands(others)]
    assert isinstance(effect_of("undo", others), SendCommand)


def test_what_is_done_to_other_people_is_offered_where_there_are_some() -> None:
    """Commands about other people are listed only if there are some."""
    for seats in (ANN_AND_BOTS, (human("Ann"), human("Bea"), bot("Carl"))):
        here = table(phase="lobby", seats=seats)
        offered = {command.name for command in available_commands(here)}
        assert offered.issuperset({"kick", "host"}) is (seats is not ANN_AND_BOTS)
        assert offered.isdisjoint({"kick", "host"}) is (seats is ANN_AND_BOTS)


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", 2), ("-1", -1), ("yes", True), ("OFF", False), ("short", "short"), ("1.5", "1.5")],
)
def test_option_values_are_what_people_mean(text: str, value: object) -> None:
    """Option values are read as numbers, yes and no, and words."""
    got = option_value(text)
    assert (got, type(got)) == (value, type(value))
