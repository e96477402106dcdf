"""The output with `--speak`: sentences alone, a card by its number and its name."""

from collections.abc import Mapping
from typing import Literal

import pytest

from client_cli.effects import Remark, SendCommand, Show
from client_cli.speak_output import SpeakOutput
from client_cli.text import Look
from engine.choices import Pick
from engine.facts import Fact, Value
from protocol.client_events import Chatted
from protocol.mirror import TableMirror
from protocol.to_client import Candidate, ChatNotice, GameCard, GameList, HintAnswer
from protocol.to_server import Games, Hint
from tests.client_cli.tables import ANNS_TURN, CODE, FREE, bot, event, human, played, table


class Heard:
    """A `SpeakOutput` and its sentences."""

    def __init__(self, look: Look = Look(width=40, colour=True)) -> None:  # noqa: B008 - frozen
        self.sentences: list[str] = []
        self.output = SpeakOutput(lambda: look, self._write)

    def _write(self, text: str) -> None:
        assert text.endswith("\n")
        self.sentences.append(text.removesuffix("\n"))

    def show(
        self, what: Literal["table", "turn", "hand", "score", "help", "final"], at: TableMirror
    ) -> list[str]:
        self.sentences.clear()
        self.output.show(Show(what), at)
        return self.sentences


def test_an_event_is_a_sentence() -> None:
    """An event is one plain sentence, and an unimportant one is silent."""
    heard = Heard()
    heard.output.happened(event(table(), played(1, "QS"), Fact("cards_shown")))
    heard.output.happened(event(table(), played(0, "TC")))
    heard.output.happened(event(table()))
    assert heard.sentences == ["Blaise plays queen of spades.", "You play ten of clubs."]


def test_an_announcement_is_not_a_line_of_chat() -> None:
    """An announcement is told apart from chat."""
    heard = Heard()
    heard.output.happened(Chatted(ChatNotice(table=CODE, seat=None, name="Server", text="noon")))
    assert heard.sentences == ["The server says: noon"]


def test_a_turn_names_the_trick_and_the_moves() -> None:
    """A turn names the trick and the moves with numbers and places."""
    assert Heard().show("turn", ANNS_TURN) == [
        "Your turn.",
        "The trick: Blaise four of clubs, Carl king of clubs.",
        "You may play: 1 two of clubs, 2 nine of clubs, 3 ten of clubs, "
        "4 jack of clubs from column 1.",
    ]
    waiting = table(zones={"trick": ""}, to_act=(1,))
    assert Heard().show("turn", waiting) == ["Waiting for Blaise."]


def test_the_table_is_told_whole() -> None:
    """The spoken table has players, scores, the middle, and the own cards with numbers."""
    assert Heard().show("table", ANNS_TURN) == [
        "Black Queen, table K7Q2X, deal 2 of 4.",
        "Ann, you, points 0, total 5; 0 cards taken.",
        "Blaise, bot 2, points 0, total minus 30; 3 cards in hand; "
        "column 1: queen of hearts, over 1 face-down card; column 2: 1 face-down card; "
        "2 cards taken.",
        "Carl, bot 2, points minus 14, total 10; 5 cards in hand; "
        "column 2: ten of diamonds, over 1 face-down card; 3 cards taken.",
        "The trick: Blaise four of clubs, Carl king of clubs.",
        "Your hand: 1 two of clubs, 2 nine of clubs, 3 ten of clubs, four of diamonds, "
        "queen of spades, ace of hearts.",
        "Your column 1: 4 jack of clubs, over 1 face-down card.",
        "Your column 2: five of hearts.",
        "Your turn.",
    ]


def test_a_spectator_is_told_the_table() -> None:
    """A spectator hears what everybody sees, and for whom the table waits."""
    watched = table(
        seat=None,
        zones={"hand/0": "? ?", "stock": "? ?", "row/1": "2C 3D"},
        values={"trump": "♥"},
        to_act=(1, 2),
    )
    assert Heard().show("table", watched) == [
        "Black Queen, table K7Q2X, trump hearts.",
        "Ann; 2 cards in hand.",
        "Blaise, bot 2; row: two of clubs, three of diamonds.",
        "Carl, bot 2.",
        "The stock: 2 face-down cards.",
        "Waiting for Blaise, Carl.",
    ]


def test_places_are_named_by_nouns() -> None:
    """Places are named by nouns: the turned-up card, the passed cards."""
    shown = table(zones={"turned": "4S", "passing/0": "2C", "passing/1": "? ?"})
    told = Heard().show("table", shown)
    assert "The turned-up card: four of spades." in told
    assert "Your cards to pass: two of clubs." in told
    assert "Blaise, bot 2; cards to pass: 2 face-down cards." in told


def test_the_hand_is_told() -> None:
    """The hand is spoken with its numbers; with bids it has none."""
    bids = table(
        zones={"hand/0": "QS 2C"}, to_act=(0,), actions=("bid 0", "bid 1", "pass"), clock=30.0
    )
    assert Heard().show("hand", bids) == [
        "Your hand: two of clubs, queen of spades.",
        "You may bid: 0, 1.",
        "You may choose: pass.",
    ]
    assert Heard().show("turn", bids)[:2] == ["Your turn.", "You have 30 seconds."]
    assert Heard().show("hand", table()) == ["You have no cards in your hand."]


@pytest.mark.parametrize(
    ("zones", "pick", "said"),
    [
        (
            {"hand/0": "2C 3D TH"},
            Pick("pass", ("2C", "3D", "TH"), 2, 2),
            [
                "You may pass: 1 two of clubs, 2 three of diamonds, 3 ten of hearts.",
                "Type 2 cards to pass, by their numbers, such as 1 2.",
            ],
        ),
        (
            {},
            Pick("take", ("2C", "3D"), 0, 1),
            ["You may take 0 to 1 card of: two of clubs, three of diamonds."],
        ),
    ],
)
def test_cards_are_picked_by_number(zones: Mapping[str, str], pick: Pick, said: list[str]) -> None:
    """Cards of a pick are chosen by number if numbered, else by name."""
    assert Heard().show("turn", table(zones=zones, to_act=(0,), picks=(pick,)))[1:] == said


def test_moves_without_a_card_have_numbers() -> None:
    """Moves without a card have numbers beside those of the cards."""
    asked = table(zones={"hand/0": "2C"}, to_act=(0,), actions=("play 2C", "draw", "close talon"))
    assert Heard().show("turn", asked)[1:] == [
        "You may play: 1 two of clubs.",
        "You may choose: 2 draw, 3 close talon.",
    ]


def test_scores_are_told() -> None:
    """Scores are spoken by player, by team and by deal."""
    values: dict[str, Value] = {
        **{f"total/{seat}": total for seat, total in enumerate((5, -30, 10))},
        **{f"team/{seat}": seat % 2 for seat in range(3)},
        "team_total/0": 15,
        "team_total/1": -30,
        "sheet/bid/1": (1, 0, 2),
        "sheet/score/1": (5, -30, 10),
    }
    assert Heard().show("score", table(values=values))[1:] == [
        "Ann, you, team 1, total 5.",
        "Blaise, bot 2, team 2, total minus 30.",
        "Carl, bot 2, partner, team 1, total 10.",
        "Team 1, Ann, Carl: total 15.",
        "Team 2, Blaise: total minus 30.",
        "Deal 1: Ann bid 1, score 5; Blaise bid 0, score minus 30; Carl bid 2, score 10.",
    ]


def test_a_table_before_the_match() -> None:
    """A table before the match is spoken: seats, options and settings."""
    lobby = table(phase="lobby", seats=(human("Ann"), human("Bob", ready=False), FREE, bot("Cid")))
    told = Heard().show("table", lobby)
    assert told[:5] == [
        "Black Queen, table K7Q2X.",
        "Seat 1: Ann, you, host, ready.",
        "Seat 2: Bob, not ready.",
        "Seat 3: free.",
        "Seat 4: Cid, bot 2.",
    ]
    assert told[5] == "Options: deals 4, columns 2."
    assert told[6].startswith("Settings of the table: private no, ")


def test_a_hint_is_told() -> None:
    """A hint is spoken with figures only on request, and not if it is late."""
    heard = Heard()
    candidates = (
        Candidate(action="play 2C", value=3.0, why={"points": 1.5, "deviation": 0.25}),
        Candidate(action="play JC@1", value=-2.5),
    )
    hint = HintAnswer(id=1, table=CODE, turn=7, action="play 2C", candidates=candidates)
    heard.output.answered(SendCommand(Hint), hint, ANNS_TURN)
    heard.output.answered(SendCommand(Hint), hint.model_copy(update={"turn": 6}), ANNS_TURN)
    assert heard.sentences == ["Hint: play two of clubs"]
    heard.output.answered(SendCommand(Hint, full=True), hint, ANNS_TURN)
    assert heard.sentences[2:] == [
        "play two of clubs: value 3, points 1.50, deviation 0.25.",
        "play jack of clubs from 1: value minus 2.50.",
    ]


def test_that_a_stronger_hint_will_follow_is_told_once() -> None:
    """A stronger hint to come is told once."""
    heard = Heard()
    hint = HintAnswer(id=1, table=CODE, turn=7, action="play 2C", weaker=True, seconds=14)
    for _ in range(2):
        heard.output.answered(SendCommand(Hint), hint, ANNS_TURN)
    assert [" (a stronger hint is" in said for said in heard.sentences] == [True, False]


def test_lists_are_told() -> None:
    """Lists are spoken: tables by number, games by name, and what may be typed."""
    heard = Heard()
    game = GameCard(
        id="black_queen",
        version=1,
        title="Black Queen",
        seats=(2, 3, 4),
        usual_seats=4,
        options=(),
        strengths=(0, 1),
        rules="# Rules\nAvoid ♥.",
    )
    heard.output.tables([table(phase="lobby").info])
    heard.output.tables([])
    heard.output.games([game, game.model_copy(update={"id": "Golf4@12", "described": True})])
    heard.output.explain({"Enter": "list the tables again"})
    heard.output.answered(SendCommand(Games), GameList(id=1, games=(game,)), ANNS_TURN)
    assert heard.sentences == [
        "1: table K7Q2X, Black Queen, waiting for players, 3 of 3 seats taken, host Ann.",
        "There are no public tables.",
        "black_queen: Black Queen, 2 to 4 players, bots of strength 0, 1.",
        "Golf4: Black Queen, 2 to 4 players, bots of strength 0, 1, from a file.",
        "Enter: list the tables again.",
        "Rules",
        "Avoid hearts.",
    ]


def test_help_tells_no_signs() -> None:
    """The spoken help has no signs."""
    told = Heard().show("help", ANNS_TURN)
    assert told[0] == "a move: a number from the table, a card such as 2C or JC@1 from column 1."
    assert not any("▒" in each for each in told)
    assert Heard().show("final", ANNS_TURN) == []


def test_a_remark_is_one_line() -> None:
    """A remark is one line, and its command is not put into words."""
    heard = Heard()
    heard.output.remark(Remark("Friends join with:", command="blackqueen join ws://a-1 K7Q2X -5"))
    heard.output.remark(Remark("You must follow spades: 9♠.", wrong=True))
    assert heard.sentences == [
        "Friends join with: blackqueen join ws://a-1 K7Q2X -5",
        "You must follow spades: nine of spades.",
    ]


def test_a_terminal_without_symbols_gets_ascii() -> None:
    """Without symbols the spoken output is ASCII, names included."""
    heard = Heard(Look(symbols=False))
    heard.output.happened(event(table(seats=(human("Ann"), bot("Zoë"))), played(1, "QS")))
    heard.output.waiting(table(to_act=(1,)))
    heard.output.waiting(table(to_act=(0,)))
    heard.output.interrupted()
    assert heard.sentences == ["Zo? plays queen of spades.", "Blaise is thinking."]


def test_the_aim_of_a_game_is_said_before_its_first_table() -> None:
    """The aim of a game is told before its first table, once, if it is known."""
    heard: list[str] = []
    first = iter((True, False))
    output = SpeakOutput(lambda: Look(), heard.append, lambda game: next(first))
    output.show(Show("turn"), ANNS_TURN)
    output.show(Show("turn"), ANNS_TURN)
    aims = [said for said in heard if said.startswith("Aim: ")]
    assert aims == heard[:1]
    assert "queens of spades" in aims[0]
