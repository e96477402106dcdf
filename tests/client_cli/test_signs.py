"""The signs of a picture, explained once for each game."""

from dataclasses import replace
from pathlib import Path

from client_cli.effects import Show
from client_cli.output import LineOutput
from client_cli.signs import ExplainedGames, signs
from engine.labels import Label
from tests.client_cli.tables import ANNS_TURN, ASCII, WIDE, table


def test_only_signs_of_the_picture_are_told() -> None:
    """Only signs in the picture are explained."""
    told = dict(signs(ANNS_TURN, WIDE))
    assert told["▒"] == "a face-down card"
    assert told["1 to 2"].startswith("the columns before each player")
    assert told["hand, taken"] == "how many cards in hand and cards taken in tricks"
    assert told["@2"] == "from column 2"
    assert told["points, total"] == "what this game counts for each player; rules explains it"
    hands = table(zones={"hand/0": "2C", "hand/1": "?"}, to_act=(1,))
    assert set(dict(signs(hands, WIDE))) == {"▸", "hand"}
    assert set(dict(signs(replace(hands, question=table().question), WIDE))) == {"hand"}
    assert signs(table(phase="lobby"), WIDE) == []
    assert all(sign.isascii() for sign, _ in signs(ANNS_TURN, ASCII))


def test_what_no_column_shows_is_not_told() -> None:
    """Counted piles and hidden values have no sign."""
    zones = {"hand/0": "2C", "taken/0": "? ?", "column/0/1": "JC", "column/1/1": "5H"}
    values = {"tricks/0": 1, "team/0": 0, "team_total/0": 5, "secret/0": 3}
    labels = (
        Label("secret", "secret", holds="nothing"),
        Label("tricks", "tricks won", "the tricks of this deal"),
        Label("crib", "crib", "four cards for the dealer"),
    )
    told = dict(signs(table(zones=zones, values=values, labels=labels), WIDE))
    assert told == {
        "1": "the columns before each player: the card on top",
        "hand": "how many cards in hand",
        "tricks won": "the tricks of this deal",
        "team": "what this game counts for each player; rules explains it",
    }


def test_a_game_is_explained_once(tmp_path: Path) -> None:
    """A game is explained once, over several visits too."""
    folder = tmp_path / "state"
    assert ExplainedGames(folder).first("whist")
    again = ExplainedGames(folder)
    assert not again.first("whist")
    assert again.first("hearts")
    assert not ExplainedGames(folder).first("hearts")
    for spoilt in ("[", '{"whist": 1}', "\xff"):
        (folder / "explained-games.json").write_text(spoilt, "latin-1")
        assert ExplainedGames(folder).first("whist")
        assert not ExplainedGames(folder).first("whist")


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    """Without a writable folder games are remembered only in memory."""
    (tmp_path / "file").write_text("")
    explained = ExplainedGames(tmp_path / "file" / "below")
    assert [explained.first("whist"), explained.first("whist")] == [True, False]


def test_the_first_table_is_followed_by_its_signs() -> None:
    """The signs follow the first table of a game, not the second and not a lobby."""
    seen: list[str] = []
    output = LineOutput(lambda: WIDE, seen.append, explains=ExplainedGames(None).first)
    output.show(Show("table"), table(phase="lobby"))
    assert "Type ? to see this again." not in "".join(seen)
    output.show(Show("table"), ANNS_TURN)
    assert "".join(seen).endswith("Type ? to see this again.\n")
    assert "\nAim: Take as few hearts and queens of spades as you can" in "".join(seen)
    seen.clear()
    output.show(Show("table"), ANNS_TURN)
    assert "".join(seen).endswith("Your turn.\n")
